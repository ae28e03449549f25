// Line numbers for many offsets of one text.
import type { Stream } from './span-tree.ts';

export class LineIndex {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** The line, from 1, that holds the offset. */
  at(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}

/** Streams are never changed, and stay as long as their file is remembered. */
const known = new WeakMap<Stream, LineIndex>();

export function lineIndexOf(stream: Stream): LineIndex {
  const index = known.get(stream) ?? new LineIndex(stream.text);
  known.set(stream, index);
  return index;
}
