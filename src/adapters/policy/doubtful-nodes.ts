// Recognises parts of a tree whose meaning is uncertain: keys that may be any, and values that may be more than one scalar.
import { mayHoldActions } from '../formats/template/lex-actions.ts';
import { isQuotedMerge } from '../tree/keys.ts';
import type { Entry, SpanNode } from '../tree/span-tree.ts';
import { isPlainScalar } from '../verify/tree-comparison.ts';

/** True for a key with a tag, one that a template fills in, or one that some readers take for a merge. `name` is what it means. */
export function isAnyKey(entry: Entry, name: string): boolean {
  const isMerge = isQuotedMerge(entry) || (entry.key.kind === 'alias' && name === '<<');
  return isMerge || entry.key.properties?.tag !== undefined || mayHoldActions(name);
}

/** True for a scalar without quotes in which an action of a template may write a collection. */
export function isOpen(node: SpanNode): boolean {
  return node.kind === 'scalar' && isPlainScalar(node) && mayHoldActions(node.value);
}
