// Reads the records of an SQLite state for a copy, and fills a state with the rows of another.
import type { ReadRecords, RecordRow } from '../pages.ts';
import { textIn } from '../rows.ts';
import type { Identity, KeptRow } from '../store.ts';
import type { SqliteDatabase } from './driver.ts';
import { addTexts, textsUsedBy } from './text-table.ts';

const SELECTS = {
  preview: 'SELECT rowid AS position, id, record FROM previews WHERE rowid > ? ORDER BY rowid LIMIT ?',
  change:
    'SELECT position, id, record, exact, ended FROM changes WHERE position > ? ORDER BY position LIMIT ?',
} as const;

/** Answers the previews or changes after a position, with their texts. */
export function recordsAfter(
  database: SqliteDatabase,
  ...[kind, position, limit]: Parameters<ReadRecords>
): readonly RecordRow[] {
  return database
    .all(SELECTS[kind], position, limit)
    .map((row) => ({ row, texts: textsUsedBy(database, textIn(row, 'id')) }));
}

/** Fills the state. Throws a plain Error where it is not empty. */
export async function fill(
  database: SqliteDatabase,
  { id, maskingKey }: Identity,
  rows: AsyncIterable<readonly KeptRow[]>,
): Promise<void> {
  database.writing(true, () => {
    for (const table of ['trail', 'previews', 'changes'])
      if (database.get(`SELECT 1 FROM ${table} LIMIT 1`) !== undefined)
        throw new Error('The state that is copied to is not empty');
    database.run('DELETE FROM identity');
  });
  for await (const piece of rows)
    database.writing(false, () => {
      for (const kept of piece) insert(database, kept);
    });
  database.writing(true, () => {
    const insert = 'INSERT INTO identity (name, value) VALUES (?, ?)';
    database.run(insert, 'id', id);
    database.run(insert, 'masking key', maskingKey);
  });
}

function insert(database: SqliteDatabase, kept: KeptRow): void {
  if (kept.kind === 'trail') {
    const { seq, prev, sha256, record } = kept.row;
    const insert = 'INSERT INTO trail (seq, prev, sha256, record) VALUES (?, ?, ?, ?)';
    database.run(insert, seq, prev, sha256, record);
    return;
  }
  const { id, line, sizeBytes } = kept.record;
  if (kept.kind === 'preview')
    database.run('INSERT INTO previews (id, record, size) VALUES (?, ?, ?)', id, line, sizeBytes);
  else {
    const { exact = null, ended = null } = kept.record;
    const insert = 'INSERT INTO changes (id, record, exact, size, ended) VALUES (?, ?, ?, ?, ?)';
    database.run(insert, id, line, exact, sizeBytes, ended);
  }
  addTexts(database, kept.record);
}
