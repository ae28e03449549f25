// Keeps changes in SQLite, the newest ones in a limited number and size. A change is added before its first file is replaced. Its column
// `ended` is the number of the trail record about its end.

import { decodeChange, decodeExact, encodeExact } from '../codec.ts';
import { changeStateIn, listedChangeIn, openChangeIn } from '../kept.ts';
import type { ExactFile } from '../records/change.ts';
import { countIn, optionalTextIn, textIn } from '../rows.ts';
import type { KeptChange, ListedChange, NewChange, OpenChange, StateStore } from '../store.ts';
import { CHANGE_BOUNDS } from '../store.ts';
import type { SqliteDatabase } from './driver.ts';
import { addTexts, textOf } from './text-table.ts';

const COLUMNS = `position, id, record, (SELECT outcome FROM trail WHERE seq = ended) AS outcome,
  (SELECT later.id FROM changes AS later WHERE later.reverts = changes.id AND later.ended IS NOT NULL
   ORDER BY later.position DESC LIMIT 1) AS undone_by`;

export class ChangeTable {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Adds a change; the caller has begun a transaction that writes. */
  add(change: NewChange): void {
    const { id, line, exact, sizeBytes } = change;
    this.#database.run(
      'INSERT INTO changes (id, record, exact, size) VALUES (?, ?, ?, ?)',
      ...[id, line, encodeExact(exact) ?? null, sizeBytes],
    );
    addTexts(this.#database, change);
    this.#makeRoom();
  }

  #makeRoom(): void {
    const row = this.#database.get('SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM changes');
    let [count, bytes] = [countIn(row, 'count'), countIn(row, 'bytes')];
    while (count > CHANGE_BOUNDS.changes || bytes > CHANGE_BOUNDS.totalBytes) {
      const oldest = this.#database.get(
        'SELECT id, size FROM changes WHERE ended IS NOT NULL ORDER BY position LIMIT 1',
      );
      if (oldest === undefined) return;
      this.drop(textIn(oldest, 'id'));
      count -= 1;
      bytes -= countIn(oldest, 'size');
    }
  }

  isOpen(id: string): boolean {
    return this.#database.get('SELECT 1 FROM changes WHERE id = ? AND ended IS NULL', id) !== undefined;
  }

  end(id: string, seq: number): void {
    this.#database.run('UPDATE changes SET ended = ? WHERE id = ?', seq, id);
  }

  /** Removes a change with all that was kept of it. */
  drop(id: string): void {
    this.#database.run('DELETE FROM changes WHERE id = ?', id);
  }

  /** Finds a change by the beginning of its id; undefined for none, or for several. */
  find(prefix: string): KeptChange | undefined {
    const rows = this.#database.all(
      `SELECT ${COLUMNS} FROM changes WHERE id >= ?1 AND id < ?1 || '{' LIMIT 2`,
      prefix,
    );
    const [row, second] = rows;
    if (row === undefined || second !== undefined) return undefined;
    const id = textIn(row, 'id');
    const change = decodeChange(id, textIn(row, 'record'), (sha256) => textOf(this.#database, sha256));
    return change && { ...change, ...changeStateIn(row), id };
  }

  exactFilesOf(id: string): readonly ExactFile[] | undefined {
    return decodeExact(
      optionalTextIn(this.#database.get('SELECT exact FROM changes WHERE id = ?', id), 'exact'),
    );
  }

  list({
    roots,
    before = Number.MAX_SAFE_INTEGER,
    most,
  }: Parameters<StateStore['listChanges']>[0]): readonly ListedChange[] {
    return this.#database
      .all(
        `SELECT ${COLUMNS} FROM changes WHERE roots = ifnull(?, roots) AND position < ? ORDER BY position DESC LIMIT ?`,
        ...[roots ?? null, before, most],
      )
      .flatMap(listedChangeIn);
  }

  open(): readonly OpenChange[] {
    return this.#database
      .all(
        `SELECT id, roots, (SELECT json_group_array(value ->> '$.file') FROM json_each(record, '$.files')) AS files
         FROM changes WHERE ended IS NULL`,
      )
      .map(openChangeIn);
  }

  /** Answers the changes whose `intent` is missing in the trail, and those whose end is another one there. */
  unrecorded(): readonly string[] {
    return this.#database
      .all(
        `SELECT id FROM changes
         WHERE NOT EXISTS (SELECT 1 FROM trail WHERE change_id = changes.id AND outcome = 'intent')
           OR ended IS NOT (SELECT max(seq) FROM trail WHERE change_id = changes.id AND outcome <> 'intent')`,
      )
      .map((row) => textIn(row, 'id'));
  }

  /** Removes the ended changes from before this time, with the texts that only they used. Answers how many. */
  dropBefore(time: string): number {
    const where = 'WHERE ended IS NOT NULL AND at < ?';
    const row = this.#database.get(`SELECT count(*) AS count FROM changes ${where}`, time);
    this.#database.run(`DELETE FROM changes ${where}`, time);
    return countIn(row, 'count');
  }
}
