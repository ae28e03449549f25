// Answers the members of a mapping with those that merges bring, and the texts behind aliases.
import { isMerge } from '../tree/keys.ts';
import type { DocumentSpans, Entry, MappingNode, SpanNode } from '../tree/span-tree.ts';

export type Member = Pick<Entry, 'name' | 'value'>;

/** Answers the members, including all merged ones; none of these hides another, so that more is masked. */
export function membersOf(document: DocumentSpans, { entries }: MappingNode, depth = 0): readonly Member[] {
  if (depth >= MOST_MERGES || !entries.some(isMerge)) return entries;
  return entries.flatMap((entry): readonly Member[] => {
    if (!isMerge(entry)) return [entry];
    const target = targetOf(document, entry.value);
    const sources = target?.kind === 'sequence' ? target.items.map((item) => item.value) : [target];
    return sources.flatMap((source) => {
      const merged = source && targetOf(document, source);
      return merged?.kind === 'mapping' ? membersOf(document, merged, depth + 1) : [];
    });
  });
}

/** Answers the text of a scalar, also behind an alias; undefined for other nodes. */
export function scalarText(document: DocumentSpans, node: SpanNode): string | undefined {
  const target = targetOf(document, node);
  return target?.kind === 'scalar' ? target.value : undefined;
}

/** The node itself, or what it is an alias of. */
export function targetOf(document: DocumentSpans, node: SpanNode): SpanNode | undefined {
  return node.kind === 'alias' ? document.aliasTargets.get(node) : node;
}

const MOST_MERGES = 3;
