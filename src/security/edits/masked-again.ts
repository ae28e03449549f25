// Masks a recorded file by today's rules, because it may have been recorded under other rules, or under none.
import type { SafePath } from '../paths/safe-path.ts';
import { contextOf, type Sandbox } from '../sandbox/sandbox.ts';
import { type MaskedText, secretsIn, shownOffset } from '../secrets/masked-text.ts';
import { type Edit, splice, withInserted } from './edit.ts';

interface Recorded {
  readonly base: string;
  readonly edits: readonly Edit[];
}

/** A span of the base, and the span of the result that replaces it. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Masks base and edits; returns the same object where today's rules mask nothing more in it. */
export function maskedAgain<Record extends Recorded>(
  sandbox: Sandbox,
  path: SafePath,
  recorded: Record,
): Record {
  const { masking } = contextOf(sandbox).origin;
  const { base, edits } = recorded;
  const after = splice(base, edits);
  const [old, next] = [masking?.maskRecorded(path, base), masking?.maskRecorded(path, after)];
  if (old === undefined || next === undefined) return recorded;
  if (old.shown === base && next.shown === after) return recorded;
  const shown = stretchesOf(recorded, old, next).map(({ start, end, newStart, newEnd }) => ({
    start: shownOffset(old, start),
    end: shownOffset(old, end),
    insert: next.shown.slice(shownOffset(next, newStart), shownOffset(next, newEnd)),
  }));
  // Where the edits change whether text outside them is a secret, the whole file is shown as one edit.
  const areEnough = splice(old.shown, shown) === next.shown;
  const whole = { start: 0, end: old.shown.length, insert: next.shown };
  return { ...recorded, base: old.shown, edits: areEnough ? shown : [whole] };
}

/** Returns the spans of the edits, each widened to all secrets that it cuts; spans that meet become one. */
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

/** Returns how far before `place` the span begins that contains it; 0 if none does. */
function startsBefore(spans: Spans, place: number): number {
  const cut = spans.find(({ start, end }) => start < place && place < end);
  return cut === undefined ? 0 : place - cut.start;
}

function endsBehind(spans: Spans, place: number): number {
  const cut = spans.find(({ start, end }) => start < place && place < end);
  return cut === undefined ? 0 : cut.end - place;
}
