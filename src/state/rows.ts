// Reads the columns of a row into types. Throws StateFault for a column of another type, which means that the database is damaged.
import { StateFault } from './fault.ts';

/** A row as an engine answers it. */
export type Row = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}

export function textIn(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new StateFault('damaged');
  return value;
}

export function countIn(row: Row | undefined, column: string): number {
  const value = row?.[column];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new StateFault('damaged');
  return value;
}
