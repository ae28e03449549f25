// Sends statements to a PostgreSQL server over a few connections, each statement as a separate transaction. A statement is repeated if
// the server has certainly rolled it back. It is repeated once if its connection was lost and it may run twice. Other failures become
// StateFaults, which hold neither a password nor a value.
import { connect, type Socket } from 'node:net';
import type postgres from 'postgres';
import { z } from 'zod';
import { StateFault } from '../fault.ts';
import { isRow, type Row } from '../rows.ts';
import { faultOf, isConnectionLost, isRolledBack } from './faults.ts';
import type { PostgresOptions } from './options.ts';
import type { Target } from './target.ts';
import { tlsOf } from './tls.ts';

export type SqlValue = string | number | null;

/** The number of connections. More would not help, because calls write one after the other. */
const CONNECTIONS = 4;
/** Idle connections are closed after this time, before a router may drop them. */
const IDLE_SECONDS = 120;
/** The time after which a connection counts as lost. It is longer than a server waits for a lock. */
const TIMEOUT_MS = 30_000;
const MAX_TRIES = 20;

export class PostgresDatabase {
  readonly #open: () => postgres.Sql;
  #sql: postgres.Sql;

  constructor(open: () => postgres.Sql) {
    this.#open = open;
    this.#sql = open();
  }

  /** Runs a statement that may be run twice. The values replace $1, $2 and so on. */
  async rows(statement: string, values: readonly SqlValue[] = [], patienceMs = TIMEOUT_MS): Promise<Rows> {
    return this.#attempt(true, patienceMs, (sql) => run(sql, statement, values));
  }

  /** Runs a statement that must not be run twice. */
  async rowsOnce(
    statement: string,
    values: readonly SqlValue[] = [],
    patienceMs = TIMEOUT_MS,
  ): Promise<Rows> {
    return this.#attempt(false, patienceMs, (sql) => run(sql, statement, values));
  }

  /** Runs `work` in a transaction: all of it takes effect, or nothing. */
  async transaction(work: (rows: RunStatement) => Promise<void>, patienceMs = TIMEOUT_MS): Promise<void> {
    await this.#attempt(false, patienceMs, (sql) =>
      sql.begin((inner) => work((statement, values = []) => run(inner, statement, values))),
    );
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 5 });
  }

  async #attempt<Result>(
    isRepeatable: boolean,
    patienceMs: number,
    work: (sql: postgres.Sql) => Promise<Result>,
  ): Promise<Result> {
    let isLastTry = !isRepeatable;
    for (let tries = 1; ; tries += 1) {
      const sql = this.#sql;
      try {
        return await withTimeout(patienceMs, work(sql));
      } catch (error) {
        const fault = faultOf(error);
        if (fault instanceof StateFault && fault.kind === 'unreachable') this.#renew(sql);
        const isUseful = isRolledBack(error) ? tries < MAX_TRIES : isConnectionLost(error) && !isLastTry;
        if (!isUseful) throw fault;
        isLastTry ||= isConnectionLost(error);
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

export type Rows = readonly Row[];
export type RunStatement = (statement: string, values?: readonly SqlValue[]) => Promise<Rows>;

/** Runs a statement unprepared, because a pooler may run the next one on another connection. */
async function run(sql: postgres.ISql, statement: string, values: readonly SqlValue[]): Promise<Rows> {
  return rowsShape.parse(await sql.unsafe(statement, [...values]));
}

/** Keeps the rows. The results of several statements at once are dropped, because nobody needs them. */
const rowsShape = z.array(z.unknown()).transform((rows) => rows.filter(isRow));

/** Prepares a database without connecting. Throws a plain Error for bad options. */
export async function databaseOf(target: Target, options: PostgresOptions): Promise<PostgresDatabase> {
  const tls = tlsOf(target.host, target.sslMode, target.setting, options);
  const { default: open } = await import('postgres');
  return new PostgresDatabase(() =>
    open({
      ...{ host: target.host, port: target.port, database: target.database, user: target.user },
      ...{ password: target.password, connection: { application_name: target.applicationName } },
      ...{ max: CONNECTIONS, idle_timeout: IDLE_SECONDS, connect_timeout: target.connectSeconds },
      ...{ prepare: false, fetch_types: false, ssl: tls ?? false },
      // These are numbers of records and sizes, all of them below 2^53.
      types: { count: { to: 20, from: [20], serialize: String, parse: Number } },
      // The package would write notices to stdout, which belongs to the protocol.
      onnotice: () => undefined,
      ...socketOption(target),
    }),
  );
}

/**
 * Answers the option `socket`, which the package's types lack, and which opens the sockets. Without it the package would try again
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
