// Finds where one text became another, as spans of both: by lines, and by words within a line that stayed in its place. What
// cannot be compared in reasonable time counts as changed.
import { diffArrays } from 'diff';
import { splitLines } from '../tree/lines.ts';
import { differing } from '../verify/changed-lines.ts';

/** A span of `old` that a span of `now` has replaced; either may be empty, but not both. Offsets are UTF-16 units. */
export interface ChangedSpan {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly nowStart: number;
  readonly nowEnd: number;
}

/** The time of a diff grows with the square of what differs. */
const MOST_LINES_APART = 600;
const MOST_WORDS_APART = 60;

/** Answers the spans in order; none touches the next. */
export function changedSpans(old: string, now: string): readonly ChangedSpan[] {
  const lines = spansBetween(splitLines(old), splitLines(now), MOST_LINES_APART);
  return joined(lines.flatMap((span) => withinLines(span, old, now)));
}

/** A line that was changed in its place keeps what it shares with what it was. */
function withinLines(span: ChangedSpan, old: string, now: string): ChangedSpan[] {
  const oldLines = splitLines(old.slice(span.oldStart, span.oldEnd));
  const nowLines = splitLines(now.slice(span.nowStart, span.nowEnd));
  if (oldLines.length !== nowLines.length) return trimmed(span, old, now);
  let [oldAt, nowAt] = [span.oldStart, span.nowStart];
  return oldLines.flatMap((oldLine, i) => {
    const nowLine = nowLines[i] ?? '';
    const words = spansBetween(wordsOf(oldLine), wordsOf(nowLine), MOST_WORDS_APART);
    const moved = words.map((word) => shifted(word, oldAt, nowAt));
    oldAt += oldLine.length;
    nowAt += nowLine.length;
    return moved;
  });
}

/** Removes what both begin with and end with, such as a last line to which only a line break was added. */
function trimmed(span: ChangedSpan, old: string, now: string): ChangedSpan[] {
  const [before, after] = [old.slice(span.oldStart, span.oldEnd), now.slice(span.nowStart, span.nowEnd)];
  const { from, oldTo, newTo } = unlikeParts(before, after);
  const within = { oldStart: from, oldEnd: oldTo, nowStart: from, nowEnd: newTo };
  return [shifted(within, span.oldStart, span.nowStart)];
}

function unlikeParts(old: ArrayLike<string>, now: ArrayLike<string>) {
  return differing(old.length, now.length, (i, j) => old[i] === now[j]);
}

function spansBetween(old: readonly string[], now: readonly string[], mostApart: number): ChangedSpan[] {
  // Equal beginnings and ends are removed first, because that is cheap.
  const { from, oldTo, newTo } = unlikeParts(old, now);
  if (from === oldTo && from === newTo) return [];
  const start = lengthOf(old.slice(0, from));
  const [oldRest, nowRest] = [old.slice(from, oldTo), now.slice(from, newTo)];
  const parts = diffArrays(oldRest, nowRest, { maxEditLength: mostApart });
  if (parts === undefined) {
    const whole = { oldStart: 0, oldEnd: lengthOf(oldRest), nowStart: 0, nowEnd: lengthOf(nowRest) };
    return [shifted(whole, start, start)];
  }
  const spans: ChangedSpan[] = [];
  let [oldAt, nowAt] = [start, start];
  for (const { value, added, removed } of parts) {
    const length = lengthOf(value);
    const span = { oldStart: oldAt, oldEnd: oldAt, nowStart: nowAt, nowEnd: nowAt };
    if (!added) oldAt += length;
    if (!removed) nowAt += length;
    if (added || removed) spans.push({ ...span, oldEnd: oldAt, nowEnd: nowAt });
  }
  return joined(spans);
}

/** Joins spans that touch. */
function joined(spans: readonly ChangedSpan[]): ChangedSpan[] {
  const result: ChangedSpan[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last?.oldEnd === span.oldStart && last.nowEnd === span.nowStart)
      result[result.length - 1] = { ...last, oldEnd: span.oldEnd, nowEnd: span.nowEnd };
    else result.push(span);
  }
  return result;
}

function shifted({ oldStart, oldEnd, nowStart, nowEnd }: ChangedSpan, old: number, now: number): ChangedSpan {
  return { oldStart: oldStart + old, oldEnd: oldEnd + old, nowStart: nowStart + now, nowEnd: nowEnd + now };
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[\s\S]/gu) ?? [];
}

function lengthOf(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}
