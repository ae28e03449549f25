// Defines the tables of an SQLite state. Each fact is stored once: generated columns read it from the text of the record, and cannot
// contradict it. `user_version` is the version of the schema.
import { randomHex } from '../canonical-json.ts';
import { StateFault } from '../fault.ts';
import type { Identity } from '../store.ts';
import type { SqliteDatabase } from './driver.ts';

const MIGRATIONS: readonly string[] = [
  `
CREATE TABLE identity (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- The texts that records have read, each kept once, as long as a record uses it.
CREATE TABLE texts (sha256 TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;

-- used_by: the id of a preview or a change. size: of the text, in bytes.
CREATE TABLE text_uses (
  used_by TEXT NOT NULL,
  sha256 TEXT NOT NULL REFERENCES texts (sha256),
  size INTEGER NOT NULL,
  PRIMARY KEY (used_by, sha256)
) STRICT, WITHOUT ROWID;
CREATE INDEX text_uses_by_text ON text_uses (sha256);
CREATE TRIGGER text_unused AFTER DELETE ON text_uses BEGIN
  DELETE FROM texts WHERE sha256 = OLD.sha256
    AND NOT EXISTS (SELECT 1 FROM text_uses WHERE sha256 = OLD.sha256);
END;

-- What is long comes last: SQLite reads a row from its beginning.
CREATE TABLE previews (
  id TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  roots TEXT GENERATED ALWAYS AS (record ->> '$.roots') STORED,
  policy TEXT GENERATED ALWAYS AS (record ->> '$.policy') STORED,
  approval TEXT GENERATED ALWAYS AS (record ->> '$.approval') STORED,
  is_for_person INTEGER GENERATED ALWAYS AS (record ->> '$.approval' = 'human') STORED,
  created_at TEXT GENERATED ALWAYS AS (record ->> '$.created_at') STORED,
  expires_at TEXT GENERATED ALWAYS AS (record ->> '$.expires_at') STORED,
  record TEXT NOT NULL
) STRICT;
-- All but the record, for lists and sums.
CREATE INDEX previews_by_kind ON previews (roots, is_for_person, size, id, policy, approval, created_at, expires_at);
CREATE INDEX previews_by_expiry ON previews (expires_at);
CREATE TRIGGER preview_texts AFTER DELETE ON previews BEGIN
  DELETE FROM text_uses WHERE used_by = OLD.id;
END;

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
  size INTEGER NOT NULL,
  ended INTEGER REFERENCES trail (seq),
  roots TEXT GENERATED ALWAYS AS (record ->> '$.roots') STORED,
  at TEXT GENERATED ALWAYS AS (record ->> '$.at') STORED,
  reverts TEXT GENERATED ALWAYS AS (record ->> '$.origin.change_id') STORED,
  record TEXT NOT NULL,
  exact TEXT
) STRICT;
CREATE INDEX changes_by_roots ON changes (roots, position);
CREATE INDEX changes_by_size ON changes (position, size);
CREATE INDEX changes_open ON changes (id) WHERE ended IS NULL;
CREATE INDEX changes_by_reverted ON changes (reverts) WHERE reverts IS NOT NULL;
CREATE TRIGGER change_texts AFTER DELETE ON changes BEGIN
  DELETE FROM text_uses WHERE used_by = OLD.id;
END;
`,
  `
ALTER TABLE trail ADD COLUMN notice TEXT GENERATED ALWAYS AS (record ->> '$.notice') VIRTUAL;
CREATE INDEX trail_by_notice ON trail (notice) WHERE notice IS NOT NULL;
`,
];

/**
 * Updates the schema to this version; several processes may try at once. Throws StateFault for a newer version, and for a file
 * that holds something else.
 */
export function migrate(database: SqliteDatabase): Identity {
  database.reading(() => {
    const isForeign = versionOf(database) === 0 && database.get('SELECT 1 FROM sqlite_schema') !== undefined;
    if (isForeign) throw new StateFault('damaged');
    if (versionOf(database) > MIGRATIONS.length) throw new StateFault('newer');
  });
  database.exec('PRAGMA journal_mode = WAL');
  if (versionOf(database) < MIGRATIONS.length)
    database.writing(true, () => {
      for (const [index, sql] of MIGRATIONS.entries())
        if (versionOf(database) === index) apply(database, sql, index);
    });
  requireVersion(database);
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

/** Throws StateFault where a later version of this program has changed the schema, also while this one runs. */
export function requireVersion(database: SqliteDatabase): void {
  const version = versionOf(database);
  if (version !== MIGRATIONS.length) throw new StateFault(version > MIGRATIONS.length ? 'newer' : 'replaced');
}

function versionOf(database: SqliteDatabase): number {
  return Number(database.get('PRAGMA user_version')?.['user_version'] ?? 0);
}
