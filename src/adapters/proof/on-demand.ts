// Collections of data whose parts are read when somebody asks for them, once. Until then they can be taken
// for the same as others by their source.
import type { MappingNode, SequenceNode, SpanNode } from '../tree/span-tree.ts';
import type { Datum, DatumBase, MappingDatum, SequenceDatum, Unread } from './datum.ts';

type ReadPart = (node: SpanNode) => Datum;

export class MappingOnDemand implements MappingDatum {
  readonly kind = 'mapping';
  tag: string | undefined;
  anchor: string | undefined;
  readonly #source: Unread<MappingNode>;
  readonly #read: ReadPart;
  #entries: [key: Datum, value: Datum][] | undefined;

  constructor({ tag, anchor }: DatumBase, source: Unread<MappingNode>, read: ReadPart) {
    this.tag = tag;
    this.anchor = anchor;
    this.#source = source;
    this.#read = read;
  }

  get unread(): Unread<MappingNode> | undefined {
    return this.#entries === undefined ? this.#source : undefined;
  }

  get entries(): [key: Datum, value: Datum][] {
    return this.readParts();
  }

  readParts(): [key: Datum, value: Datum][] {
    this.#entries ??= this.#source.node.entries.map(({ key, value }) => [this.#read(key), this.#read(value)]);
    return this.#entries;
  }
}

export class SequenceOnDemand implements SequenceDatum {
  readonly kind = 'sequence';
  tag: string | undefined;
  anchor: string | undefined;
  readonly #source: Unread<SequenceNode>;
  readonly #read: ReadPart;
  #items: Datum[] | undefined;

  constructor({ tag, anchor }: DatumBase, source: Unread<SequenceNode>, read: ReadPart) {
    this.tag = tag;
    this.anchor = anchor;
    this.#source = source;
    this.#read = read;
  }

  get unread(): Unread<SequenceNode> | undefined {
    return this.#items === undefined ? this.#source : undefined;
  }

  get items(): Datum[] {
    return this.readParts();
  }

  readParts(): Datum[] {
    this.#items ??= this.#source.node.items.map(({ value }) => this.#read(value));
    return this.#items;
  }
}
