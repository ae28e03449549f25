// Opens a state in a PostgreSQL database: connects, updates the schema where needed, and checks the end of the trail and the
// recorded changes.
import { CHECKED_AT_START, isWholeEnd } from '../chain.ts';
import { StateFault } from '../fault.ts';
import { trailPointIn, trailRowIn } from '../kept.ts';
import type { StateStore } from '../store.ts';
import { databaseOf } from './driver.ts';
import type { PostgresOptions } from './options.ts';
import { PostgresStore } from './postgres-store.ts';
import { migrate, SCHEMA, schemaNamed } from './schema.ts';
import { rowsShape, Statements } from './statements.ts';
import { targetOf } from './target.ts';

/** Opens the state. Throws a plain Error for bad options, and StateFault for faults of the server or the state. */
export async function open(options: PostgresOptions): Promise<StateStore> {
  const target = targetOf(options);
  const schema = schemaNamed(target.schema ?? SCHEMA);
  const database = await databaseOf(target, options);
  try {
    const identity = await migrate(database, schema);
    const statements = new Statements(database, schema);
    const store = new PostgresStore(identity, database, statements);
    if (options.evenDamaged) return store;
    await requireWholeEnd(statements);
    if ((await store.unrecordedChanges()).length > 0) throw new StateFault('damaged');
    return store;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Throws StateFault unless the last records are a whole chain. */
async function requireWholeEnd(statements: Statements): Promise<void> {
  const s = statements.schema;
  const [row = {}] = await statements.read(
    `SELECT seq, sha256, (SELECT json_agg(last ORDER BY last.seq) FROM (
       SELECT seq, prev, sha256, record FROM ${s}.trail ORDER BY trail.seq DESC LIMIT $4) AS last) AS rows
     FROM ${s}.head`,
    CHECKED_AT_START,
  );
  const head = trailPointIn(row);
  const rows = rowsShape.parse(row['rows'] ?? []).map(trailRowIn);
  if (!isWholeEnd(rows, head)) throw new StateFault('damaged');
  statements.remember(head);
}
