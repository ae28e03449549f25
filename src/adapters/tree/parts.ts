// The parts of a collection, in source order. Where they stand can be asked without making them: of a hundred
// thousand, most are only passed on the way to one.
import type { Entry, Item, Span } from './span-tree.ts';

export abstract class Parts<Part extends Span> {
  abstract readonly length: number;

  /** The same object each time; undefined where there is none. */
  abstract at(index: number): Part | undefined;

  /** For whoever looks at each of them. */
  abstract all(): readonly Part[];

  /** -1 where there is no such part, as below. */
  abstract startOf(index: number): number;

  abstract endOf(index: number): number;

  /** -1 where it has none. */
  abstract colonOf(index: number): number;

  /** Whether each of `from`…`to` stands where its twin among the others does, `shift` further on; `at`: the first twin. */
  isSpreadAs(from: number, to: number, others: Parts<Span>, at: number, shift: number): boolean {
    for (let i = from; i < to; i++) {
      const [twin, colon] = [at + i - from, this.colonOf(i)];
      if (others.startOf(twin) - this.startOf(i) !== shift) return false;
      if (others.endOf(twin) - this.endOf(i) !== shift) return false;
      if (others.colonOf(twin) !== (colon === -1 ? -1 : colon + shift)) return false;
    }
    return true;
  }

  get last(): Part | undefined {
    return this.at(this.length - 1);
  }

  /** `from`…`to`, those that are there. */
  run(from: number, to: number): Part[] {
    const parts: Part[] = [];
    for (let index = from; index < to; index++) {
      const part = this.at(index);
      if (part === undefined) break;
      parts.push(part);
    }
    return parts;
  }
}

/** Of parsers that make all of them anyway. */
export class ListedParts<Part extends Entry | Item> extends Parts<Part> {
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    super();
    this.#parts = parts;
  }

  get length(): number {
    return this.#parts.length;
  }

  at(index: number): Part | undefined {
    return this.#parts[index];
  }

  all(): readonly Part[] {
    return this.#parts;
  }

  startOf(index: number): number {
    return this.#parts[index]?.start ?? -1;
  }

  endOf(index: number): number {
    return this.#parts[index]?.end ?? -1;
  }

  colonOf(index: number): number {
    const part = this.#parts[index];
    return part !== undefined && 'colon' in part ? (part.colon ?? -1) : -1;
  }
}
