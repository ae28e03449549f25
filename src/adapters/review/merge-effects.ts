// What merge keys (`<<`) make of a change: an own key hides what was merged, and one that goes lets it
// show through again. No reader merges deeply: a hidden mapping is hidden whole.
import type { Change } from '../../security/index.ts';
import { aliasTargets } from '../tree/alias-targets.ts';
import { keyText } from '../tree/key-index.ts';
import { parseNodePath, printNodePath } from '../tree/node-path.ts';
import type { DocumentSpans, MappingNode, SpanNode, Stream } from '../tree/span-tree.ts';
import { locateIfClear } from './locate-if-clear.ts';

const MAX_NAMES = 8;

/** One sentence for each change that hides, uncovers or takes away merged keys. */
export function* mergeEffects(base: Stream, result: Stream, change: Change): Generator<string> {
  if (!base.text.includes('<<')) return;
  const before = base.documents[change.doc];
  const after = result.documents[change.doc];
  if (before === undefined || after === undefined || change.op === 'comment' || change.op === 'rename')
    return;
  const path = parseNodePath(change.path);
  const parentPath = path.slice(0, -1);
  const last = path.at(-1);
  const old = locateIfClear(base.text, before, parentPath);
  if (last === undefined || last.kind === 'index' || old === undefined) return;
  if (old.missing.length > 0 || old.node.kind !== 'mapping') return;
  const parent = printNodePath(parentPath) || 'the document';
  const merged = mergedEntries(base.text, before, old.node);
  if (last.key === '<<') {
    if (change.op === 'add') return;
    const names = [...merged.keys()].filter((key) => !ownKeys(base.text, old.node).includes(key));
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
    hidden.kind === 'mapping'
      ? [...ownKeys(base.text, hidden), ...mergedEntries(base.text, before, hidden).keys()]
      : [];
  const names = [...new Set(inside)].filter((key) => key !== '<<');
  const what = names.length === 0 ? 'the value' : `the whole mapping with ${listed(names)}`;
  yield `${change.path}: this new key hides ${what} that the merge (<<) supplied.`;
}

/** Trees are never changed, and one mapping may be looked at for each of hundreds of changes. */
const known = new WeakMap<MappingNode, ReadonlyMap<string, SpanNode>>();

/** Keys that `<<` brings into the mapping, with their values; the first source of a key wins. */
function mergedEntries(
  text: string,
  document: DocumentSpans,
  mapping: MappingNode,
): ReadonlyMap<string, SpanNode> {
  const merged = known.get(mapping) ?? findMerged(text, document, mapping);
  known.set(mapping, merged);
  return merged;
}

function findMerged(text: string, document: DocumentSpans, mapping: MappingNode): Map<string, SpanNode> {
  const targets = aliasTargets(text, document);
  const found = new Map<string, SpanNode>();
  const seen = new Set<SpanNode>();
  takeFrom(mapping);
  return found;

  function takeFrom(node: SpanNode): void {
    if (node.kind !== 'mapping' || seen.has(node)) return;
    seen.add(node);
    for (const { key, value } of node.entries.all()) {
      if (keyText(text, key) !== '<<' || key.kind !== 'scalar' || key.style !== 'plain') continue;
      const sources = value.kind === 'sequence' ? value.items.all().map((item) => item.value) : [value];
      for (const source of sources) {
        const target = targets.get(source) ?? source;
        if (target.kind !== 'mapping') continue;
        for (const entry of target.entries.all()) {
          const name = keyText(text, entry.key);
          if (name !== undefined && name !== '<<' && !found.has(name))
            found.set(name, targets.get(entry.value) ?? entry.value);
        }
        takeFrom(target);
      }
    }
  }
}

function ownKeys(text: string, node: SpanNode): string[] {
  return node.kind === 'mapping' ? node.entries.all().flatMap(({ key }) => keyText(text, key) ?? []) : [];
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return names.slice(0, MAX_NAMES).join(', ') + more;
}
