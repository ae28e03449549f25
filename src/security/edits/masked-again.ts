// What was recorded of a file, masked by the rules of today: it may have been recorded under others, or under none.
import type { SafePath } from '../paths/safe-path.ts';
import { contextOf, type Sandbox } from '../sandbox/sandbox.ts';
import { type MaskedText, secretsIn, shownOffset } from '../secrets/masked-text.ts';
import { type Edit, splice, withInserted } from './edit.ts';

interface Recorded {
  readonly base: string;
  readonly edits: readonly Edit[];
}

/** A stretch of the base, and what became of it. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** The same object where nothing in it is masked that was not masked when it was recorded. */
export function maskedAgain<Record extends Recorded>(
  sandbox: Sandbox,
  path: SafePath,
  recorded: Record,
): Record {
  const { masking } = contextOf(sandbox).origin;
  const { base, edits } = recorded;
  const after = splice(base, edits);
  const [old, next] = [masking?.again(path, base), masking?.again(path, after)];
  if (old === undefined || next === undefined) return recorded;
  if (old.shown === base && next.shown === after) return recorded;
  const shown = stretchesOf(recorded, old, next).map(({ start, end, newStart, newEnd }) => ({
    start: shownOffset(old, start),
    end: shownOffset(old, end),
    insert: next.shown.slice(shownOffset(next, newStart), shownOffset(next, newEnd)),
  }));
  // Where the edits have made a secret of what they left alone, or none of one, all of it is shown.
  const isAll = splice(old.shown, shown) === next.shown;
  const whole = { start: 0, end: old.shown.length, insert: next.shown };
  return { ...recorded, base: old.shown, edits: isAll ? shown : [whole] };
}

/** Its edits, each with all of the secrets that it cuts; those that meet are one. */
function stretchesOf({ base, edits }: Recorded, old: MaskedText, next: MaskedText): readonly Stretch[] {
  const [gone, come] = [secretsIn(old), secretsIn(next)];
  const all: Stretch[] = [];
  for (const { edit, inserted } of withInserted(edits, base.length)) {
    let stretch = { start: edit.start, end: edit.end, newStart: inserted.start, newEnd: inserted.end };
    for (;;) {
      const { start, end, newStart, newEnd } = stretch;
      const before = Math.max(startsBefore(gone, start), startsBefore(come, newStart));
      const behind = Math.max(endsBehind(gone, end), endsBehind(come, newEnd));
      if (before === 0 && behind === 0) break;
      stretch = {
        start: start - before,
        end: end + behind,
        newStart: newStart - before,
        newEnd: newEnd + behind,
      };
    }
    const last = all.at(-1);
    if (last === undefined || last.end < stretch.start) all.push(stretch);
    else all[all.length - 1] = { ...last, end: stretch.end, newEnd: stretch.newEnd };
  }
  return all;
}

type Spans = readonly { readonly start: number; readonly end: number }[];

/** How far before the place the span begins that it cuts. */
function startsBefore(spans: Spans, place: number): number {
  const cut = spans.find(({ start, end }) => start < place && place < end);
  return cut === undefined ? 0 : place - cut.start;
}

function endsBehind(spans: Spans, place: number): number {
  const cut = spans.find(({ start, end }) => start < place && place < end);
  return cut === undefined ? 0 : cut.end - place;
}
