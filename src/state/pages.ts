// Reads all that a store keeps in pages, so that only one page at a time is in memory.
import type { TrailRow } from './chain.ts';
import { keptRowIn } from './kept.ts';
import { countIn, type Row } from './rows.ts';
import type { KeptRow, StateStore } from './store.ts';

const TRAIL_ROWS_PER_PAGE = 1_000;
/** The number is small, because each record may have texts of megabytes. */
const RECORDS_PER_PAGE = 20;

/** A row of a preview or a change with its columns `position`, `id`, `record`, `exact` and `ended`, and its texts by their hash. */
export interface RecordRow {
  readonly row: Row;
  readonly texts: ReadonlyMap<string, string>;
}

/** Answers at most `limit` rows after a position, in order. */
export type ReadRecords = (
  kind: 'preview' | 'change',
  position: number,
  limit: number,
) => Promise<readonly RecordRow[]>;

/** Yields the rows of the trail after this number, in order. */
export async function* trailPages(
  store: Pick<StateStore, 'trailAfter'>,
  after = 0,
): AsyncGenerator<readonly TrailRow[]> {
  for (let seq = after; ; ) {
    const rows = await store.trailAfter(seq, TRAIL_ROWS_PER_PAGE);
    yield rows;
    if (rows.length < TRAIL_ROWS_PER_PAGE) return;
    seq = rows.at(-1)?.seq ?? seq;
  }
}

/** Yields the trail, then the previews and the changes. Throws StateFault for a record that does not have the hash in its id. */
export async function* allPages(
  store: Pick<StateStore, 'trailAfter'>,
  readRecords: ReadRecords,
): AsyncGenerator<readonly KeptRow[]> {
  for await (const rows of trailPages(store)) yield rows.map((row) => ({ kind: 'trail', row }) as const);
  for (const kind of ['preview', 'change'] as const)
    for (let position = 0; ; ) {
      const found = await readRecords(kind, position, RECORDS_PER_PAGE);
      yield found.map(({ row, texts }) => keptRowIn(kind, row, texts));
      if (found.length < RECORDS_PER_PAGE) break;
      position = countIn(found.at(-1)?.row, 'position');
    }
}
