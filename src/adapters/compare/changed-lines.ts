// Compares two lists, and two texts that have lines and no paths.
import { type ChangeObject, diffArrays } from 'diff';
import type { Change, Edit } from '../../security/edits/edit.ts';
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

/** With more differences than this all of one list is gone, then all of the other one comes. Both bounds keep the time linear. */
const MOST_DIFFERING = 1_000;
const MOST_STEPS = 20_000_000;

type Aligned = Pick<ChangeObject<unknown>, 'added' | 'removed' | 'count'>;

/** Returns which parts of two lists are the same, in order. */
export function aligned(old: readonly string[], next: readonly string[]): readonly Aligned[] {
  const { from, oldTo, newTo } = differing(old.length, next.length, (i, j) => old[i] === next[j]);
  const same = (count: number): Aligned => ({ added: false, removed: false, count });
  const [gone, come] = [old.slice(from, oldTo), next.slice(from, newTo)];
  // Numbers are compared in one step, however long the texts are.
  const numbers = new Map<string, number>();
  const numbered = (text: string) => numbers.get(text) ?? numbers.set(text, numbers.size).size - 1;
  const most = Math.min(MOST_DIFFERING, Math.ceil(MOST_STEPS / (gone.length + come.length + 1)));
  const between = diffArrays(gone.map(numbered), come.map(numbered), { maxEditLength: most }) ?? [
    { added: false, removed: true, count: gone.length },
    { added: true, removed: false, count: come.length },
  ];
  return [same(from), ...between, same(old.length - oldTo)];
}

/** Returns the whole lines that differ, as edits of the first text. */
export function lineEdits(before: string, after: string): readonly Edit[] {
  const [old, next] = [splitLines(before), splitLines(after)];
  const edits: Edit[] = [];
  let [start, from, to] = [0, 0, 0];
  for (const { added, removed, count } of aligned(old, next)) {
    const end = start + (added ? 0 : old.slice(from, from + count).join('').length);
    const insert = added ? next.slice(to, to + count).join('') : '';
    const last = edits.at(-1);
    if (last?.end === start && (added || removed))
      edits[edits.length - 1] = { start: last.start, end, insert: last.insert + insert };
    else if (added || removed) edits.push({ start, end, insert });
    start = end;
    from += added ? 0 : count;
    to += removed ? 0 : count;
  }
  return edits;
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
