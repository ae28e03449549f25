// Finds a part of a collection in brackets with all that goes with it: the comments before it on its line, its comma, and the
// comments up to the end of the line.

import type { Edit } from '../../security/index.ts';
import { commentStart } from '../tree/commented-out.ts';
import { firstFrom } from '../tree/first-from.ts';
import { type Commented, commentsWithin, headStart } from '../tree/head-comment.ts';
import { isBlank, lineEnd, lineStart, nextLine, skipBlanks } from '../tree/lines.ts';
import { type Entry, type Item, outerStart, type Span, type Stream } from '../tree/span-tree.ts';
import { gapBeforeComment, inCommentColumn } from './comment-column.ts';

export interface BracketPiece {
  readonly start: number;
  /** The end of the part and of the comments before its comma. */
  readonly end: number;
  readonly comma: number | undefined;
  readonly stop: number;
}

export function bracketPiece(stream: Commented, part: Entry | Item): BracketPiece {
  const { text } = stream;
  const start = startOnLine(stream, 'key' in part ? part.start : outerStart(part.value));
  const comma = commaAfter(stream, part.end);
  if (comma === undefined) {
    const end = endOfComments(stream, part.end);
    return { start, end, comma, stop: end };
  }
  const end = commentsWithin(stream.comments, part.end, comma).at(-1)?.end ?? part.end;
  const last = endOfComments(stream, comma + 1);
  // A comment before another part on the same line describes that other part.
  const isLast =
    isBlank(text, last, lineEnd(text, last)) || ']}'.includes(text[skipBlanks(text, last)] ?? 'x');
  return { start, end, comma, stop: isLast ? last : comma + 1 };
}

/**
 * Returns where the comments above a part on its own line begin. Where it has a comment behind it, as `tsc --init` writes them,
 * titles of sections above it are not about it.
 */
export function headOfPiece(stream: Stream, part: Entry | Item, { start, stop }: BracketPiece): number {
  const own = lineStart(stream.text, start);
  const head = commentStart(stream, part, start);
  const isCommented = commentsWithin(stream.comments, part.end, stop).length > 0;
  return isCommented && NOT_ABOUT_NEXT.test(stream.text.slice(head, own)) ? own : head;
}

const NOT_ABOUT_NEXT = /^(?:[ \t]*\/\*[^*\n]*\*\/\r?\n)+$/;

/** The comments that stand around the part on its own lines, in order. */
export function commentsBeside(
  { text, comments }: Commented,
  part: Entry | Item,
  { start, stop }: BracketPiece,
): { readonly before: readonly string[]; readonly behind: readonly string[] } {
  const source = (one: Span) => text.slice(one.start, one.end);
  return {
    before: commentsWithin(comments, start, part.start).map(source),
    behind: commentsWithin(comments, part.end, stop).map(source),
  };
}

/** Puts the comment at the end of the part's line, in place of the last comment there. Returns undefined if content follows on the line. */
export function commentAtLineEnd(stream: Stream, part: Entry | Item, comment: string): Edit | undefined {
  const { text } = stream;
  const { comma, end, stop } = bracketPiece(stream, part);
  const old = commentsWithin(stream.comments, part.end, stop).at(-1);
  const at = old?.end ?? (comma === undefined ? end : comma + 1);
  const lineStop = lineEnd(text, at);
  if (!isBlank(text, at, lineStop) || text.slice(part.end, at).includes('\n')) return undefined;
  return old === undefined
    ? { start: at, end: lineStop, insert: gapBeforeComment(stream, at) + comment }
    : { start: old.start, end: old.end, insert: comment };
}

export function withoutComma(stream: Stream, comma: number): Edit {
  return inCommentColumn(stream, { start: comma, end: comma + 1, insert: '' });
}

/** Returns the part's lines from the comma of the part before, where commas stand at the beginning of lines; undefined elsewhere. */
export function lineWithItsComma(
  stream: Stream,
  part: Entry | Item,
  previous: Entry | Item,
): Span | undefined {
  const { text, comments } = stream;
  const [before, own] = [commaAfter(stream, previous.end), commaAfter(stream, part.end)];
  const stop = lineEnd(text, part.end);
  if (before === undefined || own === undefined || own < stop) return undefined;
  const crosses = commentsWithin(comments, part.end, own).some(
    ({ start, end }) => start < stop && end > stop,
  );
  if (crosses || !isBlank(text, lineStart(text, before), before)) return undefined;
  return { start: headStart(stream, before), end: nextLine(text, stop) };
}

/** The comma that follows, over blanks, line breaks and comments. */
export function commaAfter({ text, comments }: Commented, from: number): number | undefined {
  let at = from;
  for (let next = firstFrom(comments, from); ; next++) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    const comment = comments[next];
    if (comment?.start !== at) return text[at] === ',' ? at : undefined;
    at = comment.end;
  }
}

/** Returns the offset before the comments that stand directly before `start` on its line. */
function startOnLine({ text, comments }: Commented, start: number): number {
  let at = start;
  for (let i = firstFrom(comments, start) - 1; ; i--) {
    const comment = comments[i];
    if (comment === undefined || !isBlank(text, comment.end, at)) return at;
    at = comment.start;
  }
}

/** Returns the offset behind the comments that follow one another on the line. */
function endOfComments({ text, comments }: Commented, from: number): number {
  let end = from;
  for (let i = firstFrom(comments, from); ; i++) {
    const comment = comments[i];
    if (comment === undefined || !isBlank(text, end, comment.start)) return end;
    end = comment.end;
  }
}
