// A part in brackets with what belongs to it on its lines: its comma, and the comments before and after it.
import type { Edit } from '../../security/edits/edit.ts';
import { commentStart, commentsWithin, lineComment } from '../tree/comments.ts';
import { firstFrom, isBlank, lineEnd, lineStart, skipBlanks, skipBlanksBack } from '../tree/lines.ts';
import { outerStart, type Stream } from '../tree/span-tree.ts';
import { gapBefore } from './columns.ts';
import type { Part } from './neighbours.ts';

/** A part with what belongs to it on its lines. */
export interface Piece {
  readonly start: number;
  /** The end of the part and of the comments before its comma. */
  readonly end: number;
  readonly comma: number | undefined;
  /** The end with the comma and the comments up to the end of the line. */
  readonly stop: number;
}

export function pieceOf(stream: Stream, part: Part): Piece {
  const { text } = stream;
  const start = commentsBefore(stream, 'key' in part ? part.start : outerStart(part.value));
  const comma = commaBehind(stream, part.end);
  if (comma === undefined) {
    const end = commentsOnLine(stream, part.end);
    return { start, end, comma, stop: end };
  }
  const end = commentsWithin(stream.comments, part.end, comma).at(-1)?.end ?? part.end;
  const last = commentsOnLine(stream, comma + 1);
  // A comment before another part on the same line is about that other part.
  const isLast =
    isBlank(text, last, lineEnd(text, last)) || ']}'.includes(text[skipBlanks(text, last)] ?? 'x');
  return { start, end, comma, stop: isLast ? last : comma + 1 };
}

/** Returns the offset of the comma that follows, past white space and comments. */
export function commaBehind({ text, comments }: Stream, from: number): number | undefined {
  let at = from;
  for (let i = firstFrom(comments, from); ; i++) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    const comment = comments[i];
    if (comment?.start !== at) return text[at] === ',' ? at : undefined;
    at = comment.end;
  }
}

/** Returns the start of the comments that are directly before a part on its line. */
function commentsBefore({ text, comments }: Stream, from: number): number {
  let start = from;
  for (let i = firstFrom(comments, from) - 1; ; i--) {
    const comment = comments[i];
    if (comment === undefined || !isBlank(text, comment.end, start)) return start;
    start = comment.start;
  }
}

/** Returns the end of the comments that follow one another on the line. */
function commentsOnLine({ text, comments }: Stream, from: number): number {
  let end = from;
  for (let i = firstFrom(comments, from); ; i++) {
    const comment = comments[i];
    if (comment === undefined || !isBlank(text, end, comment.start)) return end;
    end = comment.end;
  }
}

/** Returns the start of the comments above a part; above one with a comment after it, block comments are titles of sections. */
export function headOfPiece(stream: Stream, part: Part, { start, stop }: Piece): number {
  const own = lineStart(stream.text, start);
  const head = commentStart(stream, part, start);
  const isTitle =
    commentsWithin(stream.comments, part.end, stop).length > 0 &&
    /^(?:[ \t]*\/\*[^*\n]*\*\/\r?\n)+$/.test(stream.text.slice(head, own));
  return isTitle ? own : head;
}

/** Sets the comment at the end of a part's line; undefined if other content follows on the line. */
export function commentOfPiece(stream: Stream, part: Part, comment: string): Edit | undefined {
  const { text } = stream;
  const { comma, end, stop } = pieceOf(stream, part);
  const old = commentsWithin(stream.comments, part.end, stop).at(-1);
  const from = old?.end ?? (comma === undefined ? end : comma + 1);
  const lineStop = lineEnd(text, from);
  if (!isBlank(text, from, lineStop) || text.slice(part.end, from).includes('\n')) return undefined;
  return old === undefined
    ? { start: from, end: lineStop, insert: gapBefore(stream, from) + comment }
    : { start: old.start, end: old.end, insert: comment };
}

/** Adds a comment at the end of the line on which these brackets end; undefined if other content follows on the line. */
export function commentBehind(
  stream: Stream,
  end: number,
  comment: string,
  join: (old: string, added: string) => string,
): Edit | undefined {
  const { text } = stream;
  const old = lineComment(stream, end);
  const stop = lineEnd(text, end);
  if (old !== undefined && isBlank(text, old.end, stop))
    return { start: old.start, end: old.end, insert: join(text.slice(old.start, old.end), comment) };
  const from = skipBlanksBack(text, stop, end);
  return old === undefined && /^[ \t]*,?$/.test(text.slice(end, from))
    ? { start: from, end: stop, insert: gapBefore(stream, from) + comment }
    : undefined;
}
