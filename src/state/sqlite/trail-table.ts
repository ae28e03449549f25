// Keeps the audit trail in SQLite. Whoever appends holds the write lock of the database, so that the chain has one end. The process
// remembers the last record that it has seen, and detects a trail that was replaced.
import {
  CHECKED_AT_START,
  chainedRows,
  encodeTrailRecord,
  GENESIS,
  isWholeEnd,
  rowHash,
  type TrailRow,
} from '../chain.ts';
import { StateFault } from '../fault.ts';
import { previewStatusIn, trailPointIn, trailRowIn } from '../kept.ts';
import type { TrailRecord } from '../records/trail-record.ts';
import type { TrailPoint } from '../records/values.ts';
import { countIn, optionalTextIn } from '../rows.ts';
import type { PreviewStatus } from '../store.ts';
import type { SqliteDatabase } from './driver.ts';

export class TrailTable {
  readonly #database: SqliteDatabase;
  #lastSeen = GENESIS;
  #appended: TrailPoint | undefined;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Throws StateFault unless the last records are a whole chain. */
  requireWholeEnd(): void {
    const head = this.head();
    const rows = this.after(head.seq - CHECKED_AT_START, CHECKED_AT_START);
    if (!isWholeEnd(rows, head)) throw new StateFault('damaged');
    this.#lastSeen = head;
  }

  /** Throws StateFault where the trail has lost or changed the last record that was seen here. */
  requireSame(): void {
    this.#appended = undefined;
    if (!this.holds(this.#lastSeen)) throw new StateFault('replaced');
  }

  /** Remembers the appended records as seen, because their transaction was committed. */
  markCommitted(): void {
    this.#lastSeen = this.#appended ?? this.#lastSeen;
  }

  head(): TrailPoint {
    const row = this.#database.get('SELECT seq, sha256 FROM trail ORDER BY seq DESC LIMIT 1');
    return row === undefined ? GENESIS : trailPointIn(row);
  }

  holds({ seq, sha256 }: TrailPoint): boolean {
    if (seq === 0) return sha256 === GENESIS.sha256;
    const row = this.#database.get('SELECT seq, prev, sha256, record FROM trail WHERE seq = ?', seq);
    return row !== undefined && row['sha256'] === sha256 && rowHash(trailRowIn(row)) === sha256;
  }

  after(seq: number, most: number): readonly TrailRow[] {
    const select = 'SELECT seq, prev, sha256, record FROM trail WHERE seq > ? ORDER BY seq LIMIT ?';
    return this.#database.all(select, seq, most).map(trailRowIn);
  }

  /** Appends records; the caller has begun a transaction that writes. */
  append(records: readonly TrailRecord[]): TrailPoint {
    const head = this.head();
    const rows = chainedRows(head, records.map(encodeTrailRecord));
    const insert = 'INSERT INTO trail (seq, prev, sha256, record) VALUES (?, ?, ?, ?)';
    for (const { seq, prev, sha256, record } of rows) this.#database.run(insert, seq, prev, sha256, record);
    const { seq, sha256 } = rows.at(-1) ?? head;
    this.#appended = { seq, sha256 };
    return this.#appended;
  }

  /** Answers the number and hash of this record, if the trail has it. The operation was then completed before. */
  pointOf(record: TrailRecord): TrailPoint | undefined {
    const { change_id: change, preview = '', action, outcome } = record;
    const row = this.#database.get(
      `SELECT seq, sha256 FROM trail
       WHERE ${change === undefined ? 'preview' : 'change_id'} = ? AND action = ? AND outcome = ? AND record = ?`,
      ...[change ?? preview, action, outcome, encodeTrailRecord(record)],
    );
    return row && trailPointIn(row);
  }

  /** Appends a record unless there is one with its `notice`. */
  claim(record: TrailRecord): boolean {
    const { notice = '' } = record;
    if (this.#database.get('SELECT 1 FROM trail WHERE notice = ?', notice) !== undefined) return false;
    this.append([record]);
    return true;
  }

  statusOf(previewId: string): PreviewStatus {
    const rows = this.#database.all(
      "SELECT seq, action, record FROM trail WHERE preview = ? AND action IN ('approve', 'part', 'reject', 'replace') ORDER BY seq",
      previewId,
    );
    const last = rows.at(-1);
    return previewStatusIn(rows, {
      decidedAt: last === undefined ? 0 : countIn(last, 'seq'),
      changeId: this.changeOf(previewId),
    });
  }

  /** Answers the change that applies the preview or has applied it. */
  changeOf(previewId: string): string | undefined {
    const row = this.#database.get(
      `SELECT change_id FROM trail AS begun
       WHERE preview = ? AND action = 'commit' AND outcome = 'intent' AND (
         NOT EXISTS (SELECT 1 FROM trail AS ended WHERE ended.change_id = begun.change_id AND ended.outcome = 'rolled_back')
         OR EXISTS (SELECT 1 FROM trail AS ended WHERE ended.change_id = begun.change_id AND ended.outcome IN ('applied', 'unknown')))
       ORDER BY seq DESC LIMIT 1`,
      previewId,
    );
    return optionalTextIn(row, 'change_id');
  }

  /** True where the preview was rejected or replaced, so that it can no longer be applied. */
  isClosed(previewId: string): boolean {
    const select = "SELECT 1 FROM trail WHERE preview = ? AND action IN ('reject', 'replace') LIMIT 1";
    return this.#database.get(select, previewId) !== undefined;
  }
}
