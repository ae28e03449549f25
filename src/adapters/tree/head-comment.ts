// Finds the comment that belongs to an entry: whole comment lines directly above it, in its own column. Comments about the file
// at its top belong to the file.
import { firstFrom } from './first-from.ts';
import { columnOf, isBlank, lineBefore, lineEnd, lineStart, nextLine } from './lines.ts';
import type { Span, Stream } from './span-tree.ts';

/** The parts of a stream that give the places of comments. */
export type Commented = Pick<Stream, 'text' | 'comments'>;

/** Returns the start of the head comment of what begins at `start`; the line start itself where there is none. */
export function headStart(stream: Commented, start: number): number {
  const { text } = stream;
  const title = titleStart(stream, start);
  return lastMatch(text, title, lineStart(text, start), RULE);
}

/** Does the same, but includes the title of a section above it. */
export function titleStart({ text, comments }: Commented, start: number): number {
  const column = columnOf(text, start);
  const own = lineStart(text, start);
  if (!isBlank(text, own, start)) return start;
  let head = own;
  for (let i = firstFrom(comments, own) - 1; ; i--) {
    const comment = comments[i];
    if (comment === undefined || nextLine(text, comment.end) !== head) break;
    const line = lineStart(text, comment.start);
    const isAlone =
      isBlank(text, line, comment.start) && isBlank(text, comment.end, lineEnd(text, comment.end));
    if (!isAlone || columnOf(text, comment.start) !== column) break;
    head = line;
  }
  return isTopOfFile(text, head) ? lastMatch(text, head, own, OF_THE_FILE) : head;
}

/** True if the line before is the marker of a document. */
export function isBelowMarker(text: string, line: number): boolean {
  return /^---[ \t\r\n]/.test(text.slice(lineBefore(text, line), line));
}

/** A line that is drawn, as above or below the title of a section. */
const RULE = /^[ \t]*(?:#|\/[/*])[ \t]*[-=#*~_/]{3}[-=#*~_/ \t]*$/;

/** Comments about the file: marks of editors and tools, copyright, and the origin of the file. */
const OF_THE_FILE =
  /^#!|yaml-language-server:|\b(?:ex|vi|vim):|-\*-|\byamllint\b|^# *(?:@|\$)schema\b|\bcopyright\b|\(c\)|spdx-|\blicen[cs]ed?\b|\bwarranties\b|\bdo not (?:edit|modify|change)\b|\bauto-?generated\b|\bgenerated (?:by|from|with|using)\b|\b(?:managed|maintained) by\b/i;

/** A comment that is longer is none that anybody reads. */
const MAX_HEADER_CHARS = 4_000;
/** The most characters for a mark and directives. */
const MAX_TOP_CHARS = 200;

function isTopOfFile(text: string, at: number): boolean {
  return at < MAX_TOP_CHARS && /^\uFEFF?(?:%.*\r?\n)*(?:---[ \t]*\r?\n)?$/.test(text.slice(0, at));
}

/** Returns the end of the last matching line between `start` and `end`; `start` where none matches. */
function lastMatch(text: string, start: number, end: number, pattern: RegExp): number {
  let found = start;
  if (end - start > MAX_HEADER_CHARS) return found;
  for (let at = start; at < end; at = nextLine(text, at))
    if (pattern.test(text.slice(at, lineEnd(text, at)))) found = Math.min(nextLine(text, at), end);
  return found;
}

/** The comment on the line where `end` is, behind nothing but blanks and perhaps a comma; undefined if there is none. */
export function lineComment({ text, comments }: Stream, end: number): Span | undefined {
  const stop = lineEnd(text, end);
  const comment = comments[firstFrom(comments, end)];
  if (comment === undefined || comment.start >= stop) return undefined;
  return /^[ \t]*,?[ \t]*$/.test(text.slice(end, comment.start)) ? comment : undefined;
}

/** The blanks and the comment right behind the node on its line; '' where there is none. */
export function trailingText({ text, comments }: Commented, { end }: Span): string {
  const comment = comments[firstFrom(comments, end)];
  return comment !== undefined && isBlank(text, end, comment.start) ? text.slice(end, comment.end) : '';
}

/** The comments that lie within the span. */
export function commentsWithin(comments: readonly Span[], start: number, end: number): readonly Span[] {
  const found: Span[] = [];
  for (let i = firstFrom(comments, start); ; i++) {
    const comment = comments[i];
    if (comment === undefined || comment.end > end) return found;
    found.push(comment);
  }
}
