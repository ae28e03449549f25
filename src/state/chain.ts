// The chain of the audit trail: each event has a number, and its hash covers the hash of the event before it. The text of an event is
// canonical, so that any changed byte is detected.
import { sha256Hex } from './canonical-json.ts';
import type { TrailPoint } from './values.ts';

/** The start of a chain, before the first event. */
export const GENESIS: TrailPoint = { seq: 0, sha256: '0'.repeat(64) };

/** One row of the trail, as a database keeps it. */
export interface TrailRow extends TrailPoint {
  /** The hash of the row before. */
  readonly prev: string;
  /** The event in canonical JSON. */
  readonly body: string;
}

/** Computes the hash of a row. */
export function rowHash({ seq, prev, body }: Omit<TrailRow, 'sha256'>): string {
  return sha256Hex(`${seq}\n${prev}\n${body}`);
}

/** Returns the rows of these events, which follow `last`. */
export function chainedRows(last: TrailPoint, bodies: readonly string[]): readonly TrailRow[] {
  let { seq, sha256 } = last;
  return bodies.map((body) => {
    const row = { seq: seq + 1, prev: sha256, body };
    seq = row.seq;
    sha256 = rowHash(row);
    return { ...row, sha256 };
  });
}

/** True if the row is unchanged and follows `last`. */
export function isNextRow(row: TrailRow, last: TrailPoint): boolean {
  return row.seq === last.seq + 1 && row.prev === last.sha256 && row.sha256 === rowHash(row);
}

/** The number of events at the end that a start checks. `audit verify` checks all. */
export const CHECKED_AT_START = 100;

/** True if these rows form a whole chain that leads to `end`, with as many rows as a start checks. */
export function isWholeEnd(rows: readonly TrailRow[], end: TrailPoint): boolean {
  const [first] = rows;
  const isFromStart = first === undefined || first.seq === 1;
  let last = isFromStart ? GENESIS : { seq: first.seq - 1, sha256: first.prev };
  for (const row of rows) {
    if (!isNextRow(row, last)) return false;
    last = row;
  }
  const isLongEnough = rows.length === Math.min(end.seq, CHECKED_AT_START);
  return isLongEnough && last.seq === end.seq && last.sha256 === end.sha256;
}
