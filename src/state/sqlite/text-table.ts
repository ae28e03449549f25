// Keeps the texts that previews and changes have read, each once. Triggers remove a text with the last record that uses it.
import type { EncodedRecord } from '../codec.ts';
import { bytesIn } from '../rows.ts';
import type { SqliteDatabase } from './driver.ts';

/** Adds the texts of a preview or a change. */
export function addTexts(database: SqliteDatabase, { id, texts }: Pick<EncodedRecord, 'id' | 'texts'>): void {
  for (const [sha256, { sizeBytes, read }] of texts) {
    // This check is needed because most texts are long, and are kept already.
    if (database.get('SELECT 1 FROM texts WHERE sha256 = ?', sha256) === undefined)
      database.run('INSERT INTO texts (sha256, bytes) VALUES (?, ?)', sha256, Buffer.from(read()));
    const insert = 'INSERT INTO text_uses (used_by, sha256, size) VALUES (?, ?, ?)';
    database.run(insert, id, sha256, sizeBytes);
  }
}

export function textOf(database: SqliteDatabase, sha256: string): Uint8Array | undefined {
  const row = database.get('SELECT bytes FROM texts WHERE sha256 = ?', sha256);
  return row && bytesIn(row, 'bytes');
}
