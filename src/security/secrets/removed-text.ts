// The texts that a change has removed where something in them was masked: each as it was shown, and as it really was. A text
// comes back as a whole or not at all. Whoever holds one can read nothing of it.

/** The text that one edit removed. */
export interface Removed {
  readonly shown: string;
  readonly exact: string;
}

const KEY: unique symbol = Symbol('RemovedText');

let exactOf: (removed: RemovedText, shown: string) => string | undefined;

export class RemovedText {
  static {
    exactOf = (removed, shown) => removed.#texts.get(shown);
  }
  readonly #texts: ReadonlyMap<string, string>;

  /** @internal Made by `removedText` only. */
  constructor(key: typeof KEY, texts: readonly Removed[]) {
    if (key !== KEY) throw new TypeError('a RemovedText is made of the record of a change only');
    this.#texts = new Map(texts.map(({ shown, exact }) => [shown, exact]));
    Object.freeze(this);
  }
}

/** For this layer only: makes one from the record of a change. */
export function removedText(texts: readonly Removed[]): RemovedText {
  return new RemovedText(KEY, texts);
}

/** For this layer only: answers the removed text that was shown like this; undefined where there is none. */
export function exactlyRemoved(removed: RemovedText, shown: string): string | undefined {
  return exactOf(removed, shown);
}
