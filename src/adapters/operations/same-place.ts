// Checks a part that moves within its document. It tells whether the part is at its new place already, so that nothing changes
// and it stays in its branch, and where the new place is once the part is removed.
import type { NodePath } from '../../security/index.ts';
import type { TakenPart } from '../edit/source.ts';
import type { Located, Step } from '../tree/locate.ts';
import { type Entry, type Item, partsOf } from '../tree/span-tree.ts';
import type { Given } from './operation.ts';

/** True within its own collection. `beside` is the index that a named neighbour gives it in a list, once it is removed. */
export function staysInPlace(
  { container, index: now }: Step,
  { key, index, before, after }: Given,
  { name, isItem }: TakenPart,
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

/** The path once the part at `gone` is away: the items behind it have moved up. */
export function withoutPart(to: Located, gone: Located): NodePath {
  const depth = gone.steps.length - 1;
  const [last, passed] = [gone.steps[depth], to.steps[depth]];
  const isBehind = last?.kind === 'item' && passed?.container === last.container && passed.index > last.index;
  return isBehind ? to.path.with(depth, passed.index - 1) : to.path;
}
