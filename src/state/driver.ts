// What a database has to do for the store: transactions of the same SQL text, in which `$1`, `$2` and so on stand for the values. Each
// engine's errors become faults of these kinds, and the layer above turns each kind into a refusal that says what to do.
import { setImmediate as nextTurn } from 'node:timers/promises';

export type SqlValue = string | number | null;
/** A row as an engine answers it. */
export type Row = Readonly<Record<string, unknown>>;
export type Rows = (sql: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>;

/** Every function throws StateFault if the database fails. */
export interface Driver {
  /** Runs `work`, which reads everything from one moment. */
  read<Result>(work: (rows: Rows) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` while nobody else writes, and keeps all that it writes, or nothing. With `isDurable` it survives a power cut.
   * It may run again, from the start, after a run of which nothing was kept.
   */
  write<Result>(isDurable: boolean, work: (rows: Rows) => Promise<Result>): Promise<Result>;
  /** Runs these statements if there are no tables. Throws StateFault if there is something else in their place. */
  create(tables: string): Promise<void>;
  /** Throws StateFault unless this account may overwrite what is deleted. */
  requireOwner(): Promise<void>;
  /** Overwrites what was deleted. */
  scrub(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `busy` means that another process holds the state for long, and `full` that the disk has no room. `damaged` means that the data
 * differs from what was written. `replaced` means that it is no longer the state that this process has opened. `newer` means that a
 * later version of this program wrote it. `unreachable` means that it cannot be opened, or that the connection is lost.
 */
export type FaultKind = 'busy' | 'full' | 'damaged' | 'replaced' | 'newer' | 'unreachable';

export class StateFault extends Error {
  override readonly name = 'StateFault';
  readonly kind: FaultKind;

  constructor(kind: FaultKind, cause?: unknown) {
    super(`the state is ${kind}`, { cause });
    this.kind = kind;
  }
}

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}

/** Throws StateFault for a column of another type, as `countIn` does: the database is damaged. */
export function textIn(row: Row | undefined, column: string): string {
  const value = row?.[column];
  if (typeof value !== 'string') throw new StateFault('damaged');
  return value;
}

export function countIn(row: Row | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new StateFault('damaged');
  return value;
}

/** Returns a function that runs what it is given when all that was given before has ended. */
export function oneAfterAnother(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

const SLICE_MS = 10;

/** Keeps the thread free during long work: other calls are served at least every ten milliseconds. */
export class Turns {
  #since = performance.now();

  /** Lets other work of this thread go on if enough time has passed. */
  async next(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
