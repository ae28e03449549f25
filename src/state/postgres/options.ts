// What the layer above hands in: this layer reads neither files nor the environment.

/** A file of the operator, as it was read. */
export interface OperatorFile {
  readonly text: string;
  /** Nobody but its owner, or root, can read it. */
  readonly isPrivate: boolean;
}

export interface PostgresOptions {
  /**
   * `postgres://user@host:port/database?sslmode=verify-full`; a socket as `?host=/var/run/postgresql`. Its tables stand in the schema
   * that `?schema=` names.
   */
  readonly url: string;
  /** The PG… variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of the operating system: who runs this, and the folder with `.pgpass` and `.postgresql/`. */
  readonly account: { readonly name: string; readonly home: string };
  /** Opens it also where the trail is damaged: for looking at what is wrong with it. */
  readonly evenDamaged?: boolean;
  /** Undefined where there is no such file. */
  readonly readFile: (path: string) => OperatorFile | undefined;
}
