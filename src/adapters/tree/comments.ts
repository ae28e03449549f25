// Comments: those above a part, behind it on its line, and those that are commented-out parts; and their words.
import {
  columnOf,
  firstFrom,
  isBlank,
  lineBefore,
  lineEnd,
  lineStart,
  nextLine,
  withoutEnd,
} from './lines.ts';
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

/** Returns the lines of these comments that hold words. */
export function commentLines(text: string, comments: readonly Span[]): readonly string[] {
  return comments.flatMap(({ start, end }) => linesOfComment(text.slice(start, end)));
}

/**
 * Returns the lines of a text that is nothing but comments. Those that were joined to one (see `CommentSyntax`) are two. Only `exec` is
 * fast on a regular expression under the lock-down: `split` and `replace` took a third of a call.
 */
export function linesOfComment(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) => line.split('; '))
    .flatMap((line) => {
      const start = /[^\s#/*]/u.exec(line)?.index;
      return start === undefined ? [] : withoutEnd(line.slice(start), ' \t\r*/');
    });
}

/** An entry with its name, or an item, which has no key. */
interface Part {
  readonly start: number;
  readonly key?: unknown;
  readonly name?: string | undefined;
}

/**
 * Returns where the comments begin that are about the part, and leave with it; the start of its line where it has none. `start` is the
 * place on its line where it begins, together with a comma or a dash.
 */
export function commentStart(stream: Commented, part: Part, start = part.start): number {
  return belowCommentedOut(stream.text, part, headStart(stream, start));
}

/** Returns where the comments about the part begin: below the last commented-out part between `head` and the part's own line. */
export function belowCommentedOut(text: string, part: Part, head: number): number {
  const own = lineStart(text, part.start);
  let start = head;
  let depth: number | undefined;
  for (let at = head; at < own; at = nextLine(text, at)) {
    const line = commentIn(text.slice(at, lineEnd(text, at)));
    if (line === undefined) continue;
    // What is deeper, or an item below a key, is the value of the commented-out part. Behind `#- a` prose begins one column later.
    const isInside =
      depth !== undefined && (line.depth > depth + 1 || (line.depth >= depth && ITEM.test(line.content)));
    if (!isInside) depth = isPartLike(line, part) ? line.depth : undefined;
    if (depth !== undefined) start = nextLine(text, at);
  }
  // A part that shares its line with a dash has no line of its own.
  return Math.max(Math.min(start, own), head);
}

/** Returns whether a comment looks like an entry that was commented out. */
export function isEntryLike(comment: string): boolean {
  const line = commentIn(comment);
  return line !== undefined && isPartLike(line, { start: 0, key: true });
}

interface CommentLine {
  /** The number of blanks between the mark and the content. */
  readonly depth: number;
  readonly content: string;
}

function commentIn(line: string): CommentLine | undefined {
  const [, blanks, content = ''] = /^[ \t]*(?:#|\/\/)([ \t]*)(\S.*)$/u.exec(line) ?? [];
  return blanks === undefined ? undefined : { depth: blanks.length, content: content.trimEnd() };
}

const ITEM = /^-(?:[ \t]|$)/u;
const ENTRY =
  /^(?:"(?<quoted>[^"\n]+)"|(?<plain>[\w.$/-]+))(?:[ \t]*=|[ \t]?:(?=[ \t]|$))[ \t]*(?<value>.*)$/u;

function isPartLike({ content }: CommentLine, part: Part): boolean {
  if (part.key === undefined) return ITEM.test(content);
  const { quoted, plain, value = '' } = ENTRY.exec(content)?.groups ?? {};
  const key = quoted ?? plain;
  if (key === undefined || /^\d+$/u.test(key) || ABOUT_NEXT.test(content) || value.endsWith('.'))
    return false;
  // `# Note: …` is prose unless its sibling keys are capitalized as well.
  if (/^[A-Z][a-z]+$/u.test(key) && !/^["']?[A-Z]/u.test(part.name ?? '')) return false;
  const isOfWords = /^[^\s"'[{|>&*!#]+[ \t]+[^\s#]/u.test(value);
  return !isOfWords || key !== part.name;
}

/** What is said about the next key, in words or to a tool. */
const ABOUT_NEXT =
  /^(?:note|todo|fixme|hack|xxx|warning|warn|attention|caution|hint|tip|info|important|defaults?|examples?|e\.g\.?|usage|see|ref|https?|renovate|checkov|trivy|pragma|dependabot|kics-scan|noqa|nosec|prettier-ignore|eslint-[\w-]+)[ \t]*[:=]/iu;
