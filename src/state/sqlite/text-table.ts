// The texts that previews and changes have read, each kept once, as long as one of them needs it.
import type { Encoded } from '../codec.ts';
import { optionalTextIn } from './columns.ts';
import type { SqliteDatabase } from './driver.ts';

const LINKS = {
  preview: 'INSERT INTO preview_texts (preview, sha256) VALUES (?, ?)',
  change: 'INSERT INTO change_texts (change_id, sha256) VALUES (?, ?)',
} as const;

/** Adds the texts of a record that has been added before. */
export function addTexts(
  database: SqliteDatabase,
  kind: keyof typeof LINKS,
  { id, texts }: Pick<Encoded, 'id' | 'texts'>,
): void {
  for (const [sha256, text] of texts) {
    const insert = 'INSERT OR IGNORE INTO texts (sha256, text, size) VALUES (?, ?, ?)';
    database.run(insert, sha256, text, Buffer.byteLength(text));
    database.run(LINKS[kind], id, sha256);
  }
}

export function textOf(database: SqliteDatabase, sha256: string): string | undefined {
  return optionalTextIn(database.get('SELECT text FROM texts WHERE sha256 = ?', sha256), 'text');
}

/** Removes those that no record needs any more. */
export function dropUnusedTexts(database: SqliteDatabase): void {
  database.run(
    `DELETE FROM texts WHERE NOT EXISTS (SELECT 1 FROM preview_texts AS p WHERE p.sha256 = texts.sha256)
       AND NOT EXISTS (SELECT 1 FROM change_texts AS c WHERE c.sha256 = texts.sha256)`,
  );
}
