// The span tree over a skeleton. The parts of a collection are made when they are first asked for, and so are their
// nodes; all stay the same objects from then on. So whoever looks at one entry of a large file does not pay for the file.
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
  PAIR,
  PLAIN,
  type Skeleton,
} from './skeleton.ts';

export function nodeAt(source: Source, row: number): SpanNode {
  switch (source.skeleton.kind(row)) {
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

function trailingCommaAt(skeleton: Skeleton, row: number): number | undefined {
  const comma = skeleton.trailingComma(skeleton.detail(row));
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
    const { skeleton } = source;
    this.start = skeleton.start(row);
    this.end = skeleton.end(row);
    this.properties = propertiesAt(source, row);
    this.trailingComma = trailingCommaAt(skeleton, row);
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
    const kind = source.skeleton.kind(row);
    this.style = kind === BLOCK_MAPPING ? 'block' : kind === PAIR ? 'pair' : 'flow';
  }

  get entries(): readonly Entry[] {
    return this.parts;
  }
}

function entriesOf(source: Source, mapping: number): readonly Entry[] {
  const { skeleton } = source;
  const entries: Entry[] = [];
  const behind = skeleton.next(mapping);
  for (let row = mapping + 1; row < behind; row = skeleton.next(skeleton.next(row)))
    entries.push(new LazyEntry(source, row));
  return entries;
}

class LazyEntry implements Entry {
  readonly #source: Source;
  readonly #keyRow: number;
  #key: SpanNode | undefined;
  #value: SpanNode | undefined;

  constructor(source: Source, keyRow: number) {
    this.#source = source;
    this.#keyRow = keyRow;
  }

  get start(): number {
    return outerStartAt(this.#source.skeleton, this.#keyRow);
  }

  get end(): number {
    return this.#source.skeleton.end(this.#valueRow);
  }

  get colon(): number | undefined {
    return indicatorAt(this.#source.skeleton, this.#keyRow);
  }

  get explicitKey(): undefined {
    return undefined;
  }

  /** Of most keys, without making a node. */
  get name(): string | undefined {
    const { text, skeleton } = this.#source;
    const row = this.#keyRow;
    if (skeleton.kind(row) !== PLAIN) return keyText(this.key);
    const source = text.slice(skeleton.start(row), skeleton.end(row));
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
    return this.#source.skeleton.next(this.#keyRow);
  }
}

class LazySequence extends LazyCollection<Item> implements SequenceNode {
  readonly kind = 'sequence';
  readonly style: SequenceNode['style'];

  constructor(source: Source, row: number) {
    super(source, row, itemsOf);
    this.style = source.skeleton.kind(row) === BLOCK_SEQUENCE ? 'block' : 'flow';
  }

  get items(): readonly Item[] {
    return this.parts;
  }
}

function itemsOf(source: Source, sequence: number): readonly Item[] {
  const { skeleton } = source;
  const items: Item[] = [];
  const behind = skeleton.next(sequence);
  for (let row = sequence + 1; row < behind; row = skeleton.next(row)) items.push(new LazyItem(source, row));
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
    const { skeleton } = this.#source;
    return indicatorAt(skeleton, this.#row) ?? outerStartAt(skeleton, this.#row);
  }

  get end(): number {
    return this.#source.skeleton.end(this.#row);
  }

  get value(): SpanNode {
    this.#value ??= nodeAt(this.#source, this.#row);
    return this.#value;
  }
}

/** The colon of a key, or the dash of an item. */
function indicatorAt(skeleton: Skeleton, row: number): number | undefined {
  const indicator = skeleton.lead(row);
  return indicator === -1 ? undefined : indicator;
}
