// Line numbers for many offsets of one text, counted no further than somebody asks.

export class LineIndex {
  /** Let go of once all lines are found. */
  #text: string;
  /** Of the lines that begin at `#found` or before. */
  readonly #starts: number[] = [0];
  #found = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The line, from 1, that holds the offset. */
  at(offset: number): number {
    this.#findUpTo(offset);
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  #findUpTo(offset: number): void {
    while (this.#found <= offset) {
      const lineFeed = this.#text.indexOf('\n', this.#found);
      this.#found = lineFeed === -1 ? Number.POSITIVE_INFINITY : lineFeed + 1;
      if (lineFeed === -1) this.#text = '';
      else this.#starts.push(this.#found);
    }
  }
}
