// Makes a unified diff from the spans that an edit has changed: linear in the edit, and true to the bytes except for characters
// that could deceive a reader, which are shown as <U+XXXX>. Outside of the edit only line breaks are counted, where that was
// not done yet.
import { diffArrays } from 'diff';
import { type Edit, type FileOp, inOrder } from '../../security/edits/edit.ts';
import { visible } from '../../security/text/visible.ts';
import { LineIndex, lineBefore, nextLine, splitLines } from '../tree/lines.ts';

const CONTEXT = 3;
/** Above this number a changed region is shown as all old lines, then all new ones, because `diff` is slow on texts that have little in common. */
const MAX_LINES_TO_ALIGN = 400;

/** Returns the diff, or '' where nothing changes. `edits` lead from `before` to `after`; `lines` are those of `before`. */
export function unifiedDiff(
  name: string,
  before: string,
  after: string,
  edits: readonly Edit[],
  lines = new LineIndex(before),
  fileOp?: FileOp,
): string {
  const blocks = numbered({ before, after, lines }, changedLines(before, after, edits));
  if (blocks.length === 0 && fileOp === undefined) return '';
  const shownName = visible(name);
  const old = fileOp === 'create' ? '/dev/null' : `a/${shownName}`;
  const next = fileOp === 'delete' ? '/dev/null' : `b/${shownName}`;
  return `--- ${old}\n+++ ${next}\n${hunks(blocks)
    .map((hunk) => hunkText(before, hunk))
    .join('')}`;
}

interface Block {
  readonly span: ChangedLines;
  /** The number of lines before it, in the old text and in the new. */
  readonly oldLine: number;
  readonly newLine: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

interface Versions {
  readonly before: string;
  readonly after: string;
  /** The lines of the text before the edit. */
  readonly lines: LineIndex;
}

function numbered({ before, after, lines }: Versions, changed: readonly ChangedLines[]): Block[] {
  let growth = 0;
  return changed.map((span) => {
    const oldLine = lines.at(span.start) - 1;
    const oldLines = splitLines(before.slice(span.start, span.end));
    const newLines = splitLines(after.slice(span.newStart, span.newEnd));
    const block = { span, oldLine, newLine: oldLine + growth, oldLines, newLines };
    growth += newLines.length - oldLines.length;
    return block;
  });
}

/** Groups blocks to hunks: those whose context lines meet form one. */
function hunks(blocks: readonly Block[]): (readonly Block[])[] {
  const all: Block[][] = [];
  let previousEnd = Number.NEGATIVE_INFINITY;
  for (const block of blocks) {
    if (block.oldLine - previousEnd <= 2 * CONTEXT) all.at(-1)?.push(block);
    else all.push([block]);
    previousEnd = block.oldLine + block.oldLines.length;
  }
  return all;
}

function hunkText(before: string, blocks: readonly Block[]): string {
  const [first] = blocks;
  if (first === undefined) return '';
  const top = linesAbove(before, first.span.start);
  const rows = top.map((line) => row(' ', line));
  let copied = first.span.start;
  for (const block of blocks) {
    for (const line of splitLines(before.slice(copied, block.span.start))) rows.push(row(' ', line));
    for (const text of align(block.oldLines, block.newLines)) rows.push(text);
    copied = block.span.end;
  }
  for (const line of linesBelow(before, copied)) rows.push(row(' ', line));
  const countWithout = (mark: string) => rows.reduce((sum, text) => (text[0] === mark ? sum : sum + 1), 0);
  const oldRange = range(first.oldLine - top.length, countWithout('+'));
  const newRange = range(first.newLine - top.length, countWithout('-'));
  return `@@ -${oldRange} +${newRange} @@\n${rows.join('')}`;
}

/** The lines that end at the offset, which is the start of a line. */
function linesAbove(text: string, end: number): string[] {
  let start = end;
  for (let count = 0; count < CONTEXT && start > 0; count++) start = lineBefore(text, start);
  return splitLines(text.slice(start, end));
}

function linesBelow(text: string, start: number): string[] {
  let end = start;
  for (let count = 0; count < CONTEXT && end < text.length; count++) end = nextLine(text, end);
  return splitLines(text.slice(start, end));
}

function align(oldLines: readonly string[], newLines: readonly string[]): string[] {
  const isPlain = oldLines.length === 0 || newLines.length === 0;
  if (isPlain || oldLines.length + newLines.length > MAX_LINES_TO_ALIGN) {
    return [...oldLines.map((line) => row('-', line)), ...newLines.map((line) => row('+', line))];
  }
  return diffArrays([...oldLines], [...newLines]).flatMap((part) => {
    const mark = part.added ? '+' : part.removed ? '-' : ' ';
    return part.value.map((line) => row(mark, line));
  });
}

function range(before: number, count: number): string {
  const start = count === 0 ? before : before + 1;
  return count === 1 ? `${start}` : `${start},${count}`;
}

function row(mark: ' ' | '-' | '+', line: string): string {
  return line.endsWith('\n')
    ? mark + visible(line)
    : `${mark}${visible(line)}\n\\ No newline at end of file\n`;
}

/** Lines of the old text (`start`…`end`) and the lines of the new text that replace them; at least one side has lines. */
export interface ChangedLines {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/**
 * Returns the changed lines as `diff` would place them: without equal ends, and as far down as equal lines allow. They are
 * ascending, with at least one unchanged line between two. `edits` lead from `before` to `after`.
 */
function changedLines(before: string, after: string, edits: readonly Edit[]): readonly ChangedLines[] {
  const settled: ChangedLines[] = [];
  // It goes from the back, so that each one knows how far down it may go.
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

/** Returns the whole lines that hold an edit, old and new; neighbours are joined. */
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

/** Removes equal lines at both ends; what is only added or only removed then moves down. */
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

/** Returns how far lines of that `length` can move down their text, at most `most`, so that it reads the same. */
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
