// Numbers for nodes: two nodes have the same number exactly when their data reads the same. Each node is
// read once, however often it is compared.
import type { SpanNode, Stream } from '../tree/span-tree.ts';
import { type Datum, StreamData } from './datum.ts';

/** Shared by the two sides of a comparison. */
export class Numbers {
  readonly #numbers = new Map<string, number>();

  of(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

export class Fingerprints {
  readonly #data: StreamData;
  readonly #numbers: Numbers;
  readonly #byDatum = new Map<Datum, number>();

  constructor(stream: Stream, numbers: Numbers) {
    this.#data = new StreamData(stream);
    this.#numbers = numbers;
  }

  of(node: SpanNode): number {
    return this.#ofDatum(this.#data.of(node));
  }

  /** Kind, tag and anchor, without what is inside. */
  shellOf(node: SpanNode): string {
    return shell(this.#data.of(node));
  }

  #ofDatum(datum: Datum): number {
    const known = this.#byDatum.get(datum);
    if (known !== undefined) return known;
    const number = this.#numbers.of(`${shell(datum)} ${this.#inside(datum)}`);
    this.#byDatum.set(datum, number);
    return number;
  }

  #inside(datum: Datum): string {
    switch (datum.kind) {
      case 'scalar':
        return `${datum.isPlain} ${datum.value}`;
      case 'alias':
        return datum.name;
      case 'mapping':
        return datum.entries.map(([key, value]) => `${this.#ofDatum(key)}:${this.#ofDatum(value)}`).join();
      case 'sequence':
        return datum.items.map((item) => this.#ofDatum(item)).join();
    }
  }
}

function shell({ kind, tag, anchor }: Datum): string {
  return JSON.stringify([kind, tag, anchor]);
}
