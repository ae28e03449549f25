// Runs statements on an SQLite engine: that of Node where there is one (22.13 and later), and otherwise `libsql`, which an operator of an
// older Node adds. Each statement is prepared once.
import { createRequire } from 'node:module';
import { NoEngine, StateFault } from '../fault.ts';
import { isRow, type Row } from '../rows.ts';
import { ENGINE_PACKAGE } from './engine-package.ts';

export type SqlValue = string | number | null | Uint8Array;

/** The common interface of both engines. */
interface Engine {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Statement {
  run(...values: SqlValue[]): unknown;
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown;
}

type OpenEngine = (file: string) => Engine;

/** The time in milliseconds for which a process waits for another one that writes. */
const BUSY_MS = 5_000;

export class SqliteDatabase {
  readonly #engine: Engine;
  readonly #statements = new Map<string, Statement>();
  readonly #check: () => void;
  #isOpen = true;
  #isDurable: boolean | undefined;

  /** Takes an engine; `check` throws where the file is no longer the one that was opened. */
  constructor(engine: Engine, check: () => void) {
    this.#engine = engine;
    this.#check = check;
  }

  exec(sql: string): void {
    withFaults(() => this.#engine.exec(sql));
  }

  run(sql: string, ...values: SqlValue[]): void {
    withFaults(() => this.#prepared(sql).run(...values));
  }

  get(sql: string, ...values: SqlValue[]): Row | undefined {
    const row = withFaults(() => this.#prepared(sql).get(...values));
    return isRow(row) ? row : undefined;
  }

  all(sql: string, ...values: SqlValue[]): readonly Row[] {
    const rows = withFaults(() => this.#prepared(sql).all(...values));
    return Array.isArray(rows) ? rows.filter(isRow) : [];
  }

  /** Runs `work`, which reads everything from one moment. */
  reading<Result>(work: () => Result): Result {
    return this.#within('BEGIN; PRAGMA user_version', work);
  }

  /** Runs `work` and keeps all that it writes, or nothing. With `isDurable` it survives a power cut once this returns. */
  writing<Result>(isDurable: boolean, work: () => Result): Result {
    if (isDurable !== this.#isDurable) {
      // This is a setting of the connection, and applies to each commit from now on.
      this.exec(isDurable ? 'PRAGMA synchronous = FULL' : 'PRAGMA synchronous = NORMAL');
      this.#isDurable = isDurable;
    }
    return this.#within('BEGIN IMMEDIATE', work);
  }

  /**
   * Runs `work` in a transaction. The statement `begin` takes the lock and is never prepared: if it fails to get the lock, libsql
   * would leave a prepared statement unfinished, and no later transaction could end.
   */
  #within<Result>(begin: string, work: () => Result): Result {
    this.#check();
    try {
      this.exec(begin);
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      try {
        this.exec('ROLLBACK');
      } catch {
        // The transaction has not begun, or the engine has rolled it back itself, as it does if the disk is full.
      }
      throw error;
    }
  }

  close(): void {
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

  #prepared(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#engine.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Opens a database. Throws NoEngine where this machine has no engine, and StateFault where the file cannot be opened. */
export function openDatabase(file: string, check: () => void = () => undefined): SqliteDatabase {
  const open = availableEngine();
  // The check comes first, because an engine goes by the path, and makes a file where there is none.
  check();
  const engine = openFile(open, file);
  const database = new SqliteDatabase(engine, check);
  try {
    // This pragma comes first, because the others may have to wait for another process.
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    database.exec('PRAGMA foreign_keys = ON');
    // Removed data is overwritten in the file, and never written to another file.
    database.exec('PRAGMA secure_delete = ON');
    database.exec('PRAGMA temp_store = MEMORY');
    return database;
  } catch (error) {
    database.close();
    throw error;
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

/** The faults by the result codes of SQLite, and by libsql's names for them; the first that fits counts. */
const FAULTS = [
  // SQLITE_IOERR_WRITE and _SHMSIZE mean a quota, or a limit of the process for the size of a file. Only a full
  // disk has a code of its own.
  { kind: 'full', codes: [778, 4874], name: /^SQLITE_IOERR_(?:WRITE|SHMSIZE)$/u },
  { kind: 'busy', codes: [5, 6], name: /^SQLITE_(?:BUSY|LOCKED)/u },
  { kind: 'full', codes: [13], name: /^SQLITE_FULL/u },
  { kind: 'damaged', codes: [11, 26], name: /^SQLITE_(?:CORRUPT|NOTADB)/u },
  {
    kind: 'unreachable',
    codes: [3, 8, 10, 14, 15, 23],
    name: /^SQLITE_(?:PERM|READONLY|IOERR|CANTOPEN|PROTOCOL|AUTH)/u,
  },
] as const;

function faultOf(error: unknown): StateFault | undefined {
  const {
    code,
    errcode,
    message = '',
  }: { readonly code?: unknown; readonly errcode?: unknown; readonly message?: string } = Object(error);
  // Our statements are always the same, so somebody has dropped the table or column.
  if (/^no such (?:table|column)/u.test(message)) return new StateFault('replaced', error);
  const fault = FAULTS.find(
    ({ codes, name }) =>
      (typeof errcode === 'number' && codes.some((one) => one === errcode || one === (errcode & 0xff))) ||
      (typeof code === 'string' && name.test(code)),
  );
  return fault && new StateFault(fault.kind, error);
}
