// The span tree over a skeleton. A node's parts are made when they are first asked for, and stay the
// same objects from then on: whoever looks at one entry of a large file pays for one path, not for the file.

import type { Parts } from '../../../tree/parts.ts';
import type {
  BlockHeader,
  Entry,
  Item,
  MappingNode,
  Properties,
  ScalarStyle,
  SequenceNode,
  SpanNode,
} from '../../../tree/span-tree.ts';
import { outerStart } from '../../../tree/span-tree.ts';
import { outerStartAt, ScannedParts, type Source } from './scanned-parts.ts';
import {
  ALIAS,
  BLOCK_MAPPING,
  BLOCK_SEQUENCE,
  FLOW_MAPPING,
  FLOW_SEQUENCE,
  PAIR,
  type Skeleton,
} from './skeleton.ts';

export function nodeAt(source: Source, row: number): SpanNode {
  switch (source.skeleton.kind(row)) {
    case BLOCK_MAPPING:
    case FLOW_MAPPING:
    case PAIR:
      return new ScannedMapping(source, row);
    case BLOCK_SEQUENCE:
    case FLOW_SEQUENCE:
      return new ScannedSequence(source, row);
    default:
      return leafAt(source, row);
  }
}

const STYLES: readonly ScalarStyle[] = ['empty', 'plain', 'single', 'double', 'literal', 'folded'];

function leafAt(source: Source, row: number): SpanNode {
  const { text, skeleton } = source;
  const start = skeleton.start(row);
  const end = skeleton.end(row);
  const kind = skeleton.kind(row);
  const properties = propertiesAt(source, row);
  if (kind === ALIAS) return { kind: 'alias', name: text.slice(start + 1, end), start, end, properties };
  const style = STYLES[kind] ?? 'plain';
  const block = style === 'literal' || style === 'folded' ? blockAt(source, row) : undefined;
  return { kind: 'scalar', style, block, start, end, properties };
}

function propertiesAt({ text, skeleton }: Source, row: number): Properties | undefined {
  const detail = skeleton.detail(row);
  if (detail === 0) return undefined;
  const start = skeleton.propertiesStart(detail);
  if (start === -1) return undefined;
  const anchorStart = skeleton.anchorStart(detail);
  const anchorEnd = skeleton.anchorEnd(detail);
  const tagStart = skeleton.tagStart(detail);
  return {
    anchor:
      anchorStart === -1
        ? undefined
        : { start: anchorStart, end: anchorEnd, name: text.slice(anchorStart + 1, anchorEnd) },
    tag: tagStart === -1 ? undefined : { start: tagStart, end: skeleton.tagEnd(detail) },
    start,
    end: skeleton.propertiesEnd(detail),
  };
}

function blockAt({ text, skeleton }: Source, row: number): BlockHeader {
  const detail = skeleton.detail(row);
  const header = { start: skeleton.start(row), end: skeleton.headerEnd(detail) };
  const source = text.slice(header.start, header.end);
  return {
    header,
    chomp: source.includes('-') ? 'strip' : source.includes('+') ? 'keep' : 'clip',
    bodyStart: skeleton.bodyStart(detail),
    bodyEnd: skeleton.bodyEnd(detail),
    parentColumn: skeleton.parentColumn(detail),
  };
}

function trailingCommaAt(skeleton: Skeleton, row: number): number | undefined {
  const comma = skeleton.trailingComma(skeleton.detail(row));
  return comma === -1 ? undefined : comma;
}

class ScannedMapping implements MappingNode {
  readonly kind = 'mapping';
  readonly style: MappingNode['style'];
  readonly start: number;
  readonly end: number;
  readonly properties: Properties | undefined;
  readonly trailingComma: number | undefined;
  readonly #source: Source;
  readonly #row: number;
  #entries: Parts<Entry> | undefined;

  constructor(source: Source, row: number) {
    const { skeleton } = source;
    const kind = skeleton.kind(row);
    this.style = kind === BLOCK_MAPPING ? 'block' : kind === PAIR ? 'pair' : 'flow';
    this.start = skeleton.start(row);
    this.end = skeleton.end(row);
    this.properties = propertiesAt(source, row);
    this.trailingComma = trailingCommaAt(skeleton, row);
    this.#source = source;
    this.#row = row;
  }

  get entries(): Parts<Entry> {
    this.#entries ??= new ScannedParts(this.#source, this.#row, true, entryAt);
    return this.#entries;
  }
}

function entryAt(source: Source, keyRow: number): Entry {
  return new ScannedEntry(source, keyRow);
}

class ScannedEntry implements Entry {
  readonly explicitKey = undefined;
  readonly start: number;
  readonly end: number;
  readonly #source: Source;
  readonly #keyRow: number;
  #key: SpanNode | undefined;
  #value: SpanNode | undefined;

  constructor(source: Source, keyRow: number) {
    this.start = outerStartAt(source.skeleton, keyRow);
    this.end = source.skeleton.end(source.skeleton.next(keyRow));
    this.#source = source;
    this.#keyRow = keyRow;
  }

  get colon(): number | undefined {
    const colon = this.#source.skeleton.lead(this.#keyRow);
    return colon === -1 ? undefined : colon;
  }

  get key(): SpanNode {
    this.#key ??= nodeAt(this.#source, this.#keyRow);
    return this.#key;
  }

  get value(): SpanNode {
    this.#value ??= nodeAt(this.#source, this.#source.skeleton.next(this.#keyRow));
    return this.#value;
  }
}

class ScannedSequence implements SequenceNode {
  readonly kind = 'sequence';
  readonly style: SequenceNode['style'];
  readonly start: number;
  readonly end: number;
  readonly properties: Properties | undefined;
  readonly trailingComma: number | undefined;
  readonly #source: Source;
  readonly #row: number;
  #items: Parts<Item> | undefined;

  constructor(source: Source, row: number) {
    const { skeleton } = source;
    this.style = skeleton.kind(row) === BLOCK_SEQUENCE ? 'block' : 'flow';
    this.start = skeleton.start(row);
    this.end = skeleton.end(row);
    this.properties = propertiesAt(source, row);
    this.trailingComma = trailingCommaAt(skeleton, row);
    this.#source = source;
    this.#row = row;
  }

  get items(): Parts<Item> {
    this.#items ??= new ScannedParts(this.#source, this.#row, false, itemAt);
    return this.#items;
  }
}

function itemAt(source: Source, row: number): Item {
  const value = nodeAt(source, row);
  const dash = source.skeleton.lead(row);
  return { start: dash === -1 ? outerStart(value) : dash, end: value.end, value };
}
