// The tables of a state, in SQL that both databases understand.
import { randomHex } from './canonical.ts';
import { type Rows, StateFault, textIn } from './driver.ts';

const VERSION = '1';

/**
 * Returns the statements that make the tables, and the identity of a new state, where there is none. All times have one form, so that
 * they compare as text. A number is that of a row in
 * SQLite, and has 32 bits in PostgreSQL: enough for two thousand million events.
 */
export function newTables(): string {
  return `
    CREATE TABLE IF NOT EXISTS identity (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    -- Only the body is hashed. By the other columns an event is found; about is the short id of the preview.
    CREATE TABLE IF NOT EXISTS trail (seq INTEGER PRIMARY KEY, prev TEXT NOT NULL, sha256 TEXT NOT NULL, type TEXT NOT NULL,
      about TEXT, notice TEXT, body TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS trail_about ON trail (about, seq) WHERE about IS NOT NULL;
    CREATE UNIQUE INDEX IF NOT EXISTS trail_notice ON trail (notice) WHERE notice IS NOT NULL;
    -- A preview has the number of the event by which it was kept. The columns state and begun follow the trail, for lists and limits.
    CREATE TABLE IF NOT EXISTS previews (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, state TEXT NOT NULL, begun INTEGER,
      roots TEXT NOT NULL, policy TEXT NOT NULL, approval TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT NOT NULL,
      size INTEGER NOT NULL, body TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS previews_waiting ON previews (roots, approval, created_at, size) WHERE state = 'waiting';
    CREATE INDEX IF NOT EXISTS previews_begun ON previews (begun, state, size) WHERE begun IS NOT NULL;
    -- The masked bases of the files of a preview, as a list in JSON, because a database may end a text at the first NUL.
    CREATE TABLE IF NOT EXISTS texts (seq INTEGER PRIMARY KEY REFERENCES previews (seq) ON DELETE CASCADE, bases TEXT NOT NULL);
    INSERT INTO identity (name, value)
      VALUES ('version', '${VERSION}'), ('id', '${randomHex(16)}'), ('masking key', '${randomHex(32)}')
      ON CONFLICT (name) DO NOTHING;`;
}

export interface Identity {
  /** An id that no other state has. */
  readonly id: string;
  /** The key for the fingerprints of masked values. It never leaves this program in any form. */
  readonly maskingKey: string;
}

export async function readIdentity(rows: Rows): Promise<Identity> {
  const found = new Map(
    (await rows('SELECT name, value FROM identity')).map((row) => [
      textIn(row, 'name'),
      textIn(row, 'value'),
    ]),
  );
  const [version, id, maskingKey] = ['version', 'id', 'masking key'].map((name) => found.get(name));
  if (version === undefined || id === undefined || maskingKey === undefined) throw new StateFault('damaged');
  if (version !== VERSION) throw new StateFault('newer');
  return { id, maskingKey };
}
