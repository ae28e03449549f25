// What a change has removed where something in it was masked: each text as it was shown, and as it was. It comes back as a whole
// or not at all. Whoever holds one can read nothing of it.

/** Of one edit. */
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

/** Within this layer only. */
export function removedText(texts: readonly Removed[]): RemovedText {
  return new RemovedText(KEY, texts);
}

/** Within this layer only: what was shown as this text, and was removed. */
export function exactlyRemoved(removed: RemovedText, shown: string): string | undefined {
  return exactOf(removed, shown);
}
