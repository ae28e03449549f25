// The tables of an SQLite state. Each fact stands once: what a record says is read from its text by generated columns, which
// cannot disagree with it. `user_version` is the version of the schema.
import { randomHex } from '../canonical-json.ts';
import { StateFault } from '../fault.ts';
import type { SqliteDatabase } from './driver.ts';

const MIGRATIONS: readonly string[] = [
  `
CREATE TABLE identity (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE texts (sha256 TEXT PRIMARY KEY, text TEXT NOT NULL, size INTEGER NOT NULL) STRICT;

CREATE TABLE previews (
  id TEXT PRIMARY KEY,
  record TEXT NOT NULL,
  size INTEGER NOT NULL,
  roots TEXT GENERATED ALWAYS AS (record ->> '$.roots') VIRTUAL,
  policy TEXT GENERATED ALWAYS AS (record ->> '$.policy') VIRTUAL,
  approval TEXT GENERATED ALWAYS AS (record ->> '$.approval') VIRTUAL,
  is_for_person INTEGER GENERATED ALWAYS AS (record ->> '$.approval' = 'human') VIRTUAL,
  created_at TEXT GENERATED ALWAYS AS (record ->> '$.created_at') VIRTUAL,
  expires_at TEXT GENERATED ALWAYS AS (record ->> '$.expires_at') VIRTUAL
) STRICT;
CREATE INDEX previews_by_kind ON previews (roots, is_for_person, created_at, expires_at, size);
CREATE INDEX previews_by_expiry ON previews (expires_at);

CREATE TABLE preview_texts (
  preview TEXT NOT NULL REFERENCES previews (id) ON DELETE CASCADE,
  sha256 TEXT NOT NULL REFERENCES texts (sha256),
  PRIMARY KEY (preview, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX preview_texts_by_text ON preview_texts (sha256);

CREATE TABLE trail (
  seq INTEGER PRIMARY KEY,
  prev TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  record TEXT NOT NULL,
  action TEXT GENERATED ALWAYS AS (record ->> '$.action') VIRTUAL,
  outcome TEXT GENERATED ALWAYS AS (record ->> '$.outcome') VIRTUAL,
  preview TEXT GENERATED ALWAYS AS (record ->> '$.preview') VIRTUAL,
  change_id TEXT GENERATED ALWAYS AS (record ->> '$.change_id') VIRTUAL
) STRICT;
CREATE INDEX trail_by_preview ON trail (preview, action, outcome) WHERE preview IS NOT NULL;
CREATE INDEX trail_by_change ON trail (change_id, outcome) WHERE change_id IS NOT NULL;

CREATE TABLE changes (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  record TEXT NOT NULL,
  exact TEXT,
  size INTEGER NOT NULL,
  ended INTEGER REFERENCES trail (seq),
  roots TEXT GENERATED ALWAYS AS (record ->> '$.roots') VIRTUAL,
  at TEXT GENERATED ALWAYS AS (record ->> '$.at') VIRTUAL,
  reverts TEXT GENERATED ALWAYS AS (record ->> '$.origin.change_id') VIRTUAL
) STRICT;
CREATE INDEX changes_by_roots ON changes (roots, position);
CREATE INDEX changes_by_size ON changes (position, size);
CREATE INDEX changes_open ON changes (id) WHERE ended IS NULL;
CREATE INDEX changes_by_reverted ON changes (reverts) WHERE reverts IS NOT NULL;

CREATE TABLE change_texts (
  change_id TEXT NOT NULL REFERENCES changes (id) ON DELETE CASCADE,
  sha256 TEXT NOT NULL REFERENCES texts (sha256),
  PRIMARY KEY (change_id, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX change_texts_by_text ON change_texts (sha256);
`,
];

export interface Identity {
  readonly id: string;
  readonly maskingKey: string;
}

/** Brings the schema up to this version; several processes may try at once. Throws StateFault for a newer one. */
export function migrate(database: SqliteDatabase): Identity {
  if (versionOf(database) < MIGRATIONS.length)
    database.writing(true, () => {
      for (const [index, sql] of MIGRATIONS.entries())
        if (versionOf(database) === index) apply(database, sql, index);
    });
  if (versionOf(database) > MIGRATIONS.length) throw new StateFault('newer');
  const value = (name: string) => {
    const row = database.get('SELECT value FROM identity WHERE name = ?', name);
    if (typeof row?.['value'] !== 'string') throw new StateFault('damaged');
    return row['value'];
  };
  return { id: value('id'), maskingKey: value('masking key') };
}

function apply(database: SqliteDatabase, sql: string, index: number): void {
  database.exec(sql);
  database.exec(`PRAGMA user_version = ${index + 1}`);
  if (index > 0) return;
  const insert = 'INSERT INTO identity (name, value) VALUES (?, ?)';
  database.run(insert, 'id', randomHex(16));
  database.run(insert, 'masking key', randomHex(32));
}

function versionOf(database: SqliteDatabase): number {
  return Number(database.get('PRAGMA user_version')?.['user_version'] ?? 0);
}
