// Keeps the texts that previews and changes have read, each once. Triggers remove a text with the last record that uses it.
import type { EncodedRecord } from '../codec.ts';
import { bytesIn, textIn } from '../rows.ts';
import type { SqliteDatabase } from './driver.ts';

/** Adds the texts of a preview or a change. */
export function addTexts(database: SqliteDatabase, { id, texts }: Pick<EncodedRecord, 'id' | 'texts'>): void {
  for (const [sha256, text] of texts) {
    // This check is needed because most texts are long, and are kept already.
    if (database.get('SELECT 1 FROM texts WHERE sha256 = ?', sha256) === undefined)
      database.run('INSERT INTO texts (sha256, bytes) VALUES (?, ?)', sha256, Buffer.from(text));
    const insert = 'INSERT INTO text_uses (used_by, sha256, size) VALUES (?, ?, ?)';
    database.run(insert, id, sha256, Buffer.byteLength(text));
  }
}

export function textOf(database: SqliteDatabase, sha256: string): string | undefined {
  const row = database.get('SELECT bytes FROM texts WHERE sha256 = ?', sha256);
  return row && bytesIn(row, 'bytes');
}

/** Answers the texts of a preview or a change by their hash. A text that is missing is empty here, and fails the check of its hash. */
export function textsUsedBy(database: SqliteDatabase, id: string): ReadonlyMap<string, string> {
  const uses = database.all('SELECT sha256 FROM text_uses WHERE used_by = ?', id);
  // The texts are read one by one, because reading all rows at once gives bytes another type.
  return new Map(
    uses.map((use) => textIn(use, 'sha256')).map((sha256) => [sha256, textOf(database, sha256) ?? '']),
  );
}
