// The tree of a document as its readers see it: what aliases and merges bring is a copy in each place that has it.
import { isMerge } from '../tree/keys.ts';
import { mergedMappings, targetOf } from '../tree/resolved.ts';
import type { DocumentSpans, Entry, MappingNode, SpanNode } from '../tree/span-tree.ts';

/** A bomb of aliases has more; it is searched as it is written. */
const MAX_NODES = 100_000;

export interface Unfolded {
  readonly root: SpanNode;
  /** For each copy of a node that an alias or a merge brings, the node that is written in its place. */
  readonly borrowed: ReadonlyMap<SpanNode, SpanNode>;
  /** The alias that is written where a copy is the whole of what it brings. */
  readonly aliases: ReadonlyMap<SpanNode, SpanNode>;
}

/** Returns the tree; undefined if it would be too large, or would hold itself. An alias of a scalar stays an alias. */
export function unfold(document: DocumentSpans): Unfolded | undefined {
  const [borrowed, aliases] = [new Map<SpanNode, SpanNode>(), new Map<SpanNode, SpanNode>()];
  const open = new Set<SpanNode>();
  let [left, isWhole] = [MAX_NODES, true];
  const root = copy(document.root, undefined);
  return isWhole ? { root, borrowed, aliases } : undefined;

  function copy(node: SpanNode, place: SpanNode | undefined): SpanNode {
    left -= 1;
    isWhole &&= left >= 0 && !open.has(node);
    if (!isWhole) return node;
    const target = targetOf(document, node);
    if (node.kind === 'alias') {
      if (target === undefined || (target.kind === 'scalar' && place === undefined)) return node;
      const brought = copy(target, place ?? node);
      if (place === undefined && borrowed.delete(brought)) aliases.set(brought, node);
      return brought;
    }
    open.add(node);
    const made = withParts(node, place);
    open.delete(node);
    if (place !== undefined) borrowed.set(made, place);
    return made;
  }

  function withParts(node: SpanNode, place: SpanNode | undefined): SpanNode {
    if (node.kind === 'alias' || (node.kind === 'scalar' && place === undefined)) return node;
    const { start, end, properties, around } = node;
    const base = { start, end, properties, around };
    if (node.kind === 'scalar') {
      const { kind, style, value, typedValue, block } = node;
      return { ...base, kind, style, value, typedValue, block };
    }
    const { trailingComma } = node;
    if (node.kind === 'mapping')
      return { ...base, kind: node.kind, style: node.style, trailingComma, entries: entriesOf(node, place) };
    const items = node.items.map(({ start: from, end: to, value }) => ({
      start: from,
      end: to,
      value: copy(value, place),
    }));
    return { ...base, kind: node.kind, style: node.style, trailingComma, items };
  }

  function entriesOf(mapping: MappingNode, place: SpanNode | undefined): readonly Entry[] {
    const own = mapping.entries.map((entry): Entry => {
      return isMerge(entry) ? entry : entryWith(entry, copy(entry.value, place));
    });
    const merge = mapping.entries.find(isMerge);
    if (merge === undefined) return own;
    const names = new Set(own.map(({ name }) => name));
    const brought: Entry[] = [];
    for (const source of mergedMappings(document, mapping))
      for (const entry of source === mapping ? [] : (source?.entries ?? [])) {
        if (isMerge(entry) || names.has(entry.name)) continue;
        names.add(entry.name);
        brought.push(entryWith(entry, copy(entry.value, place ?? merge.key)));
      }
    return [...own, ...brought];
  }
}

/** Returns the entry with another value. The nodes of a file compute their parts, so that a spread would lose them. */
function entryWith({ start, end, key, name, colon, branch }: Entry, value: SpanNode): Entry {
  return { start, end, key, name, colon, branch, value };
}
