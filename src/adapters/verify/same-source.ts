// Whether a part of a collection must read the same in two texts because it is written the same. Both texts have been
// parsed whole: what is asked here is only whether its data needs to be compared.
import { columnOf } from '../tree/lines.ts';
import type { Collection, Entry, Item } from '../tree/span-tree.ts';

/** Holds in collections of one style, where there are no aliases and no tag prefixes. False means: look closer. */
export function isSamePart(
  before: string,
  old: Entry | Item,
  after: string,
  next: Entry | Item,
  style: Collection['style'],
): boolean {
  const { start, end } = old;
  const { start: newStart, end: newEnd } = next;
  const [colon, newColon] = [colonOf(old), colonOf(next)];
  const shift = newStart - start;
  return (
    newEnd - end === shift &&
    newColon === (colon === undefined ? undefined : colon + shift) &&
    before.slice(start, end) === after.slice(newStart, newEnd) &&
    // Further in, every line brings its indentation along; the first one has it in front. Inside brackets nothing
    // depends on columns.
    (style !== 'block' || columnOf(before, start) === columnOf(after, newStart)) &&
    // A block scalar at the end counts the line break behind it.
    breakAt(before, end) === breakAt(after, newEnd)
  );
}

function colonOf(part: Entry | Item): number | undefined {
  return 'colon' in part ? part.colon : undefined;
}

function breakAt(text: string, end: number): string {
  return text.startsWith('\r\n', end) ? '\r\n' : text.startsWith('\n', end) ? '\n' : '';
}
