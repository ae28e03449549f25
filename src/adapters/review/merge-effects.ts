// Finds merged keys (`<<`) that a change hides, uncovers, or removes. No reader merges deeply: a hidden mapping is hidden whole.
import { printNodePath, unlessRefused } from '../../security/index.ts';
import { isMerge } from '../tree/keys.ts';
import { LookBudget, mergedMappings, targetOf } from '../tree/resolved.ts';
import type { DocumentSpans, Entry, MappingNode, Stream } from '../tree/span-tree.ts';
import type { ChangedNode } from './changed-nodes.ts';

const MAX_NAMES = 8;
/** The most entries that are looked at for all changes of an edit. */
const MAX_LOOKS = 500_000;

/** Yields a sentence for each change that hides, uncovers or removes merged keys. */
export function* findMergeEffects(base: Stream, changes: readonly ChangedNode[]): Generator<string> {
  if (!base.text.includes('<<')) return;
  const budget = new LookBudget(MAX_LOOKS);
  for (const change of changes) {
    const effect = unlessRefused(() => ({ text: effectOf(change, budget) }));
    if (effect === undefined) {
      yield 'The merges (<<) bring in more than was looked over for keys that are hidden or uncovered.';
      return;
    }
    if (effect.text !== undefined) yield effect.text;
  }
}

/** Returns the sentence about one change. Throws LIMIT_EXCEEDED over the budget. */
function effectOf(
  { op, path, name: text, step, before: document }: ChangedNode,
  budget: LookBudget,
): string | undefined {
  const [key, mapping] = [step?.segment, step?.old];
  if (op === 'rename' || document === undefined || mapping?.kind !== 'mapping') return undefined;
  if (typeof key !== 'string') return undefined;
  if (key === '<<') {
    const own = new Set(mapping.entries.map(({ name }) => name));
    const names = mergedEntries(document, mapping, budget).filter(({ name }) => !own.has(name));
    if (op === 'add' || names.length === 0) return undefined;
    const parent = printNodePath(path.slice(0, -1)) || 'the document';
    return `${parent}: these keys came from the merge (<<) that changes: ${listed(names)}.`;
  }
  if (op === 'replace') return undefined;
  const hidden = mergedEntry(document, mapping, key, budget);
  if (hidden === undefined) return undefined;
  if (op === 'remove') return `${text}: with its own key gone, the one from the merge (<<) shows.`;
  const value = targetOf(document, hidden.value);
  const parts =
    value?.kind === 'mapping'
      ? [...value.entries.filter((entry) => !isMerge(entry)), ...mergedEntries(document, value, budget)]
      : [];
  const what = parts.length === 0 ? 'the value' : `the whole mapping with ${listed(parts)}`;
  return `${text}: this new key hides ${what} that the merge (<<) supplied.`;
}

/** Returns the entry that merges bring into a mapping for a key. */
function mergedEntry(
  document: DocumentSpans,
  mapping: MappingNode,
  key: string,
  budget: LookBudget,
): Entry | undefined {
  for (const source of mergedMappings(document, mapping)) {
    budget.take(1);
    const found = source === mapping ? undefined : source?.entries.find(({ name }) => name === key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns what merges bring into a mapping, in the order in which they take precedence. */
function mergedEntries(document: DocumentSpans, mapping: MappingNode, budget: LookBudget): readonly Entry[] {
  const found: Entry[] = [];
  for (const source of mergedMappings(document, mapping)) {
    const entries = source === undefined || source === mapping ? [] : source.entries;
    budget.take(1 + entries.length);
    found.push(...entries.filter((entry) => !isMerge(entry)));
  }
  return found;
}

function listed(entries: readonly Entry[]): string {
  const names = [...new Set(entries.flatMap(({ name }) => name ?? []))];
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return names.slice(0, MAX_NAMES).join(', ') + more;
}
