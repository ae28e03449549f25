// Which entry of a mapping has a key.
import { keyText } from '../tree/key-index.ts';
import type { MappingNode } from '../tree/span-tree.ts';

/** The first one; undefined where there is none. */
export function indexOfKey(text: string, mapping: MappingNode, key: string): number | undefined {
  const index = mapping.entries.findIndex((entry) => keyText(text, entry.key) === key);
  return index === -1 ? undefined : index;
}
