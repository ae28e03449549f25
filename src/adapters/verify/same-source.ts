// Whether parts of a collection must read the same in two texts because they are written the same. Both texts have been
// parsed whole: what is asked here is only whether their data needs to be compared part by part.
import { columnOf } from '../tree/lines.ts';
import type { Parts } from '../tree/parts.ts';
import { type Collection, type Entry, type Item, partsOf } from '../tree/span-tree.ts';

export interface CollectionInText {
  readonly text: string;
  readonly node: Collection;
}

/**
 * Of the parts `from`…`to`, at least one, and as many of the other collection from `at` on. Holds where there are no
 * aliases and no tag prefixes. False means: look closer.
 */
export function runReadsTheSame(
  before: CollectionInText,
  from: number,
  to: number,
  after: CollectionInText,
  at: number,
): boolean {
  const [olds, nexts] = [partsOf(before.node), partsOf(after.node)];
  const stop = at + to - from;
  if (to > olds.length || stop > nexts.length) return false;
  const [first, last] = [olds.startOf(from), olds.endOf(to - 1)];
  const [start, end] = [nexts.startOf(at), nexts.endOf(stop - 1)];
  const shift = start - first;
  return (
    before.node.kind === after.node.kind &&
    before.node.style === after.node.style &&
    end - last === shift &&
    // Further in, every line brings its indentation along; the first one has it in front. Inside brackets nothing
    // depends on columns.
    (before.node.style !== 'block' || columnOf(before.text, first) === columnOf(after.text, start)) &&
    // A block scalar at the end counts the line break behind it.
    breakAt(before.text, last) === breakAt(after.text, end) &&
    before.text.slice(first, last) === after.text.slice(start, end) &&
    olds.isSpreadAs(from, to, nexts, at, shift)
  );
}

/** The parts of a collection in their text. */
export interface PartsInText {
  readonly text: string;
  readonly parts: Parts<Entry | Item>;
}

/** Whether two parts are there and are written the same, without a look at what they are made of. */
export function isSamePart(before: PartsInText, old: number, after: PartsInText, next: number): boolean {
  if (old >= before.parts.length || next >= after.parts.length) return false;
  const [start, end] = [before.parts.startOf(old), before.parts.endOf(old)];
  const shift = after.parts.startOf(next) - start;
  return (
    before.parts.isSpreadAs(old, old + 1, after.parts, next, shift) &&
    before.text.slice(start, end) === after.text.slice(start + shift, end + shift)
  );
}

function breakAt(text: string, end: number): string {
  return text.startsWith('\r\n', end) ? '\r\n' : text.startsWith('\n', end) ? '\n' : '';
}
