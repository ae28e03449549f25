// Finds and lists the changes of the roots that are served. The trail says which of them are applied, and which were undone.
import type { KeptChange, ListedChange, StateStore } from '../../state/index.ts';
import { ALL_ROOTS, isServed } from '../approval/all-roots.ts';

const LISTED_AT_ONCE = 50;

export class Changes {
  readonly #store: StateStore;
  readonly #roots: string;

  constructor(store: StateStore, roots: string) {
    this.#store = store;
    this.#roots = roots;
  }

  /** Finds a change of these roots by its short or full id; undefined where there is none. */
  async find(name: string): Promise<KeptChange | undefined> {
    const change = await this.#store.findChange(name);
    if (change === undefined || !isServed(change, this.#roots)) return undefined;
    const { undoneBy } = change;
    const undo = undoneBy === undefined ? undefined : await this.#store.findChange(undoneBy);
    return undo !== undefined && isOfPart(undo) ? undoneInPart(change) : change;
  }

  /** Yields the changes, newest first; they are read in portions as they are needed. */
  async *newestFirst(): AsyncGenerator<ListedChange> {
    let before: number | undefined;
    // An undo is newer than what it undoes.
    const ofParts = new Set<string | undefined>();
    for (;;) {
      const roots = this.#roots === ALL_ROOTS ? undefined : this.#roots;
      const scope = { roots, most: LISTED_AT_ONCE };
      const listed = await this.#store.listChanges(before === undefined ? scope : { ...scope, before });
      for (const change of listed) {
        if (isOfPart(change)) ofParts.add(change.id);
        yield ofParts.has(change.undoneBy) ? undoneInPart(change) : change;
      }
      before = listed.at(-1)?.order;
      if (before === undefined) return;
    }
  }
}

function isOfPart({ origin }: Pick<ListedChange, 'origin'>): boolean {
  return origin.kind === 'revert' && origin.part === true;
}

function undoneInPart<Undone extends ListedChange | KeptChange>(change: Undone): Undone {
  return { ...change, undoneBy: undefined, isUndoneInPart: true };
}
