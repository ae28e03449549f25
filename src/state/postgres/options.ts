// Defines the options that the layer above passes in, because this layer reads neither files nor the environment.

/** A file of the operator, as it was read. */
export interface OperatorFile {
  readonly text: string;
  /** True if only its owner, or root, can read it. */
  readonly isPrivate: boolean;
}

export interface PostgresOptions {
  /**
   * An address such as `postgres://user@host:port/database?sslmode=verify-full`; a socket is given as
   * `?host=/var/run/postgresql`. `?schema=` names the schema of the tables.
   */
  readonly url: string;
  /** The PG… variables. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The user of the operating system, and the folder with `.pgpass` and `.postgresql/`. */
  readonly account: { readonly name: string; readonly home: string };
  /** Reads a file; undefined if it does not exist. */
  readonly readFile: (path: string) => OperatorFile | undefined;
}
