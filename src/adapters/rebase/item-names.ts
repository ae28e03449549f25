// What the documents of a file and the items of its lists are called, as people and Kubernetes call them. Each
// mapping, list and file is read once, however many paths lead through it.

import { keyText } from '../tree/keys.ts';
import { keySegment, type NodePath, printNodePath } from '../tree/node-path.ts';
import type { MappingNode, SequenceNode, SpanNode, Stream } from '../tree/span-tree.ts';

/** Keys that identify an item of a list. */
const ITEM_NAMES = ['name', 'id'] as const;

/** One of a kind, or none: where two have a name, neither does. */
type Names = readonly (string | undefined)[];

export class ItemNames {
  readonly #stream: Stream;
  readonly #values = new Map<MappingNode, ReadonlyMap<string, SpanNode | undefined>>();
  readonly #lists = new Map<string, Names>();
  #documents: Names | undefined;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  /** By kind and name. */
  ofDocument(doc: number): string | undefined {
    this.#documents ??= unlessShared(this.#stream.documents.map((_, index) => this.#titleOf(index)));
    return this.#documents[doc];
  }

  /** Undefined where it has none, or shares it with another; and where the path leads to no item. */
  ofItem(doc: number, path: NodePath): string | undefined {
    const last = path.at(-1);
    if (last?.kind !== 'index') return undefined;
    const list = path.slice(0, -1);
    const key = `${doc} ${printNodePath(list)}`;
    const names = this.#lists.get(key) ?? this.#namesIn(this.#nodeAt(doc, list));
    this.#lists.set(key, names);
    return names[last.index];
  }

  #namesIn(list: SpanNode | undefined): Names {
    if (list?.kind !== 'sequence') return [];
    const [first, second] = ITEM_NAMES.map((key) => this.#scalarsIn(list, key));
    return list.items.map((_, i) => first?.[i] ?? second?.[i]);
  }

  #scalarsIn({ items }: SequenceNode, key: string): Names {
    const names = unlessShared(items.map(({ value }) => this.#textOf(this.#below(value, key))));
    return names.map((name) => (name === undefined ? undefined : `${key} ${name}`));
  }

  #titleOf(doc: number): string | undefined {
    const at = (...keys: string[]) => this.#textOf(this.#nodeAt(doc, keys.map(keySegment)));
    const [kind, name] = [at('kind'), at('metadata', 'name')];
    if (kind === undefined || name === undefined) return undefined;
    return JSON.stringify([at('apiVersion'), kind, at('metadata', 'namespace'), name]);
  }

  /** Undefined where the path ends early, goes through an alias, or through a key that stands twice. */
  #nodeAt(doc: number, path: NodePath): SpanNode | undefined {
    let node: SpanNode | undefined = this.#stream.documents[doc]?.root;
    for (const segment of path) {
      if (segment.kind === 'index')
        node = node?.kind === 'sequence' ? node.items[segment.index]?.value : undefined;
      else node = node === undefined ? undefined : this.#below(node, segment.key);
    }
    return node;
  }

  #below(node: SpanNode, key: string): SpanNode | undefined {
    if (node.kind !== 'mapping') return undefined;
    const values = this.#values.get(node) ?? this.#valuesOf(node);
    this.#values.set(node, values);
    return values.get(key);
  }

  #valuesOf({ entries }: MappingNode): ReadonlyMap<string, SpanNode | undefined> {
    const values = new Map<string, SpanNode | undefined>();
    for (const { key, value } of entries) {
      const name = keyText(key);
      if (name !== undefined) values.set(name, values.has(name) ? undefined : value);
    }
    return values;
  }

  #textOf(node: SpanNode | undefined): string | undefined {
    return node?.kind === 'scalar' ? node.value : undefined;
  }
}

function unlessShared(names: Names): Names {
  const counts = new Map<string | undefined, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map((name) => (counts.get(name) === 1 ? name : undefined));
}
