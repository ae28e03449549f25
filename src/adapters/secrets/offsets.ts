// Places of a text, to be asked whether a span holds one of them.
import type { Span } from '../tree/span-tree.ts';

export class Offsets {
  readonly #sorted: readonly number[];

  constructor(offsets: readonly number[]) {
    this.#sorted = [...offsets].sort((a, b) => a - b);
  }

  isAnyIn({ start, end }: Span): boolean {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return (this.#sorted[low] ?? end) < end;
  }
}
