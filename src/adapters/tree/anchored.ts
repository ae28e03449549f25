// Finds the node that an alias means.
import { type NodePath, type PathWord, printNodePath, type Refusal } from '../../security/index.ts';
import { visitNodes } from './keys.ts';
import { nodeAt } from './locate.ts';
import type { DocumentSpans, SpanNode, Stream } from './span-tree.ts';

/** Returns its path; undefined for an alias without an anchor before it, and for an anchor within a key. Linear in the number of nodes. */
export function findAnchored(
  { text }: Stream,
  document: DocumentSpans,
  alias: SpanNode,
): NodePath | undefined {
  const target = document.aliasTargets.get(alias);
  let found: NodePath | undefined;
  if (target === undefined) return undefined;
  visitNodes(text, document.root, (node, path) => {
    if (node === target) found = [...path];
  });
  return found;
}

/**
 * Returns what is to be known of an alias of a mapping to give its place a value of its own; undefined if that is not
 * enough. `below` is what was asked for below it.
 */
export function aliasClue(
  document: DocumentSpans,
  alias: SpanNode & { kind: 'alias' },
  target: NodePath,
  below: readonly PathWord[],
): Refusal['clues']['alias'] {
  const mapping = document.aliasTargets.get(alias);
  const [word, ...more] = below;
  if (mapping?.kind !== 'mapping' || word?.kind !== 'key') return undefined;
  const isLast = more.length === 0;
  const first = nodeAt(mapping, [word.key]);
  if (first?.kind === 'alias' && !isLast) return undefined;
  const source = first === undefined ? undefined : printNodePath([...target, word.key]);
  return { name: alias.name, isLast, source };
}
