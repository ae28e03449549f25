// Reads all rows of a PostgreSQL state, and fills a state with those of another, which only the owner of the schema can do.
import { keptAs } from '../codec.ts';
import { StateFault } from '../fault.ts';
import { trailRowIn } from '../kept.ts';
import { countIn, optionalTextIn, type Row, textIn } from '../rows.ts';
import type { KeptRow } from '../store.ts';
import type { PostgresDatabase, RunStatement } from './driver.ts';
import type { Identity } from './schema.ts';
import { arrayOf, type Statements, textsIn, textsOf } from './statements.ts';

const RECORDS = 1_000;
/** The number of other rows at once, each of which may have texts of megabytes. */
const OTHERS = 20;
const PATIENCE_MS = 600_000;

/** Yields all rows in pieces; each piece is read in one moment. */
export async function* rowsOf(statements: Statements, schema: string): AsyncIterable<readonly KeptRow[]> {
  for (let seq = 0; ; ) {
    const rows = (
      await statements.read(
        `SELECT seq, prev, sha256, record FROM ${schema}.trail WHERE seq > $4 ORDER BY seq LIMIT $5`,
        ...[seq, RECORDS],
      )
    ).map(trailRowIn);
    yield rows.map((row) => ({ kind: 'trail', row }) as const);
    if (rows.length < RECORDS) break;
    seq = rows.at(-1)?.seq ?? seq;
  }
  for (const kind of ['preview', 'change'] as const) {
    for (let position = 0; ; ) {
      const rows = await statements.read(
        `SELECT position, id, record, ${kind === 'preview' ? '' : 'exact, ended,'}
           ${schema}.texts_used_by(id) AS texts
         FROM ${schema}.${kind}s WHERE position > $4 ORDER BY position LIMIT $5`,
        ...[position, OTHERS],
      );
      yield rows.map((row) => keptIn(kind, row));
      if (rows.length < OTHERS) break;
      position = countIn(rows.at(-1), 'position');
    }
  }
}

function keptIn(kind: 'preview' | 'change', row: Row): KeptRow {
  const record = keptAs(textIn(row, 'id'), textIn(row, 'record'), textsIn(row));
  if (record === undefined) throw new StateFault('damaged');
  if (kind === 'preview') return { kind, record };
  const ended = row['ended'] === null ? undefined : countIn(row, 'ended');
  return { kind, record: { ...record, exact: optionalTextIn(row, 'exact'), ended } };
}

/** Fills the state. Throws a plain Error where it is not empty. */
export async function become(
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
    await database.transaction((run) => addAll(run, schema, piece), PATIENCE_MS);
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

async function addAll(run: RunStatement, schema: string, piece: readonly KeptRow[]): Promise<void> {
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
