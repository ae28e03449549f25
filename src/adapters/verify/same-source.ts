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
    standAlike(olds.slice(from, to), nexts.slice(at, stop), shift)
  );
}

/** Two parts, each with its text. */
export interface PartInText {
  readonly text: string;
  readonly part: Entry | Item | undefined;
}

/** Whether two parts are there and are written the same, without a look at what they are made of. */
export function isSamePart(before: PartInText, after: PartInText): boolean {
  const [old, next] = [before.part, after.part];
  return (
    old !== undefined &&
    next !== undefined &&
    standsAlike(old, next, next.start - old.start) &&
    before.text.slice(old.start, old.end) === after.text.slice(next.start, next.end)
  );
}

/** Whether each part stands where its twin does, `shift` further on. */
function standAlike(
  olds: readonly (Entry | Item)[],
  nexts: readonly (Entry | Item)[],
  shift: number,
): boolean {
  return olds.every((old, index) => {
    const next = nexts[index];
    return next !== undefined && standsAlike(old, next, shift);
  });
}

function standsAlike(old: Entry | Item, next: Entry | Item, shift: number): boolean {
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
