// The comment that belongs to an entry: whole comment lines directly above it, in its own column. What a file says of
// itself at its top belongs to the file.
import { columnOf, isBlank, lineEnd, lineStart, nextLine } from '../tree/lines.ts';
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
  return Math.max(head, headerEnd(text, head, start));
}

/** Marks of editors and tools, who holds the rights, and where the file comes from. */
const OF_THE_FILE =
  /^#!|yaml-language-server:|\b(?:ex|vi|vim):|-\*-|\byamllint\b|^# *(?:@|\$)schema\b|\bcopyright\b|\(c\)|spdx-|\blicen[cs]ed?\b|\bwarranties\b|\bdo not (?:edit|modify|change)\b|\bauto-?generated\b|\bgenerated (?:by|from|with|using)\b|\b(?:managed|maintained) by\b/i;

/** A comment that is longer is no head of a file that anybody reads. */
const MAX_HEADER_CHARS = 4_000;

/** Where the header of the file ends that the comment lines from `head` to `start` begin with; `head` where they have none. */
function headerEnd(text: string, head: number, start: number): number {
  const isTop = /^\uFEFF?(?:%.*\r?\n)*(?:---[ \t]*\r?\n)?$/.test(text.slice(0, Math.min(head, 200)));
  if (head === start || !isTop || head > 200 || start - head > MAX_HEADER_CHARS) return head;
  let end = head;
  for (let at = head; at < start; at = nextLine(text, at))
    if (OF_THE_FILE.test(text.slice(at, lineEnd(text, at)))) end = nextLine(text, at);
  return Math.min(end, lineStart(text, start));
}

/** The comment on the line where `end` is, behind nothing but blanks and perhaps a comma; undefined where there is none. */
export function lineComment({ text, comments }: Stream, end: number): Span | undefined {
  const stop = lineEnd(text, end);
  const comment = comments[firstAtOrAfter(comments, end)];
  if (comment === undefined || comment.start >= stop) return undefined;
  return /^[ \t]*,?[ \t]*$/.test(text.slice(end, comment.start)) ? comment : undefined;
}

/** So many comments tell how they stand behind content. */
const ENOUGH = 300;

/** What most comments behind content have before them: two spaces, or one. */
export function gapBeforeComments({ text, comments }: Stream): string {
  let more = 0;
  for (const { start } of comments.slice(0, ENOUGH)) {
    if (isBlank(text, lineStart(text, start), start)) continue;
    more += text.slice(start - 2, start) === '  ' ? 1 : -1;
  }
  return more > 0 ? '  ' : ' ';
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
export function firstAtOrAfter(comments: readonly Span[], offset: number): number {
  let low = 0;
  let high = comments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
