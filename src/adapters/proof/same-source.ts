// Whether a collection must read the same in two texts because it is written the same. Both texts have been
// parsed whole: what is asked here is only whether their data needs to be compared part by part.
import { columnOf } from '../tree/lines.ts';
import type { Parts } from '../tree/parts.ts';
import { type Entry, type Item, partsOf } from '../tree/span-tree.ts';
import type { Unread } from './datum.ts';

/** Holds where there are no aliases and no tag prefixes. False means: look closer. */
export function readsTheSame(before: Unread, after: Unread): boolean {
  const [old, next] = [before.node, after.node];
  return (
    old.kind === next.kind &&
    old.style === next.style &&
    old.end - old.start === next.end - next.start &&
    // Further in, every line brings its indentation along; the first one has it in front.
    columnOf(before.text, old.start) === columnOf(after.text, next.start) &&
    // A block scalar at the end counts the line break behind it.
    breakAt(before.text, old.end) === breakAt(after.text, next.end) &&
    before.text.slice(old.start, old.end) === after.text.slice(next.start, next.end)
  );
}

/** The same for the parts `from`…`to` of one collection and as many of another from `at` on. */
export function runReadsTheSame(
  before: Unread,
  from: number,
  to: number,
  after: Unread,
  at: number,
): boolean {
  if (to === from) return true;
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
    // Inside brackets nothing depends on columns.
    (before.node.style !== 'block' || columnOf(before.text, first) === columnOf(after.text, start)) &&
    breakAt(before.text, last) === breakAt(after.text, end) &&
    before.text.slice(first, last) === after.text.slice(start, end) &&
    olds.isSpreadAs(from, to, nexts, at, shift)
  );
}

/** The parts of a collection in their text. */
export interface Written {
  readonly text: string;
  readonly parts: Parts<Entry | Item>;
}

/** Whether two parts are there and are written the same, without a look at what they are made of. */
export function isSamePart(before: Written, old: number, after: Written, next: number): boolean {
  if (old >= before.parts.length || next >= after.parts.length) return false;
  const [start, end] = [before.parts.startOf(old), before.parts.endOf(old)];
  const shift = after.parts.startOf(next) - start;
  return (
    before.parts.isSpreadAs(old, old + 1, after.parts, next, shift) &&
    before.text.slice(start, end) === after.text.slice(start + shift, end + shift)
  );
}

/** Without the parts that both begin and end with: of a wide collection nearly all, so that one new item is one change. */
export function differing(oldLength: number, newLength: number, isSame: (i: number, j: number) => boolean) {
  let from = 0;
  while (from < oldLength && from < newLength && isSame(from, from)) from += 1;
  let [oldTo, newTo] = [oldLength, newLength];
  while (oldTo > from && newTo > from && isSame(oldTo - 1, newTo - 1)) {
    oldTo -= 1;
    newTo -= 1;
  }
  return { from, oldTo, newTo };
}

function breakAt(text: string, end: number): string {
  return text.startsWith('\r\n', end) ? '\r\n' : text.startsWith('\n', end) ? '\n' : '';
}
