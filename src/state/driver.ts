// What a database has to do for the store: transactions of the same SQL text. `$1`, `$2` and so on stand for the values.
import type { Row } from './rows.ts';

export type SqlValue = string | number | null;
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
