// Answers the members of a mapping with those that merges bring, and the texts behind aliases.
import { isMerge } from '../tree/keys.ts';
import { mergedMappings, targetOf } from '../tree/resolved.ts';
import type { DocumentSpans, Entry, MappingNode, SpanNode } from '../tree/span-tree.ts';

export type Member = Pick<Entry, 'name' | 'value'>;

/** Answers the members, including all merged ones; none of these hides another, so that more is masked. */
export function membersOf(document: DocumentSpans, mapping: MappingNode): readonly Member[] {
  if (!mapping.entries.some(isMerge)) return mapping.entries;
  return [...mergedMappings(document, mapping)].flatMap((source) => source?.entries ?? []);
}

/** Answers the text of a scalar, also behind an alias; undefined for other nodes. */
export function scalarText(document: DocumentSpans, node: SpanNode): string | undefined {
  const target = targetOf(document, node);
  return target?.kind === 'scalar' ? target.value : undefined;
}
