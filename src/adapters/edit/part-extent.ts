// Finds the lines that belong to a part of a block collection: its comments, and the blank lines that keep it apart from its
// neighbours.

import { tailOfActions } from '../tree/actions.ts';
import { commentStart, isEntryLike } from '../tree/commented-out.ts';
import { firstFrom } from '../tree/first-from.ts';
import { headStart } from '../tree/head-comment.ts';
import {
  columnOf,
  isBlank,
  lineBefore,
  lineEnd,
  lineStart,
  nextLine,
  skipBlankLines,
  skipBlankLinesBack,
} from '../tree/lines.ts';
import {
  type Collection,
  type Entry,
  type Item,
  isBlockCollection,
  isCollection,
  isNull,
  partsOf,
  type Span,
  type Stream,
} from '../tree/span-tree.ts';
import { lastBlockScalar } from './fragment.ts';

type Part = Entry | Item;

/** The number of parts on either side that are enough to tell how parts are kept apart. */
const FEW = 10;

/** Returns where the head comment of the part begins, or the start of its line where it has none. */
export function commentStartIn(stream: Stream, container: Collection, index: number): number {
  const [part, ...behind] = partsOf(container).slice(index);
  if (part === undefined) throw new Error('the part exists');
  const line = lineStart(stream.text, part.start);
  const head = commentStart(stream, part);
  const isFirst = index === 0 && head < line && 'key' in part && isBlockCollection(container);
  if (!isFirst) return head;
  // A blank line ends what a heading is about.
  const gap = behind.findIndex((one) => isBelowBlank(stream, one));
  const others = gap === -1 ? behind : behind.slice(0, gap);
  const comment = stream.text.slice(head, line);
  if (others.length < SEVERAL || FOR_NEXT.test(comment) || isAbout(comment, part.name)) return head;
  const isHeading = others.every(({ start }) => headStart(stream, start) >= lineStart(stream.text, start));
  return isHeading ? line : head;
}

function isBelowBlank(stream: Stream, { start }: Part): boolean {
  const { text } = stream;
  const head = headStart(stream, start);
  const before = lineBefore(text, head);
  return before < head && isBlank(text, before, lineEnd(text, before));
}

/** Directives of tools and comments for documentation generators belong to the key below them. */
const FOR_NEXT =
  /^[ \t]*(?:#|\/\/)[ \t]*(?:(?:renovate|checkov|trivy|pragma|dependabot)\b|kics-scan|noqa|nosec|prettier-ignore|eslint-|@\w|--[ \t])/m;

/** With at least this many other parts without a comment, the comment of the first part may be a heading. */
const SEVERAL = 2;

/** Whether the comment holds the key, or a word of the key. */
function isAbout(comment: string, key = ''): boolean {
  const words = key.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((word) => word.length > 2);
  const text = comment.toLowerCase();
  const isNamed = ` ${text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `.includes(` ${key.toLowerCase()} `);
  return isNamed || words.some((word) => text.includes(word.toLowerCase()));
}

/** The end of the part with the comment on its last line, and what stands below it and is indented deeper: comments, and actions of a template. */
export function tailEnd(stream: Stream, part: Part): number {
  const { text, actions } = stream;
  for (let end = part.end; ; ) {
    const commented = endOfComments(stream, part, end);
    const next = actions === undefined ? commented : tailOfActions(text, actions, part, commented);
    if (actions === undefined || next === end) return next;
    end = next;
  }
}

function endOfComments({ text, comments }: Stream, part: Part, from: number): number {
  const column = columnOf(text, part.start);
  // A scalar that keeps its line breaks ends where the next line begins.
  const lastLine = part.end > 0 && text[part.end - 1] === '\n' ? undefined : lineStart(text, part.end);
  let end = from;
  let isApart: boolean | undefined;
  for (let i = firstFrom(comments, end); ; i++) {
    const comment = comments[i];
    if (comment === undefined || !/^\s*$/.test(text.slice(end, comment.start))) return end;
    const isOnLine = lastLine === lineStart(text, comment.start);
    const depth = columnOf(text, comment.start) - column;
    const mayBeContent = depth === 0 && isBelowNothing(text, part, end, comment);
    if (mayBeContent) isApart ??= isAboveBlank(text, comments, i);
    const isInside = depth > 0 || (mayBeContent && isCommentedOut(text, comment, isApart === true));
    if (!isOnLine && !isInside) return end;
    end = comment.end;
  }
}

/** Whether the comment is directly below an empty value. */
function isBelowNothing(text: string, { value }: Part, end: number, comment: Span): boolean {
  const isNothing = isNull(value) || (isCollection(value) && partsOf(value).length === 0);
  return isNothing && nextLine(text, end) === lineStart(text, comment.start);
}

/**
 * Whether the comment below an empty value looks like its commented-out content: `#  - a` or `# - a`; or `# a:`, unless the next
 * part is directly below the comments.
 */
function isCommentedOut(text: string, { start, end }: Span, isApart: boolean): boolean {
  const comment = text.slice(start, end);
  return /^#(?: {2,}|\t| ?- )/.test(comment) || (isApart && isEntryLike(comment));
}

/** Whether a blank line, or the end of the text, follows the comments that are directly below each other from this one on. */
function isAboveBlank(text: string, comments: readonly Span[], first: number): boolean {
  let below = nextLine(text, comments[first]?.end ?? text.length);
  for (let i = first + 1; lineStart(text, comments[i]?.start ?? 0) === below; i++)
    below = nextLine(text, comments[i]?.end ?? text.length);
  return isBlank(text, below, lineEnd(text, below));
}

/** The blank lines that a new part needs above and below it, to stand as its neighbours do. */
export interface BlankLines {
  readonly above: number;
  readonly below: number;
}

/** Returns the blank lines around a part that will have this index, and that has one line or several. */
export function blankLinesAround(
  stream: Stream,
  node: Collection,
  index: number,
  isMultiline: boolean,
): BlankLines {
  const { text } = stream;
  const parts = partsOf(node);
  const [previous, next] = [parts[index - 1], parts[index]];
  const [only, second] = parts;
  // Two blocks stand at least as far apart as the parts within one of them.
  const isOpen = isMultiline && only !== undefined && second === undefined && hasGapWithin(stream, only);
  if (isOpen) return { above: previous === undefined ? 0 : 1, below: next === undefined ? 0 : 1 };
  const gaps = gapsIn(stream, parts.slice(Math.max(index - FEW, 0), index + FEW));
  const wanted = (neighbour: Part | undefined) =>
    neighbour === undefined ? 0 : usualGap(gaps, isMultiline || isOnLines(text, neighbour));
  // Where a line stands close to the next part, another line does so too.
  const isClose =
    !isMultiline &&
    previous !== undefined &&
    next !== undefined &&
    !isOnLines(text, previous) &&
    blankLinesBetween(stream, previous, next) === 0;
  return isClose ? { above: 0, below: 0 } : { above: wanted(previous), below: wanted(next) };

  function usualGap(all: readonly Gap[], isOfLines: boolean): number {
    const alike = all.filter((gap) => gap.isOfLines === isOfLines);
    // A single gap may have its own reason between entries, but the items of a list are alike.
    const told = all.length === 1 && isMultiline ? all : all.every(({ lines }) => lines > 0) ? all : alike;
    const isLike = node.kind === 'sequence' || (isMultiline && isOfLines);
    const isEnough = told.length > 1 || (all.length === 1 && isLike);
    const blank = told.filter(({ lines }) => lines > 0);
    return isEnough && blank.length * 2 > told.length ? Math.min(...blank.map(({ lines }) => lines)) : 0;
  }
}

interface Gap {
  readonly lines: number;
  /** Whether one of the two parts beside the gap stands on several lines. */
  readonly isOfLines: boolean;
}

function gapsIn(stream: Stream, parts: readonly Part[]): Gap[] {
  return parts.slice(1).flatMap((part, index) => {
    const before = parts[index];
    if (before === undefined) return [];
    const isOfLines = isOnLines(stream.text, before) || isOnLines(stream.text, part);
    return [{ lines: blankLinesBetween(stream, before, part), isOfLines }];
  });
}

function hasGapWithin(stream: Stream, { value }: Part): boolean {
  return (
    isBlockCollection(value) && gapsIn(stream, partsOf(value).slice(0, FEW)).some(({ lines }) => lines > 0)
  );
}

/** Counts the blank lines above the next part and its comment, without those that are text of a scalar. */
export function blankLinesBetween(stream: Stream, part: Part, next: Part): number {
  const head = headStart(stream, next.start);
  return countBlankLines(stream.text, skipBlankLinesBack(stream.text, head, part.end), head);
}

function isOnLines(text: string, { start, end }: Part): boolean {
  const lineBreak = text.indexOf('\n', start);
  return lineBreak !== -1 && lineBreak < end - 1;
}

function countBlankLines(text: string, from: number, to: number): number {
  return text.slice(from, to).split('\n').length - 1;
}

interface Neighbours {
  readonly previous: Part | undefined;
  readonly next: Part | undefined;
  /** The offset before which nothing is removed. */
  readonly least?: number;
}

/** Extends the lines from `start` to `end`, which are removed, by the blank lines that do not keep the neighbours apart. */
export function withBlankLines(
  stream: Stream,
  { start, end }: Span,
  { previous, next, least = previous?.end ?? start }: Neighbours,
): Span {
  const { text } = stream;
  const above = skipBlankLinesBack(text, start, least);
  const below = skipBlankLines(text, end);
  const isAboveLess = start - above <= below - end;
  const isFirst = previous === undefined && !isCommentAbove(stream, start);
  // A scalar that keeps its line breaks would take the blank lines behind the entry as its text.
  const takesBelow = keepsLineBreaks(previous) || (next !== undefined && (isFirst || !isAboveLess));
  const takesAbove = next === undefined || isAboveLess;
  return { start: takesAbove ? above : start, end: takesBelow ? below : end };
}

function isCommentAbove({ text, comments }: Stream, line: number): boolean {
  const comment = comments[firstFrom(comments, line) - 1];
  const isAlone = comment !== undefined && isBlank(text, lineStart(text, comment.start), comment.start);
  return isAlone && nextLine(text, comment.end) === line;
}

/** Whether line breaks behind the part would become text of its value. */
export function keepsLineBreaks(part: Part | undefined): boolean {
  return part !== undefined && lastBlockScalar(part.value)?.chomp === 'keep';
}
