// A unified diff built from the spans that an edit is known to have changed: linear in the edit, and true
// to the bytes but for characters that could deceive a reader, which are shown as <U+XXXX>. Outside of it
// only line breaks are counted, where nobody has counted them yet.
import { diffArrays } from 'diff';
import { type Edit, visible } from '../../security/index.ts';
import { LineIndex } from '../tree/line-index.ts';
import { lineBefore, nextLine, splitLines } from '../tree/lines.ts';
import { type ChangedLines, changedLines } from './changed-lines.ts';

const CONTEXT = 3;
/** Above it a changed region is shown as all old lines, then all new ones: `diff` is slow on what has little in common. */
const MAX_LINES_TO_ALIGN = 400;

/** '' where nothing changes. `edits` are those that lead from `before` to `after`; `lines` those of `before`. */
export function unifiedDiff(
  name: string,
  before: string,
  after: string,
  edits: readonly Edit[],
  lines = new LineIndex(before),
): string {
  const blocks = numbered({ before, after, lines }, changedLines(before, after, edits));
  if (blocks.length === 0) return '';
  const shownName = visible(name);
  return `--- a/${shownName}\n+++ b/${shownName}\n${hunks(blocks)
    .map((hunk) => hunkText(before, hunk))
    .join('')}`;
}

interface Block {
  readonly span: ChangedLines;
  /** Lines in front of it, in the old text and in the new. */
  readonly oldLine: number;
  readonly newLine: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

interface Versions {
  readonly before: string;
  readonly after: string;
  /** Of the text before. */
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

/** Blocks whose context lines meet form one hunk. */
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
