// Statements to a PostgreSQL server, each a transaction of its own, over a few connections. A statement that the server has
// certainly undone is tried again, and once more one that does nothing twice, where its connection was lost. Whatever else goes
// wrong is a StateFault that holds neither a password nor a value.
import { connect, type Socket } from 'node:net';
import type postgres from 'postgres';
import { z } from 'zod';
import { StateFault } from '../fault.ts';
import type { Row } from '../rows.ts';
import { faultOf, isLost, isUndone } from './faults.ts';
import type { PostgresOptions } from './options.ts';
import type { Target } from './target.ts';
import { tlsOf } from './tls.ts';

export type SqlValue = string | number | null;

/** As many calls at once as a server has any use for: they write one after the other. */
const CONNECTIONS = 4;
/** So that no router between forgets a connection before we do. */
const IDLE_SECONDS = 120;
/** After this the connections count as lost. Longer than a server waits for a lock. */
const PATIENCE_MS = 30_000;
const MOST_TRIES = 20;

export class PostgresDatabase {
  readonly #open: () => postgres.Sql;
  #sql: postgres.Sql;

  constructor(open: () => postgres.Sql) {
    this.#open = open;
    this.#sql = open();
  }

  /** Values stand in for $1, $2 and so on. It has to do nothing twice. */
  async rows(statement: string, values: readonly SqlValue[] = [], patienceMs = PATIENCE_MS): Promise<Rows> {
    return this.#attempt(true, patienceMs, (sql) => run(sql, statement, values));
  }

  /** As `rows`, for what would be done twice. */
  async rowsOnce(
    statement: string,
    values: readonly SqlValue[] = [],
    patienceMs = PATIENCE_MS,
  ): Promise<Rows> {
    return this.#attempt(false, patienceMs, (sql) => run(sql, statement, values));
  }

  /** All that `work` does, or nothing. */
  async transaction(work: (rows: RunStatement) => Promise<void>, patienceMs = PATIENCE_MS): Promise<void> {
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
        return await within(patienceMs, work(sql));
      } catch (error) {
        const fault = faultOf(error);
        if (fault instanceof StateFault && fault.kind === 'unreachable') this.#renew(sql);
        const isUseful = isUndone(error) ? tries < MOST_TRIES : isLost(error) && !isLastTry;
        if (!isUseful) throw fault;
        isLastTry ||= isLost(error);
      }
    }
  }

  /** A connection that is lost, or leads to a server that cannot write any more, is not used again. */
  #renew(lost: postgres.Sql): void {
    if (this.#sql !== lost) return;
    this.#sql = this.#open();
    void lost.end({ timeout: 0 });
  }
}

export type Rows = readonly Row[];
export type RunStatement = (statement: string, values?: readonly SqlValue[]) => Promise<Rows>;

/** Not prepared: a pooler may run the next statement on another connection. */
async function run(sql: postgres.ISql, statement: string, values: readonly SqlValue[]): Promise<Rows> {
  return rowsShape.parse(await sql.unsafe(statement, [...values]));
}

/** What several statements at once answer with is looked at by nobody. */
const rowsShape = z.array(z.unknown()).transform((rows) => rows.filter(isRow));

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}

/** Throws a plain Error for options that make no sense. No connection is made yet. */
export async function databaseOf(target: Target, options: PostgresOptions): Promise<PostgresDatabase> {
  const tls = tlsOf(target.host, target.sslMode, target.setting, options);
  const { default: open } = await import('postgres');
  return new PostgresDatabase(() =>
    open({
      ...{ host: target.host, port: target.port, database: target.database, user: target.user },
      ...{ password: target.password, connection: { application_name: target.applicationName } },
      ...{ max: CONNECTIONS, idle_timeout: IDLE_SECONDS, connect_timeout: target.connectSeconds },
      ...{ prepare: false, fetch_types: false, ssl: tls ?? false },
      // Numbers of records and sizes: all of them below 2^53.
      types: { count: { to: 20, from: [20], serialize: String, parse: Number } },
      // The package writes notices to stdout, which is not ours.
      onnotice: () => undefined,
      ...socketsTo(target),
    }),
  );
}

/**
 * A property that the package has and its types do not: its own way begins again without end where a proxy closes each
 * connection before it has said anything.
 */
function socketsTo({ host, port, connectSeconds }: Target): object {
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

async function within<Result>(patienceMs: number, work: Promise<Result>): Promise<Result> {
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
