// Collections of data whose parts are read when somebody asks for them, once. Until then they can be taken
// for the same as others by their source.
import type { MappingNode, SequenceNode, SpanNode } from '../tree/span-tree.ts';
import type { Datum, DatumBase, MappingDatum, SequenceDatum, Unread } from './datum.ts';
import { PartList } from './part-list.ts';

type ReadPart = (node: SpanNode) => Datum;

export class MappingOnDemand implements MappingDatum {
  readonly kind = 'mapping';
  tag: string | undefined;
  anchor: string | undefined;
  readonly source: Unread<MappingNode>;
  readonly entries: PartList<[key: Datum, value: Datum]>;

  constructor({ tag, anchor }: DatumBase, source: Unread<MappingNode>, read: ReadPart) {
    this.tag = tag;
    this.anchor = anchor;
    this.source = source;
    const { entries } = source.node;
    this.entries = PartList.unread(entries.length, (index) => {
      const entry = entries.at(index);
      if (entry === undefined) throw new Error('no such entry in the source');
      return [read(entry.key), read(entry.value)];
    });
  }

  get parts(): PartList<unknown> {
    return this.entries;
  }
}

export class SequenceOnDemand implements SequenceDatum {
  readonly kind = 'sequence';
  tag: string | undefined;
  anchor: string | undefined;
  readonly source: Unread<SequenceNode>;
  readonly items: PartList<Datum>;

  constructor({ tag, anchor }: DatumBase, source: Unread<SequenceNode>, read: ReadPart) {
    this.tag = tag;
    this.anchor = anchor;
    this.source = source;
    const { items } = source.node;
    this.items = PartList.unread(items.length, (index) => {
      const item = items.at(index);
      if (item === undefined) throw new Error('no such item in the source');
      return read(item.value);
    });
  }

  get parts(): PartList<unknown> {
    return this.items;
  }
}
