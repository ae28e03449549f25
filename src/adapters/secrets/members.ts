// The members of a mapping for whoever asks what they say: with those that merges bring, and with what stands behind aliases.
import { isMerge } from '../tree/keys.ts';
import type { DocumentSpans, MappingNode, SpanNode } from '../tree/span-tree.ts';

interface Member {
  readonly name: string | undefined;
  readonly value: SpanNode;
  /** Of a scalar, also of one behind an alias. */
  readonly scalar: string | undefined;
}

/** With those that a merge brings, of which none hides another: so more is masked. */
export function membersOf(document: DocumentSpans, mapping: MappingNode, depth = 0): readonly Member[] {
  return mapping.entries.flatMap((entry): readonly Member[] => {
    const { name, value } = entry;
    const target = value.kind === 'alias' ? document.aliasTargets.get(value) : value;
    if (!isMerge(entry) || depth >= MOST_MERGES)
      return [{ name, value, scalar: target?.kind === 'scalar' ? target.value : undefined }];
    const sources = target?.kind === 'sequence' ? target.items.map((item) => item.value) : [target];
    return sources.flatMap((source) => {
      const merged = source?.kind === 'alias' ? document.aliasTargets.get(source) : source;
      return merged?.kind === 'mapping' ? membersOf(document, merged, depth + 1) : [];
    });
  });
}

const MOST_MERGES = 3;
