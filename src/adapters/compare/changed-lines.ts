// Compares two lists, and two texts that have lines and no paths.
import type { Change } from '../../security/index.ts';
import { lineEnd, lineStart, splitLines, withoutEnd } from '../tree/lines.ts';
import type { Span, Stream } from '../tree/span-tree.ts';
import { cutText } from '../tree/wording.ts';

const MAX_SHOWN = 200;

/** Returns one change from the first different line to the last. */
export function findChangedLines(before: Stream, after: Stream): Change[] {
  const [old, next] = [splitLines(before.text), splitLines(after.text)];
  const { from, oldTo, newTo } = differing(old.length, next.length, (i, j) => old[i] === next[j]);
  if (from === oldTo && from === newTo) return [];
  const shown = (lines: readonly string[]) => cutText(withoutEnd(lines.join(''), '\r\n'), MAX_SHOWN);
  return [
    {
      ...{ op: 'text', doc: 0, path: '' },
      ...(from === oldTo ? {} : { from: shown(old.slice(from, oldTo)) }),
      ...(from === newTo ? {} : { to: shown(next.slice(from, newTo)) }),
      line: from + 1,
    },
  ];
}

/** Returns the part between the beginning and the end that two lists share, so that one new item in a wide collection is one change. */
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

const BLOCK = 1_000;

/** Does the same for two texts, which are mostly equal; it compares in blocks as far as possible. */
function differingText(old: string, next: string) {
  const most = Math.min(old.length, next.length);
  const isSame = (i: number, j: number, length: number): boolean =>
    old.slice(i, i + length) === next.slice(j, j + length);
  let from = 0;
  for (const step of [BLOCK, 1]) while (from + step <= most && isSame(from, from, step)) from += step;
  let end = 0;
  for (const step of [BLOCK, 1])
    while (from + end + step <= most && isSame(old.length - end - step, next.length - end - step, step))
      end += step;
  return { from, oldTo: old.length - end, newTo: next.length - end };
}

/** The whole lines that differ between two texts, from the first to the last. */
export function differingLines(before: string, after: string): { readonly old: Span; readonly next: Span } {
  const { from, oldTo, newTo } = differingText(before, after);
  const linesOf = (text: string, to: number) => ({ start: lineStart(text, from), end: lineEnd(text, to) });
  return { old: linesOf(before, oldTo), next: linesOf(after, newTo) };
}
