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
import {
  type Entry,
  isEmpty,
  type MappingNode,
  outerStart,
  type Span,
  type Stream,
} from '../tree/span-tree.ts';
import { lineIndent } from './neighbour-style.ts';

/** The number of comments that are enough to tell the usual gap. */
const ENOUGH = 300;
/** A gap of at least this many blanks means that the comments are aligned in a column. */
const WIDE = 3;

/** Answers the blanks between the content that ends at `end` and the comment behind it. */
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

/** Returns an edit of a key that also keeps its sign, or else its value, in the column that it shares with one beside it. */
export function inKeyColumn(text: string, { entries }: MappingNode, index: number, edit: Edit): Edit {
  const [own, ...others] = [entries[index], entries[index - 1], entries[index + 1]];
  for (const placeOf of [placeOfSign, placeOfValue]) {
    const place = own && placeOf(own);
    if (place === undefined || text.slice(edit.end, place.at).includes('\n')) continue;
    const column = columnOf(text, place.at);
    const beside = others.flatMap((other) => (other && placeOf(other)) ?? []);
    const alike = beside.filter(({ at }) => columnOf(text, at) === column);
    if (alike.length === 0 || ![place, ...alike].some(({ gap }) => gap > place.usual)) continue;
    const width = place.at - edit.end - (edit.insert.length - (edit.end - edit.start));
    const gap = ' '.repeat(Math.max(width - (place.from - edit.end), place.usual, 0));
    const between = text.slice(edit.end, place.from);
    return { start: edit.start, end: place.at, insert: edit.insert + between + gap };
  }
  return edit;
}

/** A place behind the key that may share a column, the end of what is before it, and the blanks between them. */
function placeOfSign({ key, colon }: Entry) {
  if (colon === undefined) return undefined;
  const gap = colon - key.end;
  return { at: colon, from: key.end, gap, usual: Math.min(gap, 1) };
}

function placeOfValue({ colon, value }: Entry) {
  const at = outerStart(value);
  return colon === undefined || isEmpty(value)
    ? undefined
    : { at, from: colon + 1, gap: at - colon - 1, usual: 1 };
}

/** Answers one edit that also keeps the comment right behind it in its column. */
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

/** Answers the usual number of spaces before a comment behind content, 2 or 1, as most of the comments have. */
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
