// Whether parts of a collection must read the same in two texts because they are written the same. Both texts have been
// parsed whole: what is asked here is only whether their data needs to be compared part by part.
import { columnOf } from '../tree/lines.ts';
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
  const [first, last] = [olds[from]?.start ?? -1, olds[to - 1]?.end ?? -1];
  const [start, end] = [nexts[at]?.start ?? -1, nexts[stop - 1]?.end ?? -1];
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
    // Each part stands where its twin does, `shift` further on.
    olds.slice(from, to).every((old, index) => standsAlike(old, nexts[at + index], shift))
  );
}

/** Whether two parts are there and are written the same, without a look at what they are made of. */
export function isSamePart(
  before: string,
  old: Entry | Item | undefined,
  after: string,
  next: Entry | Item | undefined,
): boolean {
  return (
    old !== undefined &&
    next !== undefined &&
    standsAlike(old, next, next.start - old.start) &&
    before.slice(old.start, old.end) === after.slice(next.start, next.end)
  );
}

function standsAlike(old: Entry | Item, next: Entry | Item | undefined, shift: number): boolean {
  if (next === undefined) return false;
  const [colon, nextColon] = [colonOf(old), colonOf(next)];
  return (
    next.start - old.start === shift &&
    next.end - old.end === shift &&
    nextColon === (colon === undefined ? undefined : colon + shift)
  );
}

function colonOf(part: Entry | Item): number | undefined {
  return 'colon' in part ? part.colon : undefined;
}

function breakAt(text: string, end: number): string {
  return text.startsWith('\r\n', end) ? '\r\n' : text.startsWith('\n', end) ? '\n' : '';
}
