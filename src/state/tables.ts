// The tables of a state, in SQL that both databases understand.
import { randomHex } from './canonical-json.ts';
import { SHORT_LENGTH } from './content-id.ts';
import type { Rows } from './driver.ts';
import { StateFault } from './fault.ts';
import { textIn } from './rows.ts';

const VERSION = '1';

/** All times have one form, so that they compare as text. `state` and `begun` follow the trail, and are for lists and limits. */
const TABLES: readonly string[] = [
  'CREATE TABLE IF NOT EXISTS identity (name TEXT PRIMARY KEY, value TEXT NOT NULL)',
  `CREATE TABLE IF NOT EXISTS trail (seq BIGINT PRIMARY KEY, prev TEXT NOT NULL, sha256 TEXT NOT NULL, type TEXT NOT NULL,
     about TEXT, notice TEXT UNIQUE, body TEXT NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS trail_about ON trail (substr(about, 1, ${SHORT_LENGTH}), seq) WHERE about IS NOT NULL`,
  `CREATE TABLE IF NOT EXISTS previews (id TEXT PRIMARY KEY, state TEXT NOT NULL, begun BIGINT, roots TEXT NOT NULL,
     policy TEXT NOT NULL, approval TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT NOT NULL,
     size BIGINT NOT NULL, body TEXT NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS previews_short ON previews (substr(id, 1, ${SHORT_LENGTH}))`,
  'CREATE INDEX IF NOT EXISTS previews_state ON previews (state, roots, approval, created_at, size)',
  'CREATE INDEX IF NOT EXISTS previews_begun ON previews (begun) WHERE begun IS NOT NULL',
  // The masked bases of the files of a preview. They are JSON, because a database may end a text at the first NUL.
  `CREATE TABLE IF NOT EXISTS texts (id TEXT NOT NULL REFERENCES previews (id) ON DELETE CASCADE, position INTEGER NOT NULL,
     text TEXT NOT NULL, PRIMARY KEY (id, position))`,
];

export async function createTables(rows: Rows): Promise<void> {
  for (const table of TABLES) await rows(table);
  const insert = 'INSERT INTO identity (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING';
  for (const [name, value] of [
    ['version', VERSION],
    ['id', randomHex(16)],
    ['masking key', randomHex(32)],
  ] as const)
    await rows(insert, name, value);
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
