// Which entry of a mapping has a key.
import { indexesOf } from '../tree/key-index.ts';
import type { MappingNode } from '../tree/span-tree.ts';

/** The first one; undefined where there is none. */
export function indexOfKey(text: string, mapping: MappingNode, key: string): number | undefined {
  return indexesOf(text, mapping, key)[0];
}
