// Which comments belong to a part on lines of its own: above it, on its last line, and below it.
import {
  belowCommentedOut,
  commentStart,
  headStart,
  isBelowMarker,
  isEntryLike,
  titleStart,
} from '../tree/comments.ts';
import { columnOf, firstFrom, isBlank, lineBefore, lineEnd, lineStart, nextLine } from '../tree/lines.ts';
import {
  type Collection,
  isBlockCollection,
  isCollection,
  isNull,
  partsOf,
  type Span,
  type Stream,
} from '../tree/span-tree.ts';
import type { Part } from './neighbours.ts';
import { tailWithActions } from './template.ts';

/** With at least this many parts without a comment after it, the comment of the first part may be a heading. */
const SEVERAL = 2;

/** Returns the end of a part with the comment on its last line, and with the comments and actions below that are indented deeper. */
export function tailEnd(stream: Stream, part: Part): number {
  for (let { end } = part; ; ) {
    const commented = endOfComments(stream, part, end);
    const next = tailWithActions(stream, part, commented);
    if (next === end || next === commented) return next;
    end = next;
  }
}

function endOfComments({ text, comments }: Stream, part: Part, from: number): number {
  const column = columnOf(text, part.start);
  // A scalar with `+` ends where the next line begins.
  const last = text[part.end - 1] === '\n' ? undefined : lineStart(text, part.end);
  let end = from;
  let isApart: boolean | undefined;
  for (let i = firstFrom(comments, end); ; i++) {
    const comment = comments[i];
    if (comment === undefined || text.slice(end, comment.start).trim() !== '') return end;
    const depth = columnOf(text, comment.start) - column;
    const mayBeContent = depth === 0 && isBelowNothing(text, part, end, comment);
    if (mayBeContent) isApart ??= isAboveBlank(text, comments, i);
    const isInside = depth > 0 || (mayBeContent && isCommentedOut(text, comment, isApart === true));
    if (lineStart(text, comment.start) !== last && !isInside) return end;
    end = comment.end;
  }
}

/** True if the comment is directly below an empty value. */
function isBelowNothing(text: string, { value }: Part, end: number, comment: Span): boolean {
  const isNothing = isNull(value) || (isCollection(value) && partsOf(value).length === 0);
  return isNothing && nextLine(text, end) === lineStart(text, comment.start);
}

/**
 * True if the comment below an empty value looks like its commented-out content: `#  - a` or `# - a`; or `# a:`, unless the next
 * part is directly below the comments.
 */
function isCommentedOut(text: string, { start, end }: Span, isApart: boolean): boolean {
  const comment = text.slice(start, end);
  return /^#(?: {2,}|\t| ?- )/.test(comment) || (isApart && isEntryLike(comment));
}

/** True if a blank line, or the end of the text, follows the comments that are directly below each other from this one on. */
function isAboveBlank(text: string, comments: readonly Span[], first: number): boolean {
  let below = nextLine(text, comments[first]?.end ?? text.length);
  for (let i = first + 1; lineStart(text, comments[i]?.start ?? 0) === below; i++)
    below = nextLine(text, comments[i]?.end ?? text.length);
  return isBlank(text, below, lineEnd(text, below));
}

/** Returns the start of the comments that are removed with a part, including the title of its section if it is the only part there. */
export function headOf(stream: Stream, node: Collection, index: number): number {
  const { text } = stream;
  const parts = partsOf(node);
  const [previous, part, next] = [parts[index - 1], parts[index], parts[index + 1]];
  if (part === undefined) throw new Error('the part exists');
  const isLast = next === undefined || titleStart(stream, next.start) < headStart(stream, next.start);
  const head =
    previous !== undefined && isLast ? titleStart(stream, part.start) : commentOf(stream, node, index);
  const start = belowCommentedOut(text, part, head);
  // A comment right below the marker of a document is about a whole mapping, but about the first item of a list.
  const isOfDocument = previous === undefined && next !== undefined && isBelowMarker(text, start);
  return isOfDocument && 'key' in part ? lineStart(text, part.start) : start;
}

/** Returns the start of the comment about a part. Above the first of several parts without comments it may be a heading of them all. */
export function commentOf(stream: Stream, node: Collection, index: number): number {
  const { text } = stream;
  const [part, ...behind] = partsOf(node).slice(index);
  if (part === undefined) throw new Error('the part exists');
  const line = lineStart(text, part.start);
  const head = commentStart(stream, part);
  const isFirst = index === 0 && head < line && 'key' in part && isBlockCollection(node);
  if (!isFirst) return head;
  // A heading reaches to the next blank line.
  const gap = behind.findIndex((one) => isBelowBlank(stream, one));
  const others = gap === -1 ? behind : behind.slice(0, gap);
  const comment = text.slice(head, line);
  if (others.length < SEVERAL || FOR_NEXT.test(comment) || isAbout(comment, part.name)) return head;
  const isHeading = others.every(({ start }) => headStart(stream, start) >= lineStart(text, start));
  return isHeading ? line : head;
}

function isBelowBlank(stream: Stream, { start }: Part): boolean {
  const { text } = stream;
  const head = headStart(stream, start);
  const before = lineBefore(text, head);
  return before < head && isBlank(text, before, lineEnd(text, before));
}

/** Tool directives and comments for documentation generators, which belong to the key below them. */
const FOR_NEXT =
  /^[ \t]*(?:#|\/\/)[ \t]*(?:(?:renovate|checkov|trivy|pragma|dependabot)\b|kics-scan|noqa|nosec|prettier-ignore|eslint-|@\w|--[ \t])/m;

/** True if the comment holds the key, or a word of the key. */
function isAbout(comment: string, key = ''): boolean {
  const words = key.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((word) => word.length > 2);
  const text = comment.toLowerCase();
  const isNamed = ` ${text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${key.toLowerCase()} `);
  return isNamed || words.some((word) => text.includes(word.toLowerCase()));
}
