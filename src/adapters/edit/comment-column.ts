// Finds where a comment at the end of a line starts: in the column of the comments on the lines beside it, or behind the usual
// gap.

import type { Edit } from '../../security/index.ts';
import { firstFrom } from '../tree/first-from.ts';
import {
  columnOf,
  isBlank,
  lineBefore,
  lineEnd,
  lineStart,
  nextLine,
  skipBlanksBack,
} from '../tree/lines.ts';
import type { Span, Stream } from '../tree/span-tree.ts';
import { lineIndent } from './neighbour-style.ts';

/** The number of comments that are enough to tell the usual gap. */
const ENOUGH = 300;
/** A gap of at least this many blanks means that the comments are aligned in a column. */
const WIDE = 3;

/** Returns the blanks between the content that ends at `end` and the comment behind it. */
export function gapBeforeComment(stream: Stream, end: number): string {
  const usual = usualGap(stream);
  const { text } = stream;
  const indent = lineIndent(text, end);
  const aligned = besides(stream, end).find(
    ({ start }) => gapWidth(text, start) >= WIDE && lineIndent(text, start) === indent,
  );
  const width = (aligned === undefined ? 0 : columnOf(text, aligned.start)) - columnOf(text, end);
  return ' '.repeat(Math.max(width, usual));
}

/** The edits with what keeps the comment on their line in the column that it shares with those beside it. */
export function keepingCommentColumn(stream: Stream, edits: readonly Edit[]): readonly Edit[] {
  const { text, comments } = stream;
  const [edit, second] = edits;
  if (edit === undefined || second !== undefined) return edits;
  if ((edit.insert + text.slice(edit.start, edit.end)).includes('\n')) return edits;
  const comment = comments[firstFrom(comments, edit.end)];
  if (comment === undefined || comment.start >= lineEnd(text, edit.end)) return edits;
  const column = columnOf(text, comment.start);
  if (!besides(stream, edit.end).some(({ start }) => columnOf(text, start) === column)) return edits;
  const from = skipBlanksBack(text, comment.start, edit.end);
  if (text.slice(from, comment.start).includes('\t')) return edits;
  const added = edit.insert.length - (edit.end - edit.start);
  const width = Math.max(comment.start - from - added, usualGap(stream));
  return [edit, { start: from, end: comment.start, insert: ' '.repeat(width) }];
}

/** Returns an edit of a key that also keeps what follows its blanks in the column of a line above or below. */
export function inKeyColumn(text: string, edit: Edit): Edit {
  const rest = text.slice(edit.end, lineEnd(text, edit.end));
  const [aligned = '', between = '', gap = ''] = /^( ?[:=])?( {2,})(?=[^\s#])/.exec(rest) ?? [];
  if (aligned === '' || !isInColumn(text, edit.end + aligned.length)) return edit;
  const width = gap.length - edit.insert.length + (edit.end - edit.start);
  const insert = edit.insert + between + ' '.repeat(Math.max(width, 1));
  return { start: edit.start, end: edit.end + aligned.length, insert };
}

/** True if a word on the line above or below begins in the column of `at`. */
function isInColumn(text: string, at: number): boolean {
  const start = lineStart(text, at);
  return [lineBefore(text, start), nextLine(text, at)].some((line) => {
    const other = line + at - start;
    return line !== start && other < lineEnd(text, line) && / \S/u.test(text.slice(other - 1, other + 1));
  });
}

/** Returns one edit that also keeps the comment right behind it in its column. */
export function inCommentColumn(stream: Stream, edit: Edit): Edit {
  const [, gap] = keepingCommentColumn(stream, [edit]);
  const isAligned = gap !== undefined && (edit.insert !== '' || gap.end - gap.start >= WIDE);
  return isAligned && gap.start === edit.end
    ? { ...edit, end: gap.end, insert: edit.insert + gap.insert }
    : edit;
}

/** The comments behind content on the lines above and below the one that holds `at`. */
function besides({ text, comments }: Stream, at: number): Span[] {
  const [start, next] = [lineStart(text, at), nextLine(text, at)];
  return [lineBefore(text, start), next].flatMap((line) => {
    const comment = comments[firstFrom(comments, line)];
    const isOther = line < start || line >= next;
    const isOnLine = comment !== undefined && isOther && comment.start < lineEnd(text, line);
    return isOnLine && !isBlank(text, line, comment.start) ? [comment] : [];
  });
}

/** Returns the usual number of spaces before a comment behind content, 2 or 1, as most of the comments have. */
function usualGap({ text, comments }: Stream): number {
  let more = 0;
  for (const { start } of comments.slice(0, ENOUGH)) {
    if (isBlank(text, lineStart(text, start), start)) continue;
    more += gapWidth(text, start) > 1 ? 1 : -1;
  }
  return more > 0 ? 2 : 1;
}

function gapWidth(text: string, comment: number): number {
  return comment - skipBlanksBack(text, comment);
}
