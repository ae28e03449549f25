// The texts that a change has removed and in which something was masked, each as it was shown and as it really was. An undo restores a
// text as a whole or not at all. Whoever holds a RemovedText can read nothing in it.

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

/** Makes a RemovedText of the record of a change. Only this layer uses it. */
export function removedText(texts: readonly Removed[]): RemovedText {
  return new RemovedText(KEY, texts);
}

/** Answers the real text that was shown as `shown`; undefined where there is none. Only this layer uses it. */
export function removedExactText(removed: RemovedText, shown: string): string | undefined {
  return exactOf(removed, shown);
}
