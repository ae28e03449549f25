// Whether a collection must read the same in two texts because it is written the same. Both texts have been
// parsed whole: what is asked here is only whether their data needs to be compared part by part.
import { columnOf } from '../tree/lines.ts';
import type { Entry, Item } from '../tree/span-tree.ts';
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
  const [olds, nexts] = [partsOf(before), partsOf(after)];
  const [first, last] = [olds[from], olds[to - 1]];
  const [start, end] = [nexts[at], nexts[at + to - from - 1]];
  if (to === from) return true;
  if (first === undefined || last === undefined || start === undefined || end === undefined) return false;
  const shift = start.start - first.start;
  return (
    before.node.kind === after.node.kind &&
    before.node.style === after.node.style &&
    end.end - last.end === shift &&
    // Inside brackets nothing depends on columns.
    (before.node.style !== 'block' ||
      columnOf(before.text, first.start) === columnOf(after.text, start.start)) &&
    breakAt(before.text, last.end) === breakAt(after.text, end.end) &&
    before.text.slice(first.start, last.end) === after.text.slice(start.start, end.end) &&
    areSpreadTheSame(olds, from, to, nexts, at, shift)
  );
}

/** Whether two entries are written the same, without a look at their keys and values. */
export function isSameEntry(before: string, old: Entry, after: string, next: Entry): boolean {
  const shift = next.start - old.start;
  return (
    next.end - old.end === shift &&
    colonOf(next, shift) === colonOf(old, 0) &&
    before.slice(old.start, old.end) === after.slice(next.start, next.end)
  );
}

function partsOf({ node }: Unread): readonly (Entry | Item)[] {
  return node.kind === 'mapping' ? node.entries : node.items;
}

/** Whether each part stands where its twin does: then the run has as many parts on both sides, and the same ones. */
function areSpreadTheSame(
  olds: readonly (Entry | Item)[],
  from: number,
  to: number,
  nexts: readonly (Entry | Item)[],
  at: number,
  shift: number,
): boolean {
  for (let i = from; i < to; i++) {
    const [old, next] = [olds[i], nexts[at + i - from]];
    if (old === undefined || next === undefined) return false;
    if (next.start - old.start !== shift || next.end - old.end !== shift) return false;
    if (colonOf(next, shift) !== colonOf(old, 0)) return false;
  }
  return true;
}

function colonOf(part: Entry | Item, shift: number): number | undefined {
  return 'colon' in part && part.colon !== undefined ? part.colon - shift : undefined;
}

function breakAt(text: string, end: number): string {
  return text.startsWith('\r\n', end) ? '\r\n' : text.startsWith('\n', end) ? '\n' : '';
}
