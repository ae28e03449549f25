// Walks down a tree to an offset, part by part.
import { firstFrom } from '../tree/lines.ts';
import {
  type Collection,
  type Entry,
  type Item,
  isCollection,
  partsOf,
  type SpanNode,
} from '../tree/span-tree.ts';

interface PartOnTheWay {
  readonly node: Collection;
  readonly index: number;
  readonly part: Entry | Item;
}

/** Yields the parts on the way. `indexIn` chooses the part of a collection; the walk ends where there is none. */
export function* partsDown(
  root: SpanNode | undefined,
  indexIn: (node: Collection) => number,
): Generator<PartOnTheWay, void> {
  for (let node = root; node !== undefined && isCollection(node); ) {
    const index = indexIn(node);
    const part: Entry | Item | undefined = partsOf(node)[index];
    if (part === undefined) return;
    yield { node, index, part };
    node = part.value;
  }
}

/** Returns the index of the last part that begins at the offset or before it. Only sections may be in another order than the text. */
export function lastFrom(node: Collection, offset: number): number {
  const parts = partsOf(node);
  if (node.style === 'sections') return parts.findLastIndex(({ start }) => start <= offset);
  return firstFrom(parts, offset + 1) - 1;
}
