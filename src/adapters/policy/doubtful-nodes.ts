// Recognises parts of a tree whose meaning is uncertain: keys that may be any, and values that may be more than one scalar.
import { isAlike } from '../../security/index.ts';
import { mayHoldActions } from '../formats/template/lex-actions.ts';
import { isPlainScalar } from '../prove/expected.ts';
import { isMerge, isQuotedMerge } from '../tree/keys.ts';
import type { Entry, MappingNode, SpanNode } from '../tree/span-tree.ts';

/** True for a key with a tag, one that a template fills in, or one that some readers take for a merge. `name` is what it means. */
export function isAnyKey(entry: Entry, name: string): boolean {
  const isDoubtfulMerge = isQuotedMerge(entry) || (entry.key.kind === 'alias' && name === '<<');
  return isDoubtfulMerge || entry.key.properties?.tag !== undefined || mayHoldActions(name);
}

/** True for a scalar without quotes in which an action of a template may write a collection. */
export function isOpen(node: SpanNode): boolean {
  return node.kind === 'scalar' && isPlainScalar(node) && mayHoldActions(node.value);
}

/** True if to some readers the order of the keys decides: which of a merge and a key comes later, or of two spellings of one key. */
export function isOrderDecisive(node: SpanNode | undefined): boolean {
  return node?.kind === 'mapping' && (node.entries.some(isMerge) || hasAlikeKeys(node));
}

/** The most keys that are compared with one another; with more, any two may be alike. */
const MAX_SPELLINGS = 100;

/** True if some reader takes two keys for one, such as `yes` and `true`, or `80` and `0x50`. */
function hasAlikeKeys({ entries }: MappingNode): boolean {
  const names = entries.flatMap(({ name }) => (name !== undefined && SPELLED.test(name) ? [name] : []));
  if (names.length > MAX_SPELLINGS) return true;
  return names.some((name, at) => names.slice(0, at).some((other) => isAlike(name, other)));
}

const SPELLED = /^(?:[-+.]?\d.*|y|yes|n|no|on|off|true|false|null|~|)$/iu;
