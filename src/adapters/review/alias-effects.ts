// What a change does elsewhere: the paths that show the changed data through an alias or a merge key (`<<`), and the
// merged keys that it hides or lets show through again.
import type { Change } from '../../security/index.ts';
import { isMerge, keyName } from '../tree/keys.ts';
import { nodeAt } from '../tree/locate.ts';
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
  const mapping = nodeAt(documents[doc]?.root, parent);
  if (mapping?.kind !== 'mapping') return undefined;
  const name = mapping.entries.find(({ key }) => sliceOf(text, key) === source)?.name;
  return name === undefined ? undefined : [...parent, keySegment(name)];
}

interface AliasUse {
  /** Of the alias, or of the mapping that merges it. */
  readonly path: NodePath;
  /** The mapping that merges it; undefined for an alias that stands for a value. */
  readonly into: MappingNode | undefined;
  /** The list that is merged, and where the alias stands in it: what stands before it there comes rather than it. */
  readonly list: readonly Item[];
  readonly index: number;
}

class AliasMap {
  readonly #text: string;
  readonly #root: SpanNode;
  readonly #targets: AliasTargets;
  readonly #usesOf = new Map<SpanNode, AliasUse[]>();

  constructor(text: string, { root, aliasTargets }: DocumentSpans) {
    this.#text = text;
    this.#root = root;
    this.#targets = aliasTargets;
    // Most files have no alias, and are not worth a walk.
    if (aliasTargets.size > 0) this.#visit(root, [], undefined);
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
      const node = nodeAt(this.#root, path.slice(0, length));
      if (node === undefined) return;
      const rest = path.slice(length);
      const mergedBefore = new Set<SpanNode>();
      for (const use of this.#usesOf.get(node) ?? []) {
        if (use.into !== undefined && mergedBefore.has(use.into)) continue;
        if (use.into !== undefined) mergedBefore.add(use.into);
        if (!this.#overrides(use, rest[0])) yield [...use.path, ...rest];
      }
    }
  }

  /** Whether the mapping has the key from elsewhere, so that it does not come from this alias. */
  #overrides({ into, list, index }: AliasUse, first: Segment | undefined): boolean {
    if (into === undefined || first === undefined || first.kind === 'index') return false;
    if (into.entries.some(({ name }) => name === first.key)) return true;
    const asked = new Set<SpanNode>();
    return list.slice(0, index).some(({ value }) => this.#supplies(value, first.key, asked));
  }

  /** Whether what is merged has the key, by itself or by a merge of its own. `asked`: each once, or a bomb of merges would go off. */
  #supplies(node: SpanNode, key: string, asked: Set<SpanNode>): boolean {
    const target = this.#targets.get(node) ?? node;
    if (asked.has(target)) return false;
    asked.add(target);
    if (target.kind === 'sequence')
      return target.items.some(({ value }) => this.#supplies(value, key, asked));
    if (target.kind !== 'mapping') return false;
    if (target.entries.some(({ name }) => name === key)) return true;
    return target.entries.some(({ name, value }) => name === '<<' && this.#supplies(value, key, asked));
  }

  /** `merge`: of what stands behind a merge key. */
  #visit(node: SpanNode, path: NodePath, merge: AliasUse | undefined): void {
    if (node.kind === 'alias') {
      const target = this.#targets.get(node);
      if (target === undefined) return;
      const use = merge ?? { path, into: undefined, list: [], index: 0 };
      const uses = this.#usesOf.get(target);
      if (uses === undefined) this.#usesOf.set(target, [use]);
      else uses.push(use);
    } else if (node.kind === 'sequence') {
      for (const [index, { value }] of node.items.entries())
        this.#visit(value, [...path, indexSegment(index)], merge && { ...merge, list: node.items, index });
    } else if (node.kind === 'mapping') {
      for (const entry of node.entries) {
        const below = [...path, keySegment(keyName(this.#text, entry.key))];
        this.#visit(entry.key, below, undefined);
        const merged = isMerge(entry) ? { into: node, path, list: [], index: 0 } : undefined;
        this.#visit(entry.value, below, merged);
      }
    }
  }
}

const MAX_NAMES = 8;

/** Of each mapping that was looked at, the keys that `<<` brings into it, with their values. */
export type MergedEntries = Map<MappingNode, Map<string, SpanNode>>;

/**
 * One sentence for each change that hides, uncovers or takes away merged keys. No reader merges deeply: a hidden mapping is
 * hidden whole.
 */
export function* mergeEffects(base: Stream, change: Change, known: MergedEntries): Generator<string> {
  if (!base.text.includes('<<')) return;
  const before = base.documents[change.doc];
  if (before === undefined || change.op === 'comment' || change.op === 'rename') return;
  const path = parseNodePath(change.path);
  const last = path.at(-1);
  const mapping = nodeAt(before.root, path.slice(0, -1));
  if (last === undefined || last.kind === 'index' || mapping?.kind !== 'mapping') return;
  const merged = mergedEntries(before, mapping, known);
  if (last.key === '<<') {
    if (change.op === 'add') return;
    const own = new Set(ownKeys(mapping));
    const names = [...merged.keys()].filter((key) => !own.has(key));
    const parent = printNodePath(path.slice(0, -1)) || 'the document';
    if (names.length > 0)
      yield `${parent}: these keys came from the merge (<<) that changes: ${listed(names)}.`;
    return;
  }
  const hidden = merged.get(last.key);
  if (hidden === undefined || change.op === 'replace') return;
  if (change.op === 'remove') {
    yield `${change.path}: with its own key gone, the one from the merge (<<) shows.`;
    return;
  }
  const inside =
    hidden.kind === 'mapping' ? [...ownKeys(hidden), ...mergedEntries(before, hidden, known).keys()] : [];
  const names = [...new Set(inside)].filter((key) => key !== '<<');
  const what = names.length === 0 ? 'the value' : `the whole mapping with ${listed(names)}`;
  yield `${change.path}: this new key hides ${what} that the merge (<<) supplied.`;
}

/** The first source of a key wins. */
function mergedEntries(
  { aliasTargets }: DocumentSpans,
  mapping: MappingNode,
  known: MergedEntries,
): ReadonlyMap<string, SpanNode> {
  const found = known.get(mapping) ?? new Map<string, SpanNode>();
  if (known.has(mapping)) return found;
  known.set(mapping, found);
  const seen = new Set<SpanNode>();
  takeFrom(mapping);
  return found;

  function takeFrom(node: MappingNode): void {
    if (seen.has(node)) return;
    seen.add(node);
    for (const { value } of node.entries.filter(isMerge)) {
      const sources = value.kind === 'sequence' ? value.items.map((item) => item.value) : [value];
      for (const source of sources) {
        const target = aliasTargets.get(source) ?? source;
        if (target.kind !== 'mapping') continue;
        for (const { name, value: own } of target.entries) {
          if (name !== undefined && name !== '<<' && !found.has(name))
            found.set(name, aliasTargets.get(own) ?? own);
        }
        takeFrom(target);
      }
    }
  }
}

function ownKeys({ entries }: MappingNode): string[] {
  return entries.flatMap(({ name }) => name ?? []);
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return names.slice(0, MAX_NAMES).join(', ') + more;
}
