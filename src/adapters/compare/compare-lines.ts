// Compares what is no data: the lines of plain text, and the actions of a template that are on lines of their own.
import { type ChangeObject, diffArrays } from 'diff';
import { type Edit, visibleLine } from '../../security/index.ts';
import { unifiedDiff } from '../diff/unified-diff.ts';
import { actionsIn } from '../tree/actions.ts';
import { splitLines } from '../tree/lines.ts';
import type { Span, Stream } from '../tree/span-tree.ts';

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

/** A difference as it is shown. */
export interface Line {
  readonly kind: 'added' | 'removed' | 'changed' | 'spellings';
  readonly text: string;
}

/** A template, and the part of it that is compared; by default all. */
type Template = readonly [stream: Stream, part?: Span | undefined];

/** Returns the actions on lines of their own that only the first template has (`-`) and only the second (`+`). */
export function differingActions(a: Template, b: Template): readonly Line[] {
  const [old, next] = [hiddenActions(a), hiddenActions(b)];
  let [from, to] = [0, 0];
  return aligned(
    old.map(([text]) => text),
    next.map(([text]) => text),
  ).flatMap(({ added, removed, count }): Line[] => {
    const found = added ? next.slice(to, to + count) : old.slice(from, from + count);
    from += added ? 0 : count;
    to += removed ? 0 : count;
    if (!added && !removed) return [];
    const [kind, mark] = added ? (['added', '+'] as const) : (['removed', '-'] as const);
    return found.map(([text, line]) => ({ kind, text: `${mark} ${visibleLine(text)}  (line ${line})` }));
  });
}

function hiddenActions([{ text, lines, actions = [] }, part = { start: 0, end: text.length }]: Template) {
  return actionsIn(actions, part)
    .filter(({ isHidden }) => isHidden)
    .map(({ start, end }) => [text.slice(start, end), lines.at(start)] as const);
}

function aligned(
  old: readonly string[],
  next: readonly string[],
): readonly Pick<ChangeObject<unknown>, 'added' | 'removed' | 'count'>[] {
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
