// Compares what is no data: the lines of plain text, and the actions of a template that are on lines of their own.
import { diffArrays } from 'diff';
import { type Edit, visibleLine } from '../../security/index.ts';
import { unifiedDiff } from '../diff/unified-diff.ts';
import type { Action } from '../tree/actions.ts';
import { splitLines } from '../tree/lines.ts';
import type { Stream } from '../tree/span-tree.ts';

/** With more differing lines than this all old ones are shown, then all new ones. Both bounds keep the time linear in the texts. */
const MOST_DIFFERING = 1_000;
const MOST_STEPS = 20_000_000;

/** Returns the hunks of a unified diff from one text to the other, line by line. */
export function differingText(before: string, after: string): readonly string[] {
  const [old, next] = [splitLines(before), splitLines(after)];
  const edits: Edit[] = [];
  let [start, from, to] = [0, 0, 0];
  for (const { added, removed, count } of aligned(old, next)) {
    const end = start + (added ? 0 : old.slice(from, from + count).join('').length);
    if (added) edits.push({ start, end, insert: next.slice(to, to + count).join('') });
    if (removed) edits.push({ start, end, insert: '' });
    start = end;
    from += added ? 0 : count;
    to += removed ? 0 : count;
  }
  const [, , ...hunks] = unifiedDiff('', before, after, edits).split('\n');
  return hunks.slice(0, -1);
}

/** The stream with those of its actions that are compared. */
export type Actions = readonly [stream: Stream, actions: readonly Action[]];

/** Returns the actions on lines of their own that only the first has (`-`) and only the second (`+`). */
export function differingActions(a: Actions, b: Actions): readonly string[] {
  const [old, next] = [a, b].map(([{ text, lines }, actions]) =>
    actions
      .filter(({ isHidden }) => isHidden)
      .map(({ start, end }) => ({ text: text.slice(start, end), line: lines.at(start) })),
  );
  if (old === undefined || next === undefined) return [];
  let [from, to] = [0, 0];
  return aligned(textsOf(old), textsOf(next)).flatMap(({ added, removed, count }) => {
    const found = added ? next.slice(to, to + count) : old.slice(from, from + count);
    from += added ? 0 : count;
    to += removed ? 0 : count;
    const mark = added ? '+' : '-';
    return added || removed ? found.map((one) => `${mark} ${visibleLine(one.text)}  (line ${one.line})`) : [];
  });
}

function textsOf(rows: readonly { readonly text: string }[]): readonly string[] {
  return rows.map(({ text }) => text);
}

interface Part {
  readonly added: boolean;
  readonly removed: boolean;
  readonly count: number;
}

function aligned(old: readonly string[], next: readonly string[]): readonly Part[] {
  // Numbers are compared in one step, however long the lines are.
  const numbers = new Map<string, number>();
  const numbered = (text: string) => numbers.get(text) ?? numbers.set(text, numbers.size).size - 1;
  const most = Math.min(MOST_DIFFERING, Math.ceil(MOST_STEPS / (old.length + next.length + 1)));
  return (
    diffArrays(old.map(numbered), next.map(numbered), { maxEditLength: most }) ?? [
      { added: false, removed: true, count: old.length },
      { added: true, removed: false, count: next.length },
    ]
  );
}
