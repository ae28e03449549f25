// A part of a collection in brackets with all that goes with it: the comments before it on its line, its comma, and the
// comments behind it up to the end of the line.

import { commentsWithin, firstAtOrAfter } from '../tree/head-comment.ts';
import { isBlank, lineEnd, skipBlanks } from '../tree/lines.ts';
import { type Entry, type Item, outerStart, type Span, type Stream } from '../tree/span-tree.ts';

export interface BracketPiece {
  readonly start: number;
  /** Of the part with the comments before its comma. */
  readonly end: number;
  readonly comma: number | undefined;
  readonly stop: number;
}

export function bracketPiece(stream: Stream, part: Entry | Item): BracketPiece {
  const { text } = stream;
  const start = startOnLine(stream, 'key' in part ? part.start : outerStart(part.value));
  const comma = commaAfter(stream, part.end);
  if (comma === undefined) {
    const end = endOfComments(stream, part.end);
    return { start, end, comma, stop: end };
  }
  const end = commentsWithin(stream.comments, part.end, comma).at(-1)?.end ?? part.end;
  const last = endOfComments(stream, comma + 1);
  // What stands before another part on its line is about that one.
  const isLast =
    isBlank(text, last, lineEnd(text, last)) || ']}'.includes(text[skipBlanks(text, last)] ?? 'x');
  return { start, end, comma, stop: isLast ? last : comma + 1 };
}

/** The comments that stand around the part on its own lines, in order. */
export function commentsBeside(
  { text, comments }: Stream,
  part: Entry | Item,
  { start, stop }: BracketPiece,
): { readonly before: readonly string[]; readonly behind: readonly string[] } {
  const source = (one: Span) => text.slice(one.start, one.end);
  return {
    before: commentsWithin(comments, start, part.start).map(source),
    behind: commentsWithin(comments, part.end, stop).map(source),
  };
}

/** The comma that follows, over blanks, line breaks and comments. */
export function commaAfter({ text, comments }: Stream, from: number): number | undefined {
  let at = from;
  for (let next = firstAtOrAfter(comments, from); ; next++) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    const comment = comments[next];
    if (comment?.start !== at) return text[at] === ',' ? at : undefined;
    at = comment.end;
  }
}

/** Before the comments that stand right before it on its line. */
function startOnLine({ text, comments }: Stream, start: number): number {
  let at = start;
  for (let i = firstAtOrAfter(comments, start) - 1; ; i--) {
    const comment = comments[i];
    if (comment === undefined || !isBlank(text, comment.end, at)) return at;
    at = comment.start;
  }
}

/** Behind the comments that follow on the line, one after the other. */
function endOfComments({ text, comments }: Stream, from: number): number {
  let end = from;
  for (let i = firstAtOrAfter(comments, from); ; i++) {
    const comment = comments[i];
    if (comment === undefined || !isBlank(text, end, comment.start)) return end;
    end = comment.end;
  }
}
