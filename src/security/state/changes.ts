// The changes of the roots that are served. Which of them are applied, and which were undone, the trail says.
import type { KeptChange, ListedChange, StateStore } from '../../state/index.ts';
import { type RemovedText, removedText } from '../secrets/removed-text.ts';

const LISTED_AT_ONCE = 50;

export class Changes {
  readonly #store: StateStore;
  readonly #roots: string;

  constructor(store: StateStore, roots: string) {
    this.#store = store;
    this.#roots = roots;
  }

  /** By its id, short or full. Undefined where none of these roots has it. */
  async find(name: string): Promise<KeptChange | undefined> {
    const change = await this.#store.findChange(name);
    return change?.roots === this.#roots ? change : undefined;
  }

  /** Newest first, as many as are asked for. */
  async *newestFirst(): AsyncGenerator<ListedChange> {
    let before: number | undefined;
    for (;;) {
      const scope = { roots: this.#roots, most: LISTED_AT_ONCE };
      const listed = await this.#store.listChanges(before === undefined ? scope : { ...scope, before });
      yield* listed;
      before = listed.at(-1)?.order;
      if (before === undefined) return;
    }
  }

  /** What the change has removed from the file that was masked, for a person who undoes it. */
  async removedFrom(id: string, file: string): Promise<RemovedText> {
    const exact = (await this.#store.exactFilesOf(id)) ?? [];
    return removedText(exact.flatMap((one) => (one.file === file ? one.removed : [])));
  }
}
