// What merge keys (`<<`) make of a change: an own key hides what was merged, and one that goes lets it
// show through again. No reader merges deeply: a hidden mapping is hidden whole.

import type { Change } from '../../security/index.ts';
import { locateIfClear } from '../tree/locate.ts';
import { parseNodePath, printNodePath } from '../tree/node-path.ts';
import type { DocumentSpans, MappingNode, SpanNode, Stream } from '../tree/span-tree.ts';

const MAX_NAMES = 8;

/** Of each mapping that was looked at, the keys that `<<` brings into it, with their values. */
export type MergedEntries = Map<MappingNode, ReadonlyMap<string, SpanNode>>;

/** One sentence for each change that hides, uncovers or takes away merged keys. */
export function* mergeEffects(
  base: Stream,
  result: Stream,
  change: Change,
  known: MergedEntries,
): Generator<string> {
  if (!base.text.includes('<<')) return;
  const before = base.documents[change.doc];
  const after = result.documents[change.doc];
  if (before === undefined || after === undefined || change.op === 'comment' || change.op === 'rename')
    return;
  const path = parseNodePath(change.path);
  const parentPath = path.slice(0, -1);
  const last = path.at(-1);
  const old = locateIfClear(before, parentPath);
  if (last === undefined || last.kind === 'index' || old === undefined) return;
  if (old.missing.length > 0 || old.node.kind !== 'mapping') return;
  const parent = printNodePath(parentPath) || 'the document';
  const merged = mergedEntries(before, old.node, known);
  if (last.key === '<<') {
    if (change.op === 'add') return;
    const names = [...merged.keys()].filter((key) => !ownKeys(old.node).includes(key));
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
  document: DocumentSpans,
  mapping: MappingNode,
  known: MergedEntries,
): ReadonlyMap<string, SpanNode> {
  const merged = known.get(mapping) ?? findMerged(document, mapping);
  known.set(mapping, merged);
  return merged;
}

function findMerged({ aliasTargets }: DocumentSpans, mapping: MappingNode): Map<string, SpanNode> {
  const found = new Map<string, SpanNode>();
  const seen = new Set<SpanNode>();
  takeFrom(mapping);
  return found;

  function takeFrom(node: SpanNode): void {
    if (node.kind !== 'mapping' || seen.has(node)) return;
    seen.add(node);
    for (const { key, value, name } of node.entries) {
      if (name !== '<<' || key.kind !== 'scalar' || key.style !== 'plain') continue;
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

function ownKeys(node: SpanNode): string[] {
  return node.kind === 'mapping' ? node.entries.flatMap(({ name }) => name ?? []) : [];
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return names.slice(0, MAX_NAMES).join(', ') + more;
}
