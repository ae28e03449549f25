// Names the documents of a file and the items of its lists, as people and Kubernetes call them.
import { type NodePath, printNodePath, printSegment } from '../../security/node-paths/node-path.ts';
import { nodeAt, scalarAt } from './locate.ts';
import type { SpanNode, Stream } from './span-tree.ts';

/** Unique names; where two have the same name, neither has one. */
type Names = readonly (string | undefined)[];

/** Returns the names by kind and name. */
export function documentNames({ documents }: Stream): Names {
  return unlessShared(
    documents.map(({ root }) => {
      const at = (...keys: string[]) => scalarAt(root, keys);
      const [kind, name] = [at('kind'), at('metadata', 'name')];
      if (kind === undefined || name === undefined) return undefined;
      return JSON.stringify([at('apiVersion'), kind, at('metadata', 'namespace'), name]);
    }),
  );
}

export class ItemNames {
  readonly #stream: Stream;
  /** The names by the path of the list, so that each list is read once, however many paths lead through it. */
  readonly #lists = new Map<string, Names>();

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  /** Returns the item's name; undefined if it has none or shares it with another, and where the path leads to no item. */
  at(doc: number, path: NodePath): string | undefined {
    const last = path.at(-1);
    if (typeof last !== 'number') return undefined;
    const list = path.slice(0, -1);
    const key = `${doc} ${printNodePath(list)}`;
    const names = this.#lists.get(key) ?? namesIn(nodeAt(this.#stream.documents[doc]?.root, list));
    this.#lists.set(key, names);
    return names[last];
  }
}

/** A path that stays valid when items are added or removed: `containers[name=web].image`, for items with a plain name. */
export function namedPath(names: ItemNames, doc: number, path: NodePath): string {
  const pieces = path.map((segment, depth) => {
    const name = typeof segment === 'number' ? names.at(doc, path.slice(0, depth + 1)) : undefined;
    const [, field = '', text = ''] = /^(name|id) ([A-Za-z_][\w.-]{0,60})$/u.exec(name ?? '') ?? [];
    return field === '' ? printSegment(segment, depth === 0) : `[${field}=${text}]`;
  });
  return pieces.join('');
}

/** Returns the names of a list's items, by "name" or "id"; of anything else, none. */
export function namesIn(list: SpanNode | undefined): Names {
  if (list?.kind !== 'sequence') return [];
  const by = (key: string) =>
    unlessShared(
      list.items.map(({ value }) => {
        const text = scalarAt(value, [key]);
        return text === undefined ? undefined : `${key} ${text}`;
      }),
    );
  const [names, ids] = [by('name'), by('id')];
  return names.map((name, i) => name ?? ids[i]);
}

function unlessShared(names: Names): Names {
  const counts = new Map<string | undefined, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map((name) => (counts.get(name) === 1 ? name : undefined));
}
