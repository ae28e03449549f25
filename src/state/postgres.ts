// The driver for PostgreSQL, over a few connections. A transaction is run again if the server has rolled it back. Where its connection
// was lost, the server is asked whether it was kept. Other failures become StateFaults, which hold neither a password nor
// a value.
import { connect, type Socket } from 'node:net';
import type postgres from 'postgres';
import { z } from 'zod';
import { type Driver, type FaultKind, isRow, type Rows, type SqlValue, StateFault } from './driver.ts';
import { type PostgresOptions, type Target, targetOf } from './postgres-target.ts';

/** The number of connections. More would not help, because calls write one after the other. */
const CONNECTIONS = 4;
/** Idle connections are closed after this time, before a router may drop them. */
const IDLE_SECONDS = 120;
/** The time after which a connection counts as lost. It is longer than a server waits for a lock. */
const TIMEOUT_MS = 30_000;
const SCRUB_TIMEOUT_MS = 600_000;
const MAX_TRIES = 20;
/** The oldest version of PostgreSQL that the driver was tried with. */
const OLDEST_SERVER = 120_000;
/** The default name of the schema. */
const SCHEMA = 'config_airlock';

/** Opens a database. Throws a plain Error for bad options. It connects with the first operation. */
export async function openPostgres(options: PostgresOptions): Promise<PostgresDriver> {
  const target = targetOf(options);
  const schema = schemaNamed(target.schema ?? SCHEMA);
  const { default: open } = await import('postgres');
  const connections = () =>
    open({
      ...{ host: target.host, port: target.port, database: target.database, user: target.user },
      ...{ password: target.password, connection: { application_name: target.applicationName } },
      ...{ max: CONNECTIONS, idle_timeout: IDLE_SECONDS, connect_timeout: target.connectSeconds },
      // A pooler may run the next transaction on another connection, where nothing is prepared.
      ...{ prepare: false, fetch_types: false, ssl: target.tls ?? false },
      // These are numbers of events and sizes, all of them below 2^53.
      types: { count: { to: 20, from: [20], serialize: String, parse: Number } },
      // The package would write notices to stdout, which belongs to the protocol.
      onnotice: () => undefined,
      ...socketOption(target),
    });
  return new PostgresDriver(connections, schema);
}

/** Quotes the name of a schema. Throws a plain Error for a name that would need escapes everywhere. */
function schemaNamed(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,50}$/u.test(name) || name.startsWith('pg_'))
    throw new Error('The name of a schema is made of small letters, digits and _');
  return `"${name}"`;
}

export class PostgresDriver implements Driver {
  readonly #open: () => postgres.Sql;
  readonly #schema: string;
  #sql: postgres.Sql;

  /** Takes the quoted name of the schema. */
  constructor(open: () => postgres.Sql, schema: string) {
    this.#open = open;
    this.#schema = schema;
    this.#sql = open();
  }

  read<Result>(work: (rows: Rows) => Promise<Result>): Promise<Result> {
    return this.#attempt((sql) =>
      inTransaction(sql, 'isolation level repeatable read read only', this.#settings, work),
    );
  }

  /** Always durable: if the server lost confirmed events, the state would count as replaced. */
  write<Result>(_: boolean, work: (rows: Rows) => Promise<Result>): Promise<Result> {
    // Each statement has to see what was written until the lock was given.
    const mode = 'isolation level read committed read write';
    let tried: { readonly number: string; readonly result: Result } | undefined;
    return this.#attempt((sql) =>
      inTransaction(sql, mode, this.#lock, async (rows, [numbered]) => {
        // The first transaction held the lock, so that it has ended now.
        if (tried !== undefined && (await isCommitted(rows, tried.number))) return tried.result;
        const result = await work(rows);
        tried = { number: `${numbered?.['number']}`, result };
        return result;
      }),
    );
  }

  /** All is found by indexes, also where the server knows nothing about the tables yet and would rather read a long trail. */
  get #settings(): string {
    return `SET LOCAL search_path = ${this.#schema}; SET LOCAL jit = off;
      SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off`;
  }

  /** Says the number of the transaction. Nobody else writes from here to its end. */
  get #lock(): string {
    return `SELECT txid_current()::text AS number;
      ${this.#settings}; SET LOCAL lock_timeout = '15s';
      SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
      SELECT pg_advisory_xact_lock(hashtext('config-airlock ${this.#schema}'))::text`;
  }

  async create(tables: string): Promise<void> {
    if (await this.#hasTables()) return;
    // Two that make them at the same time would disturb each other.
    await this.write(true, (rows) => rows(`CREATE SCHEMA IF NOT EXISTS ${this.#schema}; ${tables}`));
  }

  #hasTables(): Promise<boolean> {
    return this.#attempt(async (sql) => {
      const [server] = await run(
        sql,
        "SELECT current_setting('server_version_num')::integer AS version, current_setting('server_encoding') AS encoding",
      );
      if (Number(server?.['version']) < OLDEST_SERVER)
        throw unusableServer('PostgreSQL 12 or later is needed');
      if (server?.['encoding'] !== 'UTF8') throw unusableServer('the encoding of the database is not UTF8');
      const tables = await run(
        sql,
        `SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
         WHERE '"' || nspname || '"' = $1`,
        [this.#schema],
      );
      const isOurs = tables.some(({ relname }) => relname === 'identity');
      if (tables.length > 0 && !isOurs) throw new StateFault('damaged');
      // Without a right to the schema its tables would only seem to be missing.
      if (isOurs) await run(sql, `SELECT FROM ${this.#schema}.identity`);
      return isOurs;
    });
  }

  /** Lets an account use the state as a server does: it can add to the trail, and not change or remove what is there. */
  async grantTo(account: string): Promise<void> {
    // From others the database takes a GRANT with no more than a warning.
    await this.requireOwner();
    const role = `"${account.replaceAll('"', '""')}"`;
    await this.write(true, (rows) =>
      rows(`GRANT USAGE ON SCHEMA ${this.#schema} TO ${role}; GRANT SELECT ON identity TO ${role};
        GRANT SELECT, INSERT ON trail TO ${role};
        GRANT SELECT, INSERT, UPDATE, DELETE ON previews, texts TO ${role}`),
    );
  }

  async requireOwner(): Promise<void> {
    const [owner] = await this.#attempt((sql) =>
      run(sql, "SELECT pg_has_role(relowner, 'USAGE') AS is_owner FROM pg_class WHERE oid = $1::regclass", [
        `${this.#schema}.previews`,
      ]),
    );
    if (owner?.['is_owner'] !== true) throw unusableServer('only the owner of the schema can do this');
  }

  /**
   * Rewrites the tables, which only their owner may. Copies in the server's write-ahead log, archives, replicas and backups stay until
   * those are removed.
   */
  async scrub(): Promise<void> {
    const tables = ['previews', 'texts'].map((table) => `${this.#schema}.${table}`);
    await this.#attempt((sql) => run(sql, `VACUUM (FULL) ${tables.join(', ')}`), SCRUB_TIMEOUT_MS);
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 5 });
  }

  async #attempt<Result>(
    work: (sql: postgres.Sql) => Promise<Result>,
    patienceMs = TIMEOUT_MS,
  ): Promise<Result> {
    let wasLost = false;
    for (let tries = 1; ; tries += 1) {
      const sql = this.#sql;
      try {
        return await withTimeout(patienceMs, work(sql));
      } catch (error) {
        const fault = faultOf(error);
        if (fault instanceof StateFault && fault.kind === 'unreachable') this.#renew(sql);
        const isUseful = isRolledBack(error) ? tries < MAX_TRIES : isConnectionLost(error) && !wasLost;
        if (!isUseful) throw fault;
        wasLost ||= isConnectionLost(error);
      }
    }
  }

  /** Opens new connections where one is lost, or leads to a server that can no longer write. */
  #renew(lost: postgres.Sql): void {
    if (this.#sql !== lost) return;
    this.#sql = this.#open();
    void lost.end({ timeout: 0 });
  }
}

async function inTransaction<Result>(
  sql: postgres.Sql,
  mode: string,
  begin: string,
  work: (rows: Rows, begun: Awaited<ReturnType<Rows>>) => Promise<Result>,
): Promise<Result> {
  // The package's type of the result is that of all promises in it, which is not ours.
  let result: { readonly value: Result } | undefined;
  await sql.begin(mode, async (inner) => {
    try {
      const begun = await run(inner, begin);
      result = { value: await work((statement, ...values) => run(inner, statement, values), begun) };
    } catch (error) {
      // The package would write its ROLLBACK to the socket that is gone, and end the process. It rejects by itself instead.
      if (isConnectionLost(error)) await new Promise(() => undefined);
      throw error;
    }
  });
  if (result === undefined) throw new StateFault('unreachable');
  return result.value;
}

async function isCommitted(rows: Rows, number: string): Promise<boolean> {
  const [row] = await rows('SELECT txid_status($1::bigint) AS status', number);
  return row?.['status'] === 'committed';
}

/** Runs a statement, or several, of which all rows are in the answer. */
async function run(
  sql: postgres.ISql,
  statement: string,
  values: readonly SqlValue[] = [],
): ReturnType<Rows> {
  return rowsShape.parse(await sql.unsafe(statement, [...values]));
}

const rowsShape = z.array(z.unknown()).transform((rows) => rows.flat().filter(isRow));

function unusableServer(why: string): StateFault {
  return new StateFault('unreachable', new Error(why));
}

/**
 * Returns the option `socket`, which the package's types lack, and which opens the sockets. Without it the package would try again
 * for ever where a proxy closes each connection before it has sent anything.
 */
function socketOption({ host, port, connectSeconds }: Target): object {
  let isMute = false;
  const socket = (): Promise<Socket> =>
    new Promise((settle, reject) => {
      if (isMute) {
        isMute = false;
        reject(new StateFault('unreachable'));
        return;
      }
      const made = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
      made.setTimeout(connectSeconds * 1_000, () => made.destroy(new StateFault('unreachable')));
      made.once('error', reject);
      made.once('close', () => {
        isMute = made.bytesRead === 0;
      });
      made.once('connect', () => {
        made.setTimeout(0);
        settle(made);
      });
    });
  return { socket };
}

async function withTimeout<Result>(patienceMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StateFault('unreachable')), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The kinds by the beginning of the server's code; the first that fits counts. */
const KINDS: readonly {
  readonly kind: FaultKind;
  readonly codes: readonly string[];
  readonly isSaid?: true;
}[] = [
  // These are a lock that another holds, a cancelled statement, and two transactions that waited for each other.
  { kind: 'busy', codes: ['55P03', '57014', '40'] },
  { kind: 'full', codes: ['53100', '54000'] },
  { kind: 'damaged', codes: ['XX001', 'XX002', '42P07', '42710', '42723'] },
  // These are connections, accounts and rights, missing databases, servers that end, start or only read, and bad
  // disks.
  { kind: 'unreachable', codes: ['08', '28', '3D', '42501', '53', '57P', '25006'], isSaid: true },
  { kind: 'unreachable', codes: ['58'] },
  // These are tables, columns and functions that somebody has dropped.
  { kind: 'replaced', codes: ['3F', '42883', '42P01', '42703', '42704'] },
];

/**
 * Turns an error into a fault. A message about a statement may hold values, so only messages about connections are passed on, and
 * of all others the code. An error of this program stays as it is.
 */
function faultOf(error: unknown): unknown {
  if (error instanceof StateFault) return error;
  const { code, message, severity }: { code?: unknown; message?: unknown; severity?: unknown } =
    Object(error);
  if (typeof code !== 'string') return error;
  // The error is of the socket, of TLS, or of the package: ECONNREFUSED, CERT_HAS_EXPIRED, CONNECTION_CLOSED.
  if (severity === undefined) return new StateFault('unreachable', new Error(`${code}: ${String(message)}`));
  const { kind, isSaid } = KINDS.find(({ codes }) => codes.some((start) => code.startsWith(start))) ?? {};
  const reason = isSaid ? `${String(message)} (${code})` : `PostgreSQL reports ${code}`;
  return kind ? new StateFault(kind, new Error(reason)) : Object.assign(new Error(reason), { code });
}

/** True if the server has undone the transaction, because another one went on at the same time. */
function isRolledBack(error: unknown): boolean {
  const { code }: { readonly code?: unknown } = Object(error);
  return code === '40001' || code === '40P01';
}

const LOST = [
  ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'ECONNRESET', 'EPIPE'],
  ...['57P01', '57P02', '08003', '08006'],
];

/** True if an open connection has ended, so that nobody knows whether the statement took effect. */
function isConnectionLost(error: unknown): boolean {
  const { code }: { readonly code?: unknown } = Object(error);
  return typeof code === 'string' && LOST.includes(code);
}
