// Defines the chain of the audit trail: each record has a number, and its hash covers the hash of the record before it. The text of a
// record is canonical, so that any changed byte is detected.
import { canonicalJson, parseCanonical, sha256Hex } from './canonical-json.ts';
import { type TrailRecord, trailRecordShape } from './records/trail-record.ts';
import type { TrailPoint } from './records/values.ts';

/** The start of a chain, before the first record. */
export const GENESIS: TrailPoint = { seq: 0, sha256: '0'.repeat(64) };

/** One row of the trail, as every engine keeps it. */
export interface TrailRow extends TrailPoint {
  /** The hash of the row before. */
  readonly prev: string;
  /** The record in canonical JSON. */
  readonly record: string;
}

/** Computes the hash of a row. PostgreSQL computes the same in its function `append`. */
export function rowHash({ seq, prev, record }: Omit<TrailRow, 'sha256'>): string {
  return sha256Hex(`${seq}\n${prev}\n${record}`);
}

/** Answers the rows of these records, which follow `last`. */
export function chainedRows(last: TrailPoint, records: readonly string[]): readonly TrailRow[] {
  let { seq, sha256 } = last;
  return records.map((record) => {
    const row = { seq: seq + 1, prev: sha256, record };
    seq = row.seq;
    sha256 = rowHash(row);
    return { ...row, sha256 };
  });
}

/** True where the row is unchanged and follows `last`. */
export function isNextRow(row: TrailRow, last: TrailPoint): boolean {
  return row.seq === last.seq + 1 && row.prev === last.sha256 && row.sha256 === rowHash(row);
}

/** The number of records at the end that a start checks. `audit verify` checks all records. */
export const CHECKED_AT_START = 100;

/** True where these rows form a whole chain that leads to `end`, with as many rows as a start checks. */
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

export function encodeTrailRecord(record: TrailRecord): string {
  return canonicalJson(record);
}

/** Decodes a record; undefined for a text that this program did not write to the byte. */
export function decodeTrailRecord(text: string): TrailRecord | undefined {
  return trailRecordShape.safeParse(parseCanonical(text)).data;
}
