// Whether a part that is to move stands already where it is to go: then nothing changes, and in a template it stays in its branch.
import type { Copied } from '../edit/copied-part.ts';
import type { Step } from '../tree/locate.ts';
import { type Entry, type Item, partsOf } from '../tree/span-tree.ts';
import type { Given } from './operation.ts';

/** Within its own collection. `beside`: the index that a named neighbour gives it in a list, once it has left its place. */
export function staysThere(
  { container, index: now }: Step,
  { key, index, before, after }: Given,
  { name, isItem }: Copied,
  beside: number | undefined,
): boolean {
  const parts = partsOf(container);
  if (isItem) return key === undefined && now === (beside ?? index ?? parts.length - 1);
  if ((key ?? name) !== name) return false;
  if (index !== undefined) return now === (index < 0 ? parts.length - 1 + index : index);
  if (before !== undefined) return isNamed(parts[now + 1], before);
  return after === undefined || isNamed(parts[now - 1], after);
}

function isNamed(part: Entry | Item | undefined, name: string): boolean {
  return part !== undefined && 'key' in part && part.name === name;
}
