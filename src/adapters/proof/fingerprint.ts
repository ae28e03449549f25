// Numbers for nodes: two nodes have the same number exactly when their data reads the same. Each node is
// read once, however often it is compared.

import { scalarValue } from '../formats/yaml/scalar-value.ts';
import type { DocumentSpans, SpanNode } from '../tree/span-tree.ts';
import { type Datum, readNewDatum } from './datum.ts';

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
  readonly #text: string;
  readonly #tagHandles: DocumentSpans['tagHandles'];
  readonly #numbers: Numbers;
  readonly #byNode = new Map<SpanNode, Datum>();
  readonly #byDatum = new Map<Datum, number>();

  constructor(text: string, { tagHandles }: DocumentSpans, numbers: Numbers) {
    this.#text = text;
    this.#tagHandles = tagHandles;
    this.#numbers = numbers;
  }

  of(node: SpanNode): number {
    // Most keys: a number for each of a hundred thousand needs no data of its own.
    if (node.kind === 'scalar' && node.style === 'plain' && node.properties === undefined)
      return this.#numbers.of(`${BARE} ${scalarText(true, scalarValue(this.#text, node))}`);
    return this.#ofDatum(this.#datumOf(node));
  }

  #datumOf(node: SpanNode): Datum {
    const known = this.#byNode.get(node);
    if (known !== undefined) return known;
    const datum = readNewDatum(this.#text, node, this.#tagHandles);
    this.#byNode.set(node, datum);
    return datum;
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
        return scalarText(datum.isPlain, datum.value);
      case 'alias':
        return datum.name;
      case 'mapping':
        return [...datum.entries]
          .map(([key, value]) => `${this.#ofDatum(key)}:${this.#ofDatum(value)}`)
          .join();
      case 'sequence':
        return [...datum.items].map((item) => this.#ofDatum(item)).join();
    }
  }
}

const BARE = shell({ kind: 'scalar', tag: undefined, anchor: undefined });

function scalarText(isPlain: boolean, value: string): string {
  return `${isPlain} ${value}`;
}

function shell({ kind, tag, anchor }: Pick<Datum, 'kind' | 'tag' | 'anchor'>): string {
  return JSON.stringify([kind, tag, anchor]);
}
