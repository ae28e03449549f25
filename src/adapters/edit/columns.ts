// The columns that the values and the comments of neighbouring lines share, and that an edit keeps.
import type { Edit } from '../../security/edits/edit.ts';
import {
  columnOf,
  firstFrom,
  indentOf,
  isBlank,
  lineBefore,
  lineEnd,
  lineStart,
  nextLine,
  skipBlanksBack,
} from '../tree/lines.ts';
import type { Span, Stream } from '../tree/span-tree.ts';
import { vote } from './style.ts';

/** The number of comments that are looked at for the usual gap. */
const ENOUGH = 300;
/** A gap of at least this many blanks shows that comments are aligned. */
const WIDE = 3;

/** Returns the blanks before a comment at `at`: up to the column of the comments around it, or as many as others have. */
export function gapBefore(stream: Stream, at: number): string {
  const { text } = stream;
  const aligned = besides(stream, at).find(
    ({ start }) => gapWidth(text, start) >= WIDE && lineIndent(text, start) === lineIndent(text, at),
  );
  const width = aligned === undefined ? 0 : columnOf(text, aligned.start) - columnOf(text, at);
  return ' '.repeat(Math.max(width, usualGap(stream)));
}

/** Extends the edit by the blanks after it, so that a comment on its line stays aligned with those above and below. */
export function keepingColumn(stream: Stream, edit: Edit): Edit {
  const { text, comments } = stream;
  const comment = comments[firstFrom(comments, edit.end)];
  if (
    comment === undefined ||
    comment.start >= lineEnd(text, edit.end) ||
    (edit.insert + text.slice(edit.start, edit.end)).includes('\n')
  )
    return edit;
  const column = columnOf(text, comment.start);
  if (!besides(stream, edit.end).some(({ start }) => columnOf(text, start) === column)) return edit;
  const from = skipBlanksBack(text, comment.start, edit.end);
  if (text.slice(from, comment.start).includes('\t')) return edit;
  const width = Math.max(comment.start - from - edit.insert.length + edit.end - edit.start, usualGap(stream));
  const insert = edit.insert + text.slice(edit.end, from) + ' '.repeat(width);
  return { start: edit.start, end: comment.start, insert };
}

/** As `keepingColumn`, for an inserted or removed comma: blanks are added only where comments are aligned. */
export function keepingColumnOfComma(stream: Stream, edit: Edit): Edit {
  const kept = keepingColumn(stream, edit);
  const isOnlyBlanks = isBlank(stream.text, edit.end, kept.end);
  return isOnlyBlanks && (edit.insert !== '' || kept.end - edit.end >= WIDE) ? kept : edit;
}

/** Extends the edit of a key by the blanks after it, so that its value stays aligned with that of a line above or below. */
export function keepingValueColumn({ text }: Stream, edit: Edit): Edit {
  const rest = text.slice(edit.end, lineEnd(text, edit.end));
  const [aligned = '', sign = '', gap = ''] = /^( ?[:=])?( {2,})(?=[^\s#])/.exec(rest) ?? [];
  if (aligned === '' || !isInColumn(text, edit.end + aligned.length)) return edit;
  const width = gap.length - edit.insert.length + (edit.end - edit.start);
  const insert = edit.insert + sign + ' '.repeat(Math.max(width, 1));
  return { start: edit.start, end: edit.end + aligned.length, insert };
}

export function lineIndent(text: string, at: number): number {
  return indentOf(text.slice(lineStart(text, at), lineEnd(text, at)));
}

/** True if a word on the line above or below begins in the column of `at`. */
function isInColumn(text: string, at: number): boolean {
  const start = lineStart(text, at);
  return [lineBefore(text, start), nextLine(text, at)].some((line) => {
    const other = line + at - start;
    return line !== start && other < lineEnd(text, line) && / \S/u.test(text.slice(other - 1, other + 1));
  });
}

/** The comments at the end of the lines above and below. */
function besides({ text, comments }: Stream, at: number): Span[] {
  const [start, next] = [lineStart(text, at), nextLine(text, at)];
  return [lineBefore(text, start), next].flatMap((line) => {
    const comment = comments[firstFrom(comments, line)];
    const isOther = line < start || line >= next;
    return comment !== undefined &&
      isOther &&
      comment.start < lineEnd(text, line) &&
      !isBlank(text, line, comment.start)
      ? [comment]
      : [];
  });
}

function usualGap({ text, comments }: Stream): number {
  const widths = comments
    .slice(0, ENOUGH)
    .filter(({ start }) => !isBlank(text, lineStart(text, start), start))
    .map(({ start }) => (gapWidth(text, start) > 1 ? 2 : 1));
  return vote(widths.sort()) ?? 1;
}

function gapWidth(text: string, comment: number): number {
  return comment - skipBlanksBack(text, comment);
}
