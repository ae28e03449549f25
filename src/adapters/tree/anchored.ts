// Finds the node that an alias means.
import type { NodePath } from '../../security/index.ts';
import { visitNodes } from './keys.ts';
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
