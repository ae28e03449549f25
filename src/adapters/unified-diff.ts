// A unified diff built from the spans that an edit is known to have changed: linear in the edit, and true
// to the bytes but for characters that could deceive a reader, which are shown as <U+XXXX>.
import { diffArrays } from 'diff';
import { type Edit, inOrder, visible } from '../security/index.ts';

const CONTEXT = 3;
/** Above it a changed region is shown as all old lines, then all new ones: `diff` is slow on what has little in common. */
const MAX_LINES_TO_ALIGN = 400;

/** '' where nothing changes. `edits` are those that lead from `before` to `after`. */
export function unifiedDiff(name: string, before: string, after: string, edits: readonly Edit[]): string {
  const regions = changedRegions(before, after, edits);
  if (regions.length === 0) return '';
  const oldLines = linesOf(before);
  const rows: Row[] = [];
  let at = 0;
  for (const { oldFrom, oldTo, newLines } of regions) {
    for (; at < oldFrom; at++) rows.push({ mark: ' ', line: oldLines[at] ?? '' });
    for (const row of align(oldLines.slice(oldFrom, oldTo), newLines)) rows.push(row);
    at = oldTo;
  }
  for (let rest = 0; at < oldLines.length && rest < CONTEXT; at++, rest++)
    rows.push({ mark: ' ', line: oldLines[at] ?? '' });
  const shownName = visible(name);
  return `--- a/${shownName}\n+++ b/${shownName}\n${hunksOf(rows).join('')}`;
}

interface Row {
  readonly mark: ' ' | '-' | '+';
  /** With its line break, if it has one. */
  readonly line: string;
}

interface Region {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newLines: readonly string[];
}

/** Whole lines that hold an edit, old and new; neighbours are joined. */
function changedRegions(before: string, after: string, edits: readonly Edit[]): Region[] {
  const regions: Region[] = [];
  let shift = 0;
  let line = 0;
  let counted = 0;
  const lineOf = (offset: number) => {
    for (
      let next = before.indexOf('\n', counted);
      next !== -1 && next < offset;
      next = before.indexOf('\n', counted)
    ) {
      line += 1;
      counted = next + 1;
    }
    return line;
  };
  const groups: { start: number; end: number; shiftBefore: number; shiftAfter: number }[] = [];
  for (const edit of inOrder(edits, before.length)) {
    // With -1, lastIndexOf would look at the first character all the same.
    const start = edit.start === 0 ? 0 : before.lastIndexOf('\n', edit.start - 1) + 1;
    const lineFeed =
      edit.end > edit.start && before[edit.end - 1] === '\n' && edit.insert.endsWith('\n')
        ? edit.end - 1
        : before.indexOf('\n', edit.end);
    const end = lineFeed === -1 ? before.length : lineFeed + 1;
    const growth = edit.insert.length - (edit.end - edit.start);
    const last = groups.at(-1);
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end);
      last.shiftAfter += growth;
    } else {
      groups.push({ start, end, shiftBefore: shift, shiftAfter: shift + growth });
    }
    shift += growth;
  }
  for (const { start, end, shiftBefore, shiftAfter } of groups) {
    const oldFrom = lineOf(start);
    const oldText = before.slice(start, end);
    const newText = after.slice(start + shiftBefore, end + shiftAfter);
    if (oldText !== newText)
      regions.push({ oldFrom, oldTo: oldFrom + linesOf(oldText).length, newLines: linesOf(newText) });
  }
  return regions;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

function align(oldLines: readonly string[], newLines: readonly string[]): Row[] {
  if (oldLines.length + newLines.length > MAX_LINES_TO_ALIGN) {
    return [
      ...oldLines.map((line) => ({ mark: '-', line }) as const),
      ...newLines.map((line) => ({ mark: '+', line }) as const),
    ];
  }
  return diffArrays([...oldLines], [...newLines]).flatMap((part) => {
    const mark = part.added ? '+' : part.removed ? '-' : ' ';
    return part.value.map((line) => ({ mark, line }) as const);
  });
}

function hunksOf(rows: readonly Row[]): string[] {
  const hunks: string[] = [];
  let oldLine = 0;
  let newLine = 0;
  let from = 0;
  const changed = rows.flatMap((row, i) => (row.mark === ' ' ? [] : [i]));
  for (let i = 0; i < changed.length; ) {
    let j = i;
    while (j + 1 < changed.length && (changed[j + 1] ?? 0) - (changed[j] ?? 0) <= 2 * CONTEXT + 1) j += 1;
    const start = Math.max((changed[i] ?? 0) - CONTEXT, 0);
    const end = Math.min((changed[j] ?? 0) + CONTEXT + 1, rows.length);
    for (; from < start; from++) {
      if (rows[from]?.mark !== '+') oldLine += 1;
      if (rows[from]?.mark !== '-') newLine += 1;
    }
    const part = rows.slice(start, end);
    const oldCount = part.filter((row) => row.mark !== '+').length;
    const newCount = part.filter((row) => row.mark !== '-').length;
    hunks.push(
      `@@ -${range(oldLine, oldCount)} +${range(newLine, newCount)} @@\n${part.map(rowText).join('')}`,
    );
    i = j + 1;
  }
  return hunks;
}

function range(before: number, count: number): string {
  const start = count === 0 ? before : before + 1;
  return count === 1 ? `${start}` : `${start},${count}`;
}

function rowText({ mark, line }: Row): string {
  return line.endsWith('\n')
    ? mark + visible(line)
    : `${mark}${visible(line)}\n\\ No newline at end of file\n`;
}
