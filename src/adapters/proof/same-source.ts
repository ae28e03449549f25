// Whether a collection must read the same in two texts because it is written the same. Both texts have been
// parsed whole: what is asked here is only whether their data needs to be compared part by part.
import { columnOf } from '../tree/lines.ts';
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

function breakAt(text: string, end: number): string {
  return text.startsWith('\r\n', end) ? '\r\n' : text.startsWith('\n', end) ? '\n' : '';
}
