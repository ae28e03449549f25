// The data of a file as far as any reader could tell two files apart: kinds, key order, tags, spellings
// of plain scalars, decoded values of all others, anchors, and which node each alias means. Aliases stay
// references, so that alias bombs cost nothing. No schema is applied: `1.10`, `1.1` and `"1.1"` differ.
import { type DocumentSpans, isEmpty, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { scalarValue } from '../yaml/scalar-value.ts';

interface DatumBase {
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
  readonly entries: [key: Datum, value: Datum][];
}

export interface SequenceDatum extends DatumBase {
  readonly kind: 'sequence';
  readonly items: Datum[];
}

/** Fresh objects, on which an operation is carried out to know what the result must be. */
export type Datum = ScalarDatum | AliasDatum | MappingDatum | SequenceDatum;

export class StreamData {
  readonly documents: Datum[];
  readonly #byNode = new Map<SpanNode, Datum>();

  constructor(stream: Stream) {
    this.documents = stream.documents.map((document) =>
      new DatumReader(stream.text, document.tagHandles, this.#byNode, false).read(document.root),
    );
  }

  of(node: SpanNode): Datum {
    const datum = this.#byNode.get(node);
    if (datum === undefined) throw new Error('the node is not of this stream');
    return datum;
  }

  /** Every alias that means an anchor of `old` means the one of that name in `next` from now on, if there is one. */
  redirect(old: Datum, next: Datum): void {
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

function* anchored(datum: Datum): Generator<Datum> {
  if (datum.anchor !== undefined) yield datum;
  if (datum.kind === 'mapping')
    for (const [key, value] of datum.entries) yield* [...anchored(key), ...anchored(value)];
  if (datum.kind === 'sequence') for (const item of datum.items) yield* anchored(item);
}

/** The data that a fragment brings in. Aliases resolve within it only; its surroundings give the tag prefixes. */
export function readNewDatum(text: string, node: SpanNode, tagHandles: DocumentSpans['tagHandles']): Datum {
  return new DatumReader(text, tagHandles, new Map(), true).read(node);
}

class DatumReader {
  readonly #text: string;
  readonly #tagHandles: ReadonlyMap<string, string>;
  readonly #byNode: Map<SpanNode, Datum>;
  readonly #anchors = new Map<string, Datum>();
  readonly #isNew: boolean;

  constructor(
    text: string,
    tagHandles: ReadonlyMap<string, string>,
    byNode: Map<SpanNode, Datum>,
    isNew: boolean,
  ) {
    this.#isNew = isNew;
    this.#text = text;
    this.#tagHandles = tagHandles;
    this.#byNode = byNode;
  }

  read(node: SpanNode): Datum {
    const datum = this.#shallow(node);
    this.#byNode.set(node, datum);
    // Registered before the children, as the anchor stands before them.
    if (datum.anchor !== undefined) this.#anchors.set(datum.anchor, datum);
    if (datum.kind === 'mapping' && node.kind === 'mapping') {
      for (const entry of node.entries) datum.entries.push([this.read(entry.key), this.read(entry.value)]);
    }
    if (datum.kind === 'sequence' && node.kind === 'sequence') {
      for (const item of node.items) datum.items.push(this.read(item.value));
    }
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
          isNew: this.#isNew,
          ...base,
        };
      case 'mapping':
        return { kind: 'mapping', entries: [], ...base };
      case 'sequence':
        return { kind: 'sequence', items: [], ...base };
    }
  }

  #resolveTag(source: string): string {
    if (source.startsWith('!<')) return source.slice(2, -1);
    const handle = /^!(?:[^!]*!)?/.exec(source)?.[0] ?? '!';
    const prefix = this.#tagHandles.get(handle) ?? (handle === '!!' ? 'tag:yaml.org,2002:' : undefined);
    return prefix === undefined ? source : prefix + source.slice(handle.length);
  }
}
