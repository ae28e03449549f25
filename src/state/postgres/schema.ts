// Updates a schema of the database to this version, once, by the first process. If the account lacks the rights for that, the fault says
// that the owner has to do it.
import { randomHex } from '../canonical-json.ts';
import { StateFault } from '../fault.ts';
import { type Row, textIn } from '../rows.ts';
import type { Identity } from '../store.ts';
import type { PostgresDatabase, RunStatement } from './driver.ts';
import { versionOne, versionTwo } from './sql/index.ts';
import { TRUE_TEXTS } from './sql/tables.ts';

/** The migrations. Each leads to the version that is its position in this list, counted from 1. A server of another version stops. */
const MIGRATIONS: readonly ((schema: string) => string)[] = [versionOne, versionTwo, () => TRUE_TEXTS];

/** The default name of the schema. */
export const SCHEMA = 'config_airlock';

export const VERSION = MIGRATIONS.length;
/** The oldest version of PostgreSQL that has generated columns. */
const OLDEST_SERVER = 120_000;

/** Quotes the name of a schema. Throws a plain Error for a name that would need escapes everywhere. */
export function schemaNamed(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,50}$/u.test(name) || name.startsWith('pg_'))
    throw new Error('The name of a schema is made of small letters, digits and _');
  return `"${name}"`;
}

/**
 * Updates the schema, and answers the identity of the state. Throws StateFault for a newer version, and where the account may
 * not update an older one.
 */
export async function migrate(database: PostgresDatabase, schema: string): Promise<Identity> {
  const version = await versionOf(database.rows.bind(database), schema);
  if (version > VERSION) throw new StateFault('newer');
  if (version < VERSION) await upgrade(database, schema);
  const rows = await database.rows(`SELECT name, value FROM ${schema}.identity`);
  const value = (name: string) => {
    const row = rows.find((one) => one['name'] === name);
    if (row === undefined) throw new StateFault('damaged');
    return textIn(row, 'value');
  };
  return { id: value('id'), maskingKey: value('masking key') };
}

async function upgrade(database: PostgresDatabase, schema: string): Promise<void> {
  const [server] = await database.rows(
    "SELECT current_setting('server_version_num')::integer AS version, current_setting('server_encoding') AS encoding",
  );
  if (Number(server?.['version']) < OLDEST_SERVER) throw unusableServer('PostgreSQL 12 or later is needed');
  if (server?.['encoding'] !== 'UTF8') throw unusableServer('the encoding of the database is not UTF8');
  await database.transaction(async (rows) => {
    await rows("SELECT pg_advisory_xact_lock(hashtext('config-airlock'))");
    for (let version = await versionOf(rows, schema); version < VERSION; version += 1) {
      if (version === 0) await rows(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      await rows(`SET LOCAL search_path = ${schema}`);
      await rows(MIGRATIONS[version]?.(schema) ?? '');
      if (version === 0)
        await rows(
          "INSERT INTO identity (name, value) VALUES ('id', $1), ('masking key', $2), ('version', '0')",
          [randomHex(16), randomHex(32)],
        );
      await rows("UPDATE identity SET value = $1 WHERE name = 'version'", [`${version + 1}`]);
    }
  });
}

/** Answers the version; 0 where there is no state yet. */
async function versionOf(rows: RunStatement, schema: string): Promise<number> {
  // `to_regclass` is not used, because within a transaction it does not see what another one has just made.
  const found = await rows(
    `SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE relname = 'identity' AND '"' || nspname || '"' = $1`,
    [schema],
  );
  if (found.length === 0) return 0;
  const [version] = await rows(
    `SELECT value::integer AS version FROM ${schema}.identity WHERE name = 'version'`,
  );
  return versionIn(version);
}

function versionIn(row: Row | undefined): number {
  const value = row?.['version'];
  if (typeof value !== 'number') throw new StateFault('damaged');
  return value;
}

function unusableServer(why: string): StateFault {
  return new StateFault('unreachable', new Error(why));
}
