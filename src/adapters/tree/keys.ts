// Keys: how node paths name them, and where they stand in their mapping.
import type { MappingNode, SpanNode } from './span-tree.ts';

/** A scalar's value, `*name` for an alias; undefined for a collection. */
export function keyText(key: SpanNode): string | undefined {
  if (key.kind === 'alias') return `*${key.name}`;
  return key.kind === 'scalar' ? key.value : undefined;
}

/** The same for any key: of a collection, its source text. */
export function keyName(text: string, key: SpanNode): string {
  return keyText(key) ?? text.slice(key.start, key.end);
}

/** The indexes of the entries with this key, in order; at most the first two: a second one makes it ambiguous. */
export function indexesOf({ entries }: MappingNode, name: string): readonly number[] {
  const first = entries.findIndex((entry) => entry.name === name);
  if (first === -1) return [];
  const second = entries.findIndex((entry, index) => index > first && entry.name === name);
  return second === -1 ? [first] : [first, second];
}
