// The blast radius of a change: the paths that show the changed data through an alias or a merge key.
import type { Change } from '../../security/index.ts';
import { indexesOf, keyName } from '../tree/keys.ts';
import { locateIfClear } from '../tree/locate.ts';
import {
  indexSegment,
  keySegment,
  type NodePath,
  parseNodePath,
  printNodePath,
  type Segment,
} from '../tree/node-path.ts';
import {
  type AliasTargets,
  type DocumentSpans,
  type Entry,
  type Item,
  type MappingNode,
  type SpanNode,
  type Stream,
  sliceOf,
} from '../tree/span-tree.ts';

export const MAX_ALSO_AFFECTED = 200;

/** Paths by the document's own words, in source order, at most 200; a document that is not the first is named. */
export function findAlsoAffected(base: Stream, result: Stream, changes: readonly Change[]): string[] {
  const maps = new Map<DocumentSpans, AliasMap>();
  const found = new Set<string>();
  for (const change of changes) {
    if (change.op === 'comment') continue;
    for (const { stream, path } of placesOf(change)) {
      const document = stream.documents[change.doc];
      if (document === undefined) continue;
      const map = maps.get(document) ?? new AliasMap(stream.text, document);
      maps.set(document, map);
      for (const reached of map.reachedFrom(path, change.op === 'rename')) {
        if (found.size >= MAX_ALSO_AFFECTED) return [...found];
        found.add(stream.documents.length > 1 ? `doc ${change.doc}: ${reached}` : reached);
      }
    }
  }
  return [...found];

  /** What is removed shows in the old text, what is new in the new one, and a new name in both. */
  function placesOf({ op, path, from, doc }: Change): { stream: Stream; path: NodePath }[] {
    const now = parseNodePath(path);
    if (op !== 'rename') return [{ stream: op === 'remove' ? base : result, path: now }];
    const old = oldName(base, doc, now.slice(0, -1), from ?? '');
    return [{ stream: result, path: now }, ...(old === undefined ? [] : [{ stream: base, path: old }])];
  }
}

/** The path of the key in the mapping at `parent` that is written so. */
function oldName({ text, documents }: Stream, doc: number, parent: NodePath, source: string) {
  const document = documents[doc];
  const mapping = document === undefined ? undefined : nodeAt(document, parent);
  if (mapping?.kind !== 'mapping') return undefined;
  const entry = mapping.entries.find(({ key }) => sliceOf(text, key) === source);
  const name = entry === undefined ? undefined : entry.name;
  return name === undefined ? undefined : [...parent, keySegment(name)];
}

function nodeAt(document: DocumentSpans, path: NodePath): SpanNode | undefined {
  const located = locateIfClear(document, path);
  return located?.missing.length === 0 ? located.node : undefined;
}

interface AliasUse {
  readonly path: NodePath;
  /** The mapping that merges it; undefined for an alias that stands for a value. */
  readonly merge: Merge | undefined;
}

interface Merge {
  readonly into: MappingNode;
  readonly path: NodePath;
  /** The list that it stands in, and where: what the list merges before it comes rather than it. */
  readonly list: readonly Item[];
  readonly index: number;
}

class AliasMap {
  readonly #text: string;
  readonly #document: DocumentSpans;
  readonly #usesOf = new Map<SpanNode, AliasUse[]>();
  readonly #targets: AliasTargets;

  constructor(text: string, document: DocumentSpans) {
    this.#text = text;
    this.#document = document;
    this.#targets = document.aliasTargets;
    // Most files have no alias, and are not worth a walk.
    if (this.#targets.size > 0) this.#visit(document.root, [], undefined);
  }

  /** `isName`: only the key changes. What its value is an alias for elsewhere stays the same. */
  reachedFrom(path: NodePath, isName: boolean): string[] {
    if (this.#usesOf.size === 0) return [];
    const reached = new Map<string, NodePath>();
    const queue: NodePath[] = [path];
    for (let next = queue.pop(); next !== undefined && reached.size < MAX_ALSO_AFFECTED; next = queue.pop()) {
      for (const affected of this.#usesAlong(next, isName)) {
        const name = printNodePath(affected);
        if (reached.has(name)) continue;
        reached.set(name, affected);
        queue.push(affected);
      }
    }
    return [...reached.keys()];
  }

  /** Every alias of a node that the path goes through, with the rest of the path behind it. */
  *#usesAlong(path: NodePath, isName: boolean): Generator<NodePath> {
    const last = isName ? path.length - 1 : path.length;
    for (let length = 0; length <= last; length++) {
      const node = nodeAt(this.#document, path.slice(0, length));
      if (node === undefined) return;
      const rest = path.slice(length);
      const mergedBefore = new Set<SpanNode>();
      for (const { path: use, merge } of this.#usesOf.get(node) ?? []) {
        if (merge !== undefined && mergedBefore.has(merge.into)) continue;
        if (merge !== undefined) mergedBefore.add(merge.into);
        if (merge === undefined || !this.#overrides(merge, rest[0])) yield [...use, ...rest];
      }
    }
  }

  #overrides({ into, list, index }: Merge, first: Segment | undefined): boolean {
    if (first === undefined || first.kind === 'index') return false;
    if (ownEntry(into, first.key) !== undefined) return true;
    const asked = new Set<SpanNode>();
    for (let i = 0; i < index; i++) {
      const item = list[i];
      if (item !== undefined && this.#supplies(item.value, first.key, asked)) return true;
    }
    return false;
  }

  /** Whether what is merged has the key, by itself or by a merge of its own. `asked`: each once, or a bomb of merges would go off. */
  #supplies(node: SpanNode, key: string, asked: Set<SpanNode>): boolean {
    const target = this.#targets.get(node) ?? node;
    if (asked.has(target)) return false;
    asked.add(target);
    if (target.kind === 'sequence')
      return target.items.some(({ value }) => this.#supplies(value, key, asked));
    if (target.kind !== 'mapping') return false;
    if (ownEntry(target, key) !== undefined) return true;
    const merged = ownEntry(target, '<<');
    return merged !== undefined && this.#supplies(merged.value, key, asked);
  }

  #visit(node: SpanNode, path: NodePath, merge: Merge | undefined): void {
    if (node.kind === 'alias') {
      const target = this.#targets.get(node);
      if (target === undefined) return;
      const use = { path: merge?.path ?? path, merge };
      const uses = this.#usesOf.get(target);
      if (uses === undefined) this.#usesOf.set(target, [use]);
      else uses.push(use);
    } else if (node.kind === 'sequence') {
      for (const [index, { value }] of node.items.entries())
        this.#visit(value, [...path, indexSegment(index)], merge && { ...merge, list: node.items, index });
    } else if (node.kind === 'mapping') {
      for (const { key, value } of node.entries) {
        const name = keyName(this.#text, key);
        const below = [...path, keySegment(name)];
        this.#visit(key, below, undefined);
        const isMerge = name === '<<' && key.kind === 'scalar' && key.style === 'plain';
        this.#visit(value, below, isMerge ? { into: node, path, list: [], index: 0 } : undefined);
      }
    }
  }
}

function ownEntry(mapping: MappingNode, name: string): Entry | undefined {
  const [index] = indexesOf(mapping, name);
  return index === undefined ? undefined : mapping.entries[index];
}
