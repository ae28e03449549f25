// The lines that a part of a block collection has besides its own: the comments below that belong to it, and the blank
// lines that keep it apart from its neighbours.

import { tailOfActions } from '../tree/actions.ts';
import { firstFrom } from '../tree/first-from.ts';
import { headStart } from '../tree/head-comment.ts';
import { columnOf, isBlank, lineEnd, lineStart, nextLine } from '../tree/lines.ts';
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

/** So many parts on either side tell how they are kept apart. */
const FEW = 10;

/** Where the head comment begins that goes with the part; the line start itself where there is none. */
export function ownStart(stream: Stream, container: Collection, index: number): number {
  const parts = partsOf(container);
  const [part, ...others] = parts.slice(index);
  if (part === undefined) throw new Error('the part exists');
  const [head, line] = [headStart(stream, part.start), lineStart(stream.text, part.start)];
  const isFirst = index === 0 && head < line && 'key' in part && isBlockCollection(container);
  if (!isFirst || others.length < SEVERAL || isAbout(stream.text.slice(head, line), part.name)) return head;
  const isHeading = others.every(({ start }) => headStart(stream, start) >= lineStart(stream.text, start));
  return isHeading ? line : head;
}

/** Of so many others that have no comment the first one's may be the heading. */
const SEVERAL = 2;

/** Whether the comment has the key in it, or a word of it. */
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
  for (let i = firstFrom(comments, end); ; i++) {
    const comment = comments[i];
    if (comment === undefined || !/^\s*$/.test(text.slice(end, comment.start))) return end;
    const isOnLine = lastLine === lineStart(text, comment.start);
    const depth = columnOf(text, comment.start) - column;
    const isInside = depth > 0 || (depth === 0 && isCommentedOut(text, part, end, comment));
    if (!isOnLine && !isInside) return end;
    end = comment.end;
  }
}

/** What nothing or empty brackets could hold, right below them: `#  - a` or `# - a`. */
function isCommentedOut(text: string, { value }: Part, end: number, comment: Span): boolean {
  const isNothing = isNull(value) || (isCollection(value) && partsOf(value).length === 0);
  const isNear = nextLine(text, end) === lineStart(text, comment.start);
  return isNothing && isNear && /^#(?: {2,}|\t| ?- )/.test(text.slice(comment.start, comment.end));
}

/** Blank lines that a new part needs above and below it to stand as its neighbours do. */
export interface BlankLines {
  readonly above: number;
  readonly below: number;
}

/** For a part that becomes the one with this index, on one line or on several. */
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
  // Two blocks stand no closer than what is within one.
  const isOpen = isMultiline && only !== undefined && second === undefined && hasGapWithin(stream, only);
  if (isOpen) return { above: previous === undefined ? 0 : 1, below: next === undefined ? 0 : 1 };
  const gaps = gapsIn(stream, parts.slice(Math.max(index - FEW, 0), index + FEW));
  const wanted = (neighbour: Part | undefined) =>
    neighbour === undefined ? 0 : usualGap(gaps, isMultiline || isOnLines(text, neighbour));
  // Where a line stands close to what is next, another line does.
  const isClose =
    !isMultiline &&
    previous !== undefined &&
    next !== undefined &&
    !isOnLines(text, previous) &&
    blankLinesBetween(stream, previous, next) === 0;
  return { above: wanted(previous), below: isClose ? 0 : wanted(next) };

  function usualGap(all: readonly Gap[], isOfLines: boolean): number {
    const alike = all.filter((gap) => gap.isOfLines === isOfLines);
    // One gap alone may be there for what stands beside it, but the items of a list are alike.
    const told = all.length === 1 && isMultiline ? all : all.every(({ lines }) => lines > 0) ? all : alike;
    const isLike = node.kind === 'sequence' || (isMultiline && isOfLines);
    const isEnough = told.length > 1 || (all.length === 1 && isLike);
    const blank = told.filter(({ lines }) => lines > 0);
    return isEnough && blank.length * 2 > told.length ? Math.min(...blank.map(({ lines }) => lines)) : 0;
  }
}

interface Gap {
  readonly lines: number;
  /** Whether a part beside it stands on several lines. */
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

/** Those above the next part with its comment; none where they are text of a scalar. */
export function blankLinesBetween(stream: Stream, part: Part, next: Part): number {
  const head = headStart(stream, next.start);
  return countBlankLines(stream.text, startOfBlankLines(stream.text, head, part.end), head);
}

function isOnLines(text: string, { start, end }: Part): boolean {
  const lineBreak = text.indexOf('\n', start);
  return lineBreak !== -1 && lineBreak < end - 1;
}

function countBlankLines(text: string, from: number, to: number): number {
  return text.slice(from, to).split('\n').length - 1;
}

/** Where the run of blank lines that ends at the line start `at` begins; not before `least`. */
function startOfBlankLines(text: string, at: number, least: number): number {
  let start = at;
  while (start > least) {
    const above = lineStart(text, start - 1);
    if (above < least || above === start || !isBlank(text, above, lineEnd(text, above))) break;
    start = above;
  }
  return start;
}

/** Where the run of blank lines that begins at the line start `at` ends. */
export function endOfBlankLines(text: string, at: number): number {
  let end = at;
  while (end < text.length && isBlank(text, end, lineEnd(text, end))) end = nextLine(text, end);
  return end;
}

interface Neighbours {
  readonly previous: Part | undefined;
  readonly next: Part | undefined;
  /** Before this nothing goes. */
  readonly least?: number;
}

/** What leaves with its lines, from `start` to `end`, takes the blank lines along that do not keep its neighbours apart. */
export function withBlankLines(
  stream: Stream,
  { start, end }: Span,
  { previous, next, least = previous?.end ?? start }: Neighbours,
): Span {
  const { text } = stream;
  const above = startOfBlankLines(text, start, least);
  const below = endOfBlankLines(text, end);
  const isAboveLess = start - above <= below - end;
  const isFirst = previous === undefined && !isCommentAbove(stream, start);
  // Blank lines behind the entry would become part of a scalar that keeps them.
  const takesBelow = keepsLineBreaks(previous) || (next !== undefined && (isFirst || !isAboveLess));
  const takesAbove = next === undefined || isAboveLess;
  return { start: takesAbove ? above : start, end: takesBelow ? below : end };
}

function isCommentAbove({ text, comments }: Stream, line: number): boolean {
  const comment = comments[firstFrom(comments, line) - 1];
  const isAlone = comment !== undefined && isBlank(text, lineStart(text, comment.start), comment.start);
  return isAlone && nextLine(text, comment.end) === line;
}

/** Whether line breaks behind the part would become its text. */
export function keepsLineBreaks(part: Part | undefined): boolean {
  return part !== undefined && lastBlockScalar(part.value)?.chomp === 'keep';
}
