// The span tree over a table. The parts of a collection and their nodes are made when they are first asked for, and stay the
// same objects. So looking at one entry of a large file does not cost as much as the file.
import { keyText } from '../../../tree/keys.ts';
import type {
  Entry,
  Item,
  MappingNode,
  Properties,
  SequenceNode,
  SpanNode,
} from '../../../tree/span-tree.ts';
import { leafAt, outerStartAt, propertiesAt, type Source } from './leaf-nodes.ts';
import {
  BLOCK_MAPPING,
  BLOCK_SEQUENCE,
  FLOW_MAPPING,
  FLOW_SEQUENCE,
  type NodeTable,
  PAIR,
  PLAIN,
} from './node-table.ts';

export function nodeAt(source: Source, row: number): SpanNode {
  switch (source.table.kind(row)) {
    case BLOCK_MAPPING:
    case FLOW_MAPPING:
    case PAIR:
      return new LazyMapping(source, row);
    case BLOCK_SEQUENCE:
    case FLOW_SEQUENCE:
      return new LazySequence(source, row);
    default:
      return leafAt(source, row);
  }
}

function trailingCommaAt(table: NodeTable, row: number): number | undefined {
  const comma = table.trailingComma(table.detail(row));
  return comma === -1 ? undefined : comma;
}

class LazyCollection<Part> {
  readonly start: number;
  readonly end: number;
  readonly properties: Properties | undefined;
  readonly trailingComma: number | undefined;
  readonly #source: Source;
  readonly #row: number;
  readonly #make: (source: Source, row: number) => readonly Part[];
  #parts: readonly Part[] | undefined;

  constructor(source: Source, row: number, make: (source: Source, row: number) => readonly Part[]) {
    const { table } = source;
    this.start = table.start(row);
    this.end = table.end(row);
    this.properties = propertiesAt(source, row);
    this.trailingComma = trailingCommaAt(table, row);
    this.#source = source;
    this.#row = row;
    this.#make = make;
  }

  protected get parts(): readonly Part[] {
    this.#parts ??= this.#make(this.#source, this.#row);
    return this.#parts;
  }
}

class LazyMapping extends LazyCollection<Entry> implements MappingNode {
  readonly kind = 'mapping';
  readonly style: MappingNode['style'];

  constructor(source: Source, row: number) {
    super(source, row, entriesOf);
    const kind = source.table.kind(row);
    this.style = kind === BLOCK_MAPPING ? 'block' : kind === PAIR ? 'pair' : 'flow';
  }

  get entries(): readonly Entry[] {
    return this.parts;
  }
}

function entriesOf(source: Source, mapping: number): readonly Entry[] {
  const { table } = source;
  const entries: Entry[] = [];
  const behind = table.next(mapping);
  for (let row = mapping + 1; row < behind; row = table.next(table.next(row)))
    entries.push(new LazyEntry(source, row));
  return entries;
}

class LazyEntry implements Entry {
  readonly #source: Source;
  readonly #keyRow: number;
  #key: SpanNode | undefined;
  #value: SpanNode | undefined;
  #name: string | undefined;

  constructor(source: Source, keyRow: number) {
    this.#source = source;
    this.#keyRow = keyRow;
  }

  get start(): number {
    return outerStartAt(this.#source.table, this.#keyRow);
  }

  get end(): number {
    return this.#source.table.end(this.#valueRow);
  }

  get colon(): number | undefined {
    return indicatorAt(this.#source.table, this.#keyRow);
  }

  /** The name; for most keys it is read without making a node. */
  get name(): string | undefined {
    this.#name ??= this.#readName();
    return this.#name;
  }

  #readName(): string | undefined {
    const { text, table } = this.#source;
    const row = this.#keyRow;
    if (table.kind(row) !== PLAIN) return keyText(this.key);
    const source = text.slice(table.start(row), table.end(row));
    return source.includes('\n') ? keyText(this.key) : source;
  }

  get key(): SpanNode {
    this.#key ??= nodeAt(this.#source, this.#keyRow);
    return this.#key;
  }

  get value(): SpanNode {
    this.#value ??= nodeAt(this.#source, this.#valueRow);
    return this.#value;
  }

  get #valueRow(): number {
    return this.#source.table.next(this.#keyRow);
  }
}

class LazySequence extends LazyCollection<Item> implements SequenceNode {
  readonly kind = 'sequence';
  readonly style: SequenceNode['style'];

  constructor(source: Source, row: number) {
    super(source, row, itemsOf);
    this.style = source.table.kind(row) === BLOCK_SEQUENCE ? 'block' : 'flow';
  }

  get items(): readonly Item[] {
    return this.parts;
  }
}

function itemsOf(source: Source, sequence: number): readonly Item[] {
  const { table } = source;
  const items: Item[] = [];
  const behind = table.next(sequence);
  for (let row = sequence + 1; row < behind; row = table.next(row)) items.push(new LazyItem(source, row));
  return items;
}

class LazyItem implements Item {
  readonly #source: Source;
  readonly #row: number;
  #value: SpanNode | undefined;

  constructor(source: Source, row: number) {
    this.#source = source;
    this.#row = row;
  }

  get start(): number {
    const { table } = this.#source;
    return indicatorAt(table, this.#row) ?? outerStartAt(table, this.#row);
  }

  get end(): number {
    return this.#source.table.end(this.#row);
  }

  get value(): SpanNode {
    this.#value ??= nodeAt(this.#source, this.#row);
    return this.#value;
  }
}

/** The colon of a key, or the dash of an item. */
function indicatorAt(table: NodeTable, row: number): number | undefined {
  const indicator = table.lead(row);
  return indicator === -1 ? undefined : indicator;
}
