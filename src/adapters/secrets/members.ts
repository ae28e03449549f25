// Reads the members of a mapping as any reader of YAML may: by the texts that alias keys mean, and with those that merges bring.
import { keyText } from '../tree/keys.ts';
import { targetOf } from '../tree/resolved.ts';
import type { DocumentSpans, Entry, MappingNode, SpanNode } from '../tree/span-tree.ts';

export type Member = Pick<Entry, 'name' | 'value'>;

/** Returns the name of a key, also behind an alias. */
export function nameOf(document: DocumentSpans, { key, name }: Entry): string | undefined {
  const target = key.kind === 'alias' ? targetOf(document, key) : undefined;
  return (target && keyText(target)) ?? name;
}

/** Returns the members of the mapping itself. */
export function ownMembers(document: DocumentSpans, { entries }: MappingNode): readonly Member[] {
  if (document.aliasTargets.size === 0) return entries;
  return entries.map((entry) => ({ name: nameOf(document, entry), value: entry.value }));
}

/** Returns the nodes that an entry merges to any reader: by `<<`, in quotes or behind an alias as well, or by the tag `!!merge`. */
export function mergedBy(text: string, document: DocumentSpans, entry: Entry): readonly SpanNode[] {
  const tag = entry.key.properties?.tag;
  const isTagged = tag !== undefined && text.slice(tag.start, tag.end).includes('merge');
  if (!isTagged && nameOf(document, entry) !== '<<') return [];
  const source = targetOf(document, entry.value);
  return source?.kind === 'sequence' ? source.items.map(({ value }) => value) : source ? [source] : [];
}

/** Returns the members, including all merged ones; none of these hides another, so that more is masked. */
export function membersOf(text: string, document: DocumentSpans, mapping: MappingNode): readonly Member[] {
  const visited = new Set<SpanNode>();
  const members: Member[] = [];
  const ahead: SpanNode[] = [mapping];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const source = targetOf(document, next);
    if (source?.kind !== 'mapping' || visited.has(source)) continue;
    visited.add(source);
    for (const entry of source.entries) ahead.push(...mergedBy(text, document, entry));
    for (const member of ownMembers(document, source)) members.push(member);
  }
  return members;
}

/** Returns the text of a scalar, also behind an alias; undefined for other nodes. */
export function scalarText(document: DocumentSpans, node: SpanNode): string | undefined {
  const target = targetOf(document, node);
  return target?.kind === 'scalar' ? target.value : undefined;
}
