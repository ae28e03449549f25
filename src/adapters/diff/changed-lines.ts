// Which whole lines an edit changes, as `diff` would place them: trimmed of what stays, and, where equal lines
// leave a choice, as far down as they go. Linear in the edit and in the equal lines below it.
import { type Edit, inOrder } from '../../security/index.ts';
import { lineBefore, nextLine } from '../tree/lines.ts';

/** Lines of the old text (`start`…`end`) in whose place lines of the new text stand. Never both the same. */
export interface ChangedLines {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** In ascending order, with at least one unchanged line between two. `edits` lead from `before` to `after`. */
export function changedLines(before: string, after: string, edits: readonly Edit[]): readonly ChangedLines[] {
  const settled: ChangedLines[] = [];
  // From the back, so that each one knows how far down it may go.
  for (const touched of touchedLines(before, edits).reverse()) {
    let lines = settle({ before, after }, touched, settled.at(-1));
    for (let next = settled.at(-1); next !== undefined && lines.end >= next.start; next = settled.at(-1)) {
      settled.pop();
      const joined = { ...lines, end: next.end, newEnd: next.newEnd };
      lines = settle({ before, after }, joined, settled.at(-1));
    }
    if (lines.start < lines.end || lines.newStart < lines.newEnd) settled.push(lines);
  }
  return settled.reverse();
}

/** Whole lines that hold an edit, old and new; neighbours are joined. */
function touchedLines(before: string, edits: readonly Edit[]): ChangedLines[] {
  const touched: ChangedLines[] = [];
  let shift = 0;
  for (const edit of inOrder(edits, before.length)) {
    const start = lineBefore(before, edit.start + 1);
    const isWhole = edit.end > edit.start && before[edit.end - 1] === '\n' && edit.insert.endsWith('\n');
    const end = isWhole ? edit.end : nextLine(before, edit.end);
    const newStart = start + shift;
    shift += edit.insert.length - (edit.end - edit.start);
    const last = touched.at(-1);
    if (last !== undefined && start <= last.end) {
      const joinedEnd = Math.max(last.end, end);
      touched[touched.length - 1] = { ...last, end: joinedEnd, newEnd: joinedEnd + shift };
    } else {
      touched.push({ start, end, newStart, newEnd: end + shift });
    }
  }
  return touched;
}

interface Texts {
  readonly before: string;
  readonly after: string;
}

/** Without the equal lines at both ends; what is only added or only removed then moves down. */
function settle({ before, after }: Texts, lines: ChangedLines, next: ChangedLines | undefined): ChangedLines {
  let { start, end, newStart, newEnd } = lines;
  for (let length = 0; start < end && newStart < newEnd; start += length, newStart += length) {
    length = nextLine(before, start) - start;
    if (nextLine(after, newStart) - newStart !== length) break;
    if (!isSame(before, start, after, newStart, length)) break;
  }
  for (let length = 0; start < end && newStart < newEnd; end -= length, newEnd -= length) {
    length = end - lineBefore(before, end);
    if (newEnd - lineBefore(after, newEnd) !== length) break;
    if (!isSame(before, end - length, after, newEnd - length, length)) break;
  }
  if (start < end && newStart < newEnd) return { start, end, newStart, newEnd };
  const [text, first] = start < end ? [before, start] : [after, newStart];
  const most = (next?.start ?? before.length) - end;
  const moved = equalBelow(text, first, Math.max(end - start, newEnd - newStart), most);
  return { start: start + moved, end: end + moved, newStart: newStart + moved, newEnd: newEnd + moved };
}

/** How far lines of that `length` can move down their text, at most `most`, so that it reads the same. */
function equalBelow(text: string, first: number, length: number, most: number): number {
  let moved = 0;
  while (length > 0 && moved < most) {
    const at = first + moved;
    const step = nextLine(text, at) - at;
    // The line that leaves at the top is the one that enters at the bottom.
    if (nextLine(text, at + length) - (at + length) !== step) break;
    if (!isSame(text, at, text, at + length, step)) break;
    moved += step;
  }
  return moved;
}

function isSame(a: string, atA: number, b: string, atB: number, length: number): boolean {
  return a.slice(atA, atA + length) === b.slice(atB, atB + length);
}
