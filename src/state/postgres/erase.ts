// Erases the texts and secrets of old changes: first the rows, then their bytes in the tables. Copies in the server's write-ahead log,
// archives, replicas and backups stay until those are removed.
import { encodeTrailRecord } from '../chain.ts';
import { StateFault } from '../fault.ts';
import { trailPointIn } from '../kept.ts';
import type { TrailRecord } from '../records/trail-record.ts';
import { countIn } from '../rows.ts';
import type { PostgresDatabase } from './driver.ts';
import { arrayOf, type Statements } from './statements.ts';

const TIMEOUT_MS = 600_000;

/** Erases, and answers how many records. Throws StateFault unless the account owns the schema, because nobody else may rewrite the tables. */
export async function erase(
  database: PostgresDatabase,
  statements: Statements,
  schema: string,
  { before, record }: { readonly before: string; readonly record: TrailRecord },
): Promise<number> {
  const [owner] = await database.rows(
    "SELECT pg_has_role(relowner, 'USAGE') AS is_owner FROM pg_class WHERE oid = $1::regclass",
    [`${schema}.changes`],
  );
  if (owner?.['is_owner'] !== true)
    throw new StateFault('unreachable', new Error('only the owner of the schema can erase'));
  // The count is put into the record where the rows are counted.
  const [start = '', end = ''] = encodeTrailRecord({ ...record, count: 0 }).split(/(?<="count":)0/u);
  const row = await statements.call('erase_before', '$4, $5', before, arrayOf([start, end]));
  statements.remember(trailPointIn(row));
  await database.rows(
    `VACUUM (FULL) ${['changes', 'previews', 'text_uses', 'texts'].map((table) => `${schema}.${table}`).join(', ')}`,
    [],
    TIMEOUT_MS,
  );
  return countIn(row, 'erased');
}
