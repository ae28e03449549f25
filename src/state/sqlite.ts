// The driver for SQLite, on the engine of Node where there is one (22.13 and later), and otherwise on `libsql`, which an operator of an
// older Node adds. Each statement is prepared once.
import { createRequire } from 'node:module';
import {
  type Driver,
  type FaultKind,
  isRow,
  oneAfterAnother,
  type Rows,
  type SqlValue,
  StateFault,
} from './driver.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** The package that gives an older Node an SQLite, with its version, as npm takes it; undefined if Node needs none. */
export const ENGINE_PACKAGE: string | undefined =
  major < 22 || (major === 22 && minor < 13) ? 'libsql@0.5.29' : undefined;

/** An error where no engine can be loaded. The message says what to install. */
export class NoEngine extends Error {
  override readonly name = 'NoEngine';
}

/** What both engines have in common. */
interface Engine {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Statement {
  run(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown;
}

type OpenEngine = (file: string) => Engine;

/** The time in milliseconds for which a process waits for another one that writes. */
const BUSY_MS = 5_000;

export interface SqliteOptions {
  /** The file: `:memory:`, or a path that the layer above has checked. */
  readonly file: string;
  /** Throws if the file is no longer the one that was opened; called before each operation. */
  readonly check?: () => void;
}

/** Opens a database. Throws NoEngine if this machine has no engine, and StateFault if the file cannot be opened. */
export function openSqlite({ file, check = () => undefined }: SqliteOptions): Driver {
  const open = availableEngine();
  // The check comes first, because an engine goes by the path, and makes a file where there is none.
  check();
  const engine = openFile(open, file);
  try {
    withFaults(() => {
      // This pragma comes first, because the others may have to wait for another process.
      engine.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA foreign_keys = ON`);
      // Removed data is overwritten in the file, and never written to another file.
      engine.exec('PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY');
    });
    return new SqliteDriver(engine, check);
  } catch (error) {
    engine.close();
    throw error;
  }
}

/**
 * Lets the transactions of this process wait for each other: two may be on one connection, and on two of them the second would stop the
 * process in which the first has to go on.
 */
const inTurn = oneAfterAnother();

class SqliteDriver implements Driver {
  readonly #engine: Engine;
  readonly #statements = new Map<string, Statement>();
  readonly #check: () => void;
  #isOpen = true;
  #isDurable: boolean | undefined;

  constructor(engine: Engine, check: () => void) {
    this.#engine = engine;
    this.#check = check;
  }

  read<Result>(work: (rows: Rows) => Promise<Result>): Promise<Result> {
    return inTurn(() => this.#within('BEGIN; PRAGMA user_version', () => work(this.#rows)));
  }

  write<Result>(isDurable: boolean, work: (rows: Rows) => Promise<Result>): Promise<Result> {
    return inTurn(() => this.#within('BEGIN IMMEDIATE', () => work(this.#rows), isDurable));
  }

  async create(tables: string): Promise<void> {
    const found = await this.read((rows) => rows('SELECT name FROM sqlite_schema'));
    const isOurs = found.some(({ name }) => name === 'identity');
    if (found.length > 0 && !isOurs) throw new StateFault('damaged');
    if (isOurs) return;
    this.#exec('PRAGMA journal_mode = WAL');
    await this.write(true, async () => this.#exec(tables));
  }

  /** Does nothing: whoever can open the file may do anything to it. */
  async requireOwner(): Promise<void> {}

  /** Empties the log, in which overwritten data stays until then. A reading process can prevent that. */
  scrub(): Promise<void> {
    return inTurn(async () => {
      const [row] = await this.#rows('PRAGMA wal_checkpoint(TRUNCATE)');
      if (row?.['busy'] !== 0) throw new StateFault('busy');
    });
  }

  close(): Promise<void> {
    return inTurn(async () => this.#close());
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      // The log is emptied without waiting for others. libsql never ends a statement, and would leave everything in the log.
      this.#engine.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // The next process that opens it reads the log.
    }
    this.#statements.clear();
    this.#engine.close();
  }

  /**
   * Runs `work` in a transaction. The statement `begin` takes the lock and is never prepared: if it fails to get the lock, libsql
   * would leave a prepared statement unfinished, and no later transaction could end.
   */
  async #within<Result>(
    begin: string,
    work: () => Promise<Result>,
    isDurable = this.#isDurable,
  ): Promise<Result> {
    this.#check();
    if (isDurable !== this.#isDurable) {
      // This is a setting of the connection, and applies to each commit from now on.
      this.#exec(isDurable ? 'PRAGMA synchronous = FULL' : 'PRAGMA synchronous = NORMAL');
      this.#isDurable = isDurable;
    }
    try {
      this.#exec(begin);
      const result = await work();
      this.#exec('COMMIT');
      return result;
    } catch (error) {
      try {
        this.#exec('ROLLBACK');
      } catch {
        // The transaction has not begun, or the engine has rolled it back itself, as it does if the disk is full.
      }
      throw error;
    }
  }

  readonly #rows: Rows = async (sql, ...values) =>
    withFaults(() => {
      const statement = this.#prepared(sql);
      if (!/^(?:SELECT|PRAGMA)|\bRETURNING\b/u.test(sql)) {
        statement.run(...values);
        return [];
      }
      const rows = statement.all(...values);
      return Array.isArray(rows) ? rows.filter(isRow) : [];
    });

  #exec(sql: string): void {
    withFaults(() => this.#engine.exec(sql));
  }

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#engine.prepare(sql.replace(/\$(\d+)/gu, '?$1'));
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Opens the file. The engine's error is dropped, because it has no common code, and names the file. */
function openFile(open: OpenEngine, file: string): Engine {
  try {
    return open(file);
  } catch {
    throw new StateFault('unreachable');
  }
}

let chosenEngine: OpenEngine | undefined;

function availableEngine(): OpenEngine {
  chosenEngine ??= nodeSqlite() ?? libsqlPackage();
  return chosenEngine;
}

function nodeSqlite(): OpenEngine | undefined {
  if (ENGINE_PACKAGE !== undefined) return undefined;
  const { DatabaseSync }: { readonly DatabaseSync: new (file: string) => Engine } = withoutWarnings(() =>
    createRequire(import.meta.url)('node:sqlite'),
  );
  return (file) => new DatabaseSync(file);
}

/** Loads without warnings: Node says at the first use that its SQLite is experimental, and stderr belongs to the log. */
function withoutWarnings<Result>(load: () => Result): Result {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function libsqlPackage(): OpenEngine {
  try {
    // It is loaded from this package's own folder, never from the working directory.
    const Database: new (file: string) => Engine = createRequire(import.meta.url)('libsql');
    return (file) => new Database(file);
  } catch (cause) {
    throw new NoEngine(
      `this Node has no SQLite of its own, and the package "libsql" cannot be loaded: use Node 22.13 or later, or run "npm install ${ENGINE_PACKAGE}" beside config-airlock; with npx it is "npx -p ${ENGINE_PACKAGE} -p config-airlock config-airlock"`,
      { cause },
    );
  }
}

function withFaults<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw faultOf(error) ?? error;
  }
}

/** The faults with their result codes of SQLite, extended ones or not. */
const FAULTS: readonly (readonly [FaultKind, readonly number[]])[] = [
  // SQLITE_IOERR_WRITE and _SHMSIZE: a quota, or a limit of the process for the size of a file. Only a full disk has a code of its own.
  ['full', [778, 4874, 13]],
  ['busy', [5, 6]],
  ['damaged', [11, 26]],
  ['unreachable', [3, 8, 10, 14, 15, 23]],
];

function faultOf(error: unknown): StateFault | undefined {
  // Node calls the code `errcode`, and libsql `rawCode`.
  const { errcode, rawCode = errcode, message }: Readonly<Record<string, unknown>> = Object(error);
  // Our statements are always the same, so somebody has dropped the table or column.
  if (/^no such (?:table|column)/u.test(`${message}`)) return new StateFault('replaced', error);
  if (typeof rawCode !== 'number') return undefined;
  const [kind] = [rawCode, rawCode & 0xff].flatMap(
    (code) => FAULTS.find(([, codes]) => codes.includes(code))?.[0] ?? [],
  );
  return kind && new StateFault(kind, error);
}
