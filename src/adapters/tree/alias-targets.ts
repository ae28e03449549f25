// What the aliases of a document mean.
import { type DocumentSpans, type SpanNode, walk } from './span-tree.ts';

export type AliasTargets = ReadonlyMap<SpanNode, SpanNode>;

const NONE: AliasTargets = new Map<SpanNode, SpanNode>();
/** Trees are never changed, and stay as long as their file is remembered. */
const known = new WeakMap<DocumentSpans, AliasTargets>();

/** Of each alias, the last node before it that has its anchor; one without an anchor has no target. */
export function aliasTargets(text: string, document: DocumentSpans): AliasTargets {
  // Most files have no alias, and are not worth a walk.
  if (!text.includes('*')) return NONE;
  const found = known.get(document) ?? findTargets(document);
  known.set(document, found);
  return found;
}

function findTargets({ root }: DocumentSpans): AliasTargets {
  const anchors = new Map<string, SpanNode>();
  const targets = new Map<SpanNode, SpanNode>();
  for (const node of walk(root)) {
    const target = node.kind === 'alias' ? anchors.get(node.name) : undefined;
    if (target !== undefined) targets.set(node, target);
    if (node.properties?.anchor !== undefined) anchors.set(node.properties.anchor.name, node);
  }
  return targets;
}
