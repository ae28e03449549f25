// The comment that belongs to an entry: whole comment lines directly above it, in its own column.
import { columnOf, isBlank, lineEnd, lineStart } from '../tree/lines.ts';
import type { Span, Stream } from '../tree/span-tree.ts';

/** Where the head comment of what begins at `start` begins; the line start itself where there is none. */
export function headStart({ text, comments }: Pick<Stream, 'text' | 'comments'>, start: number): number {
  const column = columnOf(text, start);
  let head = lineStart(text, start);
  if (!isBlank(text, head, start)) return start;
  while (head > 0) {
    const above = lineStart(text, head - 1);
    const comment = above + column;
    if (above === head || !isBlank(text, above, comment)) break;
    if (comments[firstAtOrAfter(comments, comment)]?.start !== comment) break;
    if (lineEnd(text, above) < comment) break;
    head = above;
  }
  return head;
}

/** The comment on the line where `end` is, behind nothing but blanks and perhaps a comma; undefined where there is none. */
export function lineComment({ text, comments }: Stream, end: number): Span | undefined {
  const stop = lineEnd(text, end);
  const comment = comments[firstAtOrAfter(comments, end)];
  if (comment === undefined || comment.start >= stop) return undefined;
  return /^[ \t]*,?[ \t]*$/.test(text.slice(end, comment.start)) ? comment : undefined;
}

/** The comments that lie within the span. */
export function commentsWithin(comments: readonly Span[], start: number, end: number): readonly Span[] {
  const found: Span[] = [];
  for (let i = firstAtOrAfter(comments, start); ; i++) {
    const comment = comments[i];
    if (comment === undefined || comment.end > end) return found;
    found.push(comment);
  }
}

/** Index of the first comment that begins at `offset` or later: comments are in order. */
function firstAtOrAfter(comments: readonly Span[], offset: number): number {
  let low = 0;
  let high = comments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
