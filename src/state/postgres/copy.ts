// Reads the records of a PostgreSQL state for a copy. It also fills a state with the rows of another, which only the owner of the
// schema can do.
import type { ReadRecords, RecordRow } from '../pages.ts';
import { countIn } from '../rows.ts';
import type { Identity, KeptRow } from '../store.ts';
import type { PostgresDatabase, RunStatement } from './driver.ts';
import { arrayOf, type Statements, textsIn, textsOf } from './statements.ts';

const TIMEOUT_MS = 600_000;

/** Answers the previews or changes after a position, with their texts. */
export async function recordsAfter(
  statements: Statements,
  ...[kind, position, limit]: Parameters<ReadRecords>
): Promise<readonly RecordRow[]> {
  const { schema } = statements;
  const rows = await statements.read(
    `SELECT position, id, record, ${kind === 'preview' ? '' : 'exact, ended,'}
       ${schema}.texts_used_by(id) AS texts
     FROM ${schema}.${kind}s WHERE position > $4 ORDER BY position LIMIT $5`,
    ...[position, limit],
  );
  return rows.map((row) => ({ row, texts: textsIn(row) }));
}

/** Fills the state. Throws a plain Error where it is not empty. */
export async function fill(
  database: PostgresDatabase,
  schema: string,
  { id, maskingKey }: Identity,
  rows: AsyncIterable<readonly KeptRow[]>,
): Promise<void> {
  await database.transaction(async (run) => {
    const tables = ['trail', 'previews', 'changes'].map(
      (table) => `(SELECT count(*) FROM ${schema}.${table})`,
    );
    const [kept] = await run(`SELECT ${tables.join(' + ')} AS count`);
    if (countIn(kept, 'count') > 0) throw new Error('The state that is copied to is not empty');
    await run(`DELETE FROM ${schema}.identity WHERE name IN ('id', 'masking key')`);
  });
  for await (const piece of rows)
    await database.transaction((run) => insertAll(run, schema, piece), TIMEOUT_MS);
  await database.transaction(async (run) => {
    await run(
      `UPDATE ${schema}.head SET (seq, sha256) = (SELECT seq, sha256 FROM ${schema}.trail ORDER BY seq DESC LIMIT 1)
       WHERE EXISTS (SELECT FROM ${schema}.trail)`,
    );
    await run(`INSERT INTO ${schema}.identity (name, value) VALUES ('id', $1), ('masking key', $2)`, [
      id,
      maskingKey,
    ]);
  });
}

async function insertAll(run: RunStatement, schema: string, piece: readonly KeptRow[]): Promise<void> {
  await run(`SET LOCAL search_path = ${schema}`);
  const trail = piece.flatMap((kept) => (kept.kind === 'trail' ? [kept.row] : []));
  const column = (of: (row: (typeof trail)[number]) => string) => arrayOf(trail.map(of));
  if (trail.length > 0)
    await run(
      'INSERT INTO trail (seq, prev, sha256, record) SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[])',
      [
        column(({ seq }) => `${seq}`),
        column(({ prev }) => prev),
        column((row) => row.sha256),
        column((row) => row.record),
      ],
    );
  for (const kept of piece) {
    if (kept.kind === 'trail') continue;
    const { id, line, sizeBytes } = kept.record;
    if (kept.kind === 'preview')
      await run('SELECT add_preview($1, $2, $3, texts_of($4, $5))', [
        id,
        line,
        sizeBytes,
        ...textsOf(kept.record),
      ]);
    else {
      const { exact = null, ended = null } = kept.record;
      const values = [id, line, sizeBytes, exact, ...textsOf(kept.record)];
      await run('SELECT add_change($1, $2, $3, $4, texts_of($5, $6))', values);
      await run('UPDATE changes SET ended = $2 WHERE id = $1', [id, ended]);
    }
  }
}
