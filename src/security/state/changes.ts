// Finds and lists the changes of the roots that are served: previews whose write was begun. The trail says which of them are applied, and
// which were undone.
import { changeOf, type KeptChange, type ListedChange } from '../../state/event.ts';
import { isWhole } from '../../state/preview.ts';
import type { Store } from '../../state/store.ts';
import { ALL_ROOTS, isServed } from '../approval/all-roots.ts';

const LISTED_AT_ONCE = 50;

export class Changes {
  readonly #store: Store;
  readonly #roots: string;

  constructor(store: Store, roots: string) {
    this.#store = store;
    this.#roots = roots;
  }

  /** Finds a change of these roots by its short or full id; undefined if there is none. */
  async find(name: string): Promise<KeptChange | undefined> {
    const { id = '', preview, status } = (await this.#store.find(name)) ?? {};
    if (preview === undefined || status === undefined || !isServed(preview, this.#roots)) return undefined;
    return isWhole(preview) ? changeOf(id, preview, status) : undefined;
  }

  /** Returns the next changes before the one of this order, newest first; empty if there are no more. */
  before(order?: number): Promise<readonly ListedChange[]> {
    const roots = this.#roots === ALL_ROOTS ? undefined : this.#roots;
    return this.#store.list({ roots, before: order, most: LISTED_AT_ONCE });
  }
}

/** Yields the changes, newest first; they are read in portions as they are needed. */
export async function* newestFirst(changes: Pick<Changes, 'before'>): AsyncGenerator<ListedChange> {
  let portion = await changes.before();
  while (portion.length > 0) {
    yield* portion;
    portion = await changes.before(portion.at(-1)?.order);
  }
}
