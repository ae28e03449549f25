// The data of a file as far as any reader could tell two files apart: kinds, key order, tags, spellings
// of plain scalars, decoded values of all others, anchors, and which node each alias means. Aliases stay
// references, so that alias bombs cost nothing. No schema is applied: `1.10`, `1.1` and `"1.1"` differ.

import { scalarValue } from '../formats/yaml/scalar-value.ts';
import { aliasTargets } from '../tree/alias-targets.ts';
import type { Parts } from '../tree/parts.ts';
import {
  type Collection,
  type DocumentSpans,
  type Entry,
  type Item,
  isCollection,
  isEmpty,
  type MappingNode,
  outerStart,
  partsOf,
  type SequenceNode,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { MappingOnDemand, SequenceOnDemand } from './on-demand.ts';
import type { PartList } from './part-list.ts';

export interface DatumBase {
  /** Resolved against the document's %TAG directives. */
  tag: string | undefined;
  anchor: string | undefined;
}

export interface ScalarDatum extends DatumBase {
  readonly kind: 'scalar';
  /** Plain scalars are typed by their spelling; all others are strings. */
  readonly isPlain: boolean;
  readonly value: string;
}

export interface AliasDatum extends DatumBase {
  readonly kind: 'alias';
  readonly name: string;
  /** The node that it means; undefined where it dangles, or where a fragment leaves it to its surroundings. */
  target: Datum | undefined;
  /** Brought in by an operation: it must find its anchor. Old aliases may dangle as before. */
  readonly isNew: boolean;
}

export interface MappingDatum extends DatumBase {
  readonly kind: 'mapping';
  readonly entries: PartList<[key: Datum, value: Datum]>;
  /** What those entries were read from, or will be, that nobody has changed. */
  readonly source?: Unread<MappingNode>;
}

export interface SequenceDatum extends DatumBase {
  readonly kind: 'sequence';
  readonly items: PartList<Datum>;
  readonly source?: Unread<SequenceNode>;
}

export interface Unread<Node = Collection> {
  readonly text: string;
  readonly node: Node;
}

/** Fresh objects, on which an operation is carried out to know what the result must be. */
export type Datum = ScalarDatum | AliasDatum | MappingDatum | SequenceDatum;

export class StreamData {
  readonly documents: Datum[];
  readonly #stream: Stream;
  readonly #byNode: Map<SpanNode, Datum> | undefined;
  readonly #hasAliases: boolean;

  /**
   * `isWhole`: read to the last node at once, instead of where somebody looks. `isOnlyCompared`: nobody asks which
   * data a node has, or redirects an alias; to remember that costs more than the data.
   */
  constructor(stream: Stream, isWhole = false, isOnlyCompared = false) {
    this.#stream = stream;
    this.#byNode = isOnlyCompared ? undefined : new Map();
    this.#hasAliases = stream.documents.some((document) => aliasTargets(stream.text, document).size > 0);
    this.documents = stream.documents.map((document) => {
      // What an alias means depends on all that stands before it, and what a tag means on a directive.
      const isEager = isWhole || document.tagHandles.size > 0 || aliasTargets(stream.text, document).size > 0;
      const reader = new DatumReader(stream.text, document.tagHandles, this.#byNode, {
        isNew: false,
        isEager,
      });
      return reader.read(document.root);
    });
  }

  of(node: SpanNode): Datum {
    if (this.#byNode === undefined) throw new Error('these data are only compared');
    const datum = this.#byNode.get(node) ?? this.#readDownTo(node, this.#byNode);
    if (datum === undefined) throw new Error('the node is not of this stream');
    return datum;
  }

  #readDownTo(node: SpanNode, byNode: ReadonlyMap<SpanNode, Datum>): Datum | undefined {
    const open = this.#stream.documents.map(({ root }) => root);
    for (let above = open.pop(); above !== undefined; above = open.pop()) {
      if (outerStart(above) > node.start || above.end < node.end) continue;
      const datum = byNode.get(above);
      if (!isCollection(above)) continue;
      const parts = partsOf(above);
      let index = firstEndingAt(parts, node.end);
      // Two may touch where the node is empty.
      for (; index < parts.length && parts.startOf(index) <= node.start; index++) {
        if (datum instanceof MappingOnDemand || datum instanceof SequenceOnDemand)
          datum.parts.readSource(index);
        const entry = above.kind === 'mapping' ? above.entries.at(index) : undefined;
        if (entry !== undefined) open.push(entry.key, entry.value);
        const item = above.kind === 'sequence' ? above.items.at(index) : undefined;
        if (item !== undefined) open.push(item.value);
      }
      const found = byNode.get(node);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Every alias that means an anchor of `old` means the one of that name in `next` from now on, if there is one. */
  redirect(old: Datum, next: Datum): void {
    if (this.#byNode === undefined) throw new Error('these data are only compared');
    if (!this.#hasAliases) return;
    const targets = new Map<Datum, Datum>();
    const named = new Map([...anchored(next)].map((datum) => [datum.anchor, datum]));
    for (const datum of anchored(old)) {
      const follower = named.get(datum.anchor);
      if (follower !== undefined) targets.set(datum, follower);
    }
    if (targets.size === 0) return;
    for (const datum of this.#byNode.values()) {
      if (datum.kind === 'alias' && datum.target !== undefined)
        datum.target = targets.get(datum.target) ?? datum.target;
    }
  }
}

/** The index of the first one that ends there or behind it. */
function firstEndingAt(parts: Parts<Entry | Item>, offset: number): number {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts.endOf(middle) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* anchored(datum: Datum): Generator<Datum> {
  if (datum.anchor !== undefined) yield datum;
  if (datum.kind === 'mapping')
    for (const [key, value] of datum.entries) yield* [...anchored(key), ...anchored(value)];
  if (datum.kind === 'sequence') for (const item of datum.items) yield* anchored(item);
}

/** The data that a fragment brings in. Aliases resolve within it only; its surroundings give the tag prefixes. */
export function readNewDatum(text: string, node: SpanNode, tagHandles: DocumentSpans['tagHandles']): Datum {
  return new DatumReader(text, tagHandles, undefined, { isNew: true, isEager: true }).read(node);
}

interface Reading {
  readonly isNew: boolean;
  readonly isEager: boolean;
}

class DatumReader {
  readonly #text: string;
  readonly #tagHandles: ReadonlyMap<string, string>;
  readonly #byNode: Map<SpanNode, Datum> | undefined;
  readonly #anchors = new Map<string, Datum>();
  readonly #reading: Reading;

  constructor(
    text: string,
    tagHandles: ReadonlyMap<string, string>,
    byNode: Map<SpanNode, Datum> | undefined,
    reading: Reading,
  ) {
    this.#reading = reading;
    this.#text = text;
    this.#tagHandles = tagHandles;
    this.#byNode = byNode;
  }

  read(node: SpanNode): Datum {
    const datum = this.#shallow(node);
    this.#byNode?.set(node, datum);
    // Registered before the children, as the anchor stands before them.
    if (datum.anchor !== undefined) this.#anchors.set(datum.anchor, datum);
    if (this.#reading.isEager && (datum instanceof MappingOnDemand || datum instanceof SequenceOnDemand))
      datum.parts.readAll();
    return datum;
  }

  #shallow(node: SpanNode): Datum {
    const tag = node.properties?.tag;
    const base = {
      tag: tag === undefined ? undefined : this.#resolveTag(this.#text.slice(tag.start, tag.end)),
      anchor: node.properties?.anchor?.name,
    };
    switch (node.kind) {
      case 'scalar': {
        const isPlain = node.style === 'plain' || isEmpty(node);
        return { kind: 'scalar', isPlain, value: scalarValue(this.#text, node), ...base };
      }
      case 'alias':
        return {
          kind: 'alias',
          name: node.name,
          target: this.#anchors.get(node.name),
          isNew: this.#reading.isNew,
          ...base,
        };
      case 'mapping':
        return new MappingOnDemand(base, { text: this.#text, node }, (part) => this.read(part));
      case 'sequence':
        return new SequenceOnDemand(base, { text: this.#text, node }, (part) => this.read(part));
    }
  }

  #resolveTag(source: string): string {
    if (source.startsWith('!<')) return source.slice(2, -1);
    const handle = /^!(?:[^!]*!)?/.exec(source)?.[0] ?? '!';
    const prefix = this.#tagHandles.get(handle) ?? (handle === '!!' ? 'tag:yaml.org,2002:' : undefined);
    return prefix === undefined ? source : prefix + source.slice(handle.length);
  }
}
