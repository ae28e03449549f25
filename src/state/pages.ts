// Reads the trail in pages, so that only one page at a time is in memory.
import type { TrailRow } from './chain.ts';
import type { Store } from './store.ts';

const TRAIL_ROWS_PER_PAGE = 1_000;

/** Yields the rows of the trail after this number, in order. */
export async function* trailPages(
  store: Pick<Store, 'trailAfter'>,
  after = 0,
): AsyncGenerator<readonly TrailRow[]> {
  for (let seq = after; ; ) {
    const rows = await store.trailAfter(seq, TRAIL_ROWS_PER_PAGE);
    yield rows;
    if (rows.length < TRAIL_ROWS_PER_PAGE) return;
    seq = rows.at(-1)?.seq ?? seq;
  }
}
