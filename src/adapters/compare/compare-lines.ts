// Compares what is no data: the lines of plain text, and the actions of a template that are on lines of their own.
import { visibleLine } from '../../security/text/visible.ts';
import { unifiedDiff } from '../diff/unified-diff.ts';
import { actionsIn } from '../tree/actions.ts';
import type { Span, Stream } from '../tree/span-tree.ts';
import { aligned, lineEdits } from './changed-lines.ts';

/** Returns the hunks of a unified diff from one text to the other, line by line. */
export function differingText(before: string, after: string): readonly string[] {
  const [, , ...hunks] = unifiedDiff('', before, after, lineEdits(before, after)).split('\n');
  return hunks.slice(0, -1);
}

/** A difference as it is shown. */
export interface Line {
  readonly kind: 'added' | 'removed' | 'changed';
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
