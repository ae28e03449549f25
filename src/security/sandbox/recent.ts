// Keeps what was last made of a few objects, so that a call over many files does not hold the texts of all of them. What is asked
// for again later is made again.

/** More than one edit needs: a text as it is on the disk, as it is shown, and before and after a step. */
const FEWEST = 4;
const MOST_CHARS = 2_000_000;

export class Recent<Owner extends object, Value> {
  readonly #charsOf: (value: Value) => number;
  readonly #kept = new Map<Owner, Value>();
  #chars = 0;

  constructor(charsOf: (value: Value) => number) {
    this.#charsOf = charsOf;
  }

  /** Returns what `make` has made of this object, or makes it. */
  of(owner: Owner, make: () => Value): Value {
    const known = this.#kept.get(owner);
    const value = known ?? make();
    if (known === undefined) this.#chars += this.#charsOf(value);
    else this.#kept.delete(owner);
    this.#kept.set(owner, value);
    for (const [oldest, old] of this.#kept) {
      if (this.#kept.size <= FEWEST || this.#chars <= MOST_CHARS) break;
      this.#kept.delete(oldest);
      this.#chars -= this.#charsOf(old);
    }
    return value;
  }
}
