// Inserts and removes the lines of block collections, with the blank lines between their parts.

import type { Edit } from '../../security/edits/edit.ts';
import { headStart } from '../tree/comments.ts';
import {
  breakAt,
  columnOf,
  endOfBlankLines,
  firstFrom,
  indentOf,
  isBlank,
  lineEnd,
  lineStart,
  nextLine,
  skipBlankLines,
  skipBlankLinesBack,
  skipBlanks,
  skipBlanksBack,
  withoutBreak,
} from '../tree/lines.ts';
import {
  type Collection,
  isBlockCollection,
  partsOf,
  type Span,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { addLines, blankLines } from '../tree/whole-lines.ts';
import { commentOf, headOf, tailEnd } from './extent.ts';
import type { Part } from './neighbours.ts';
import { lastScalar, type Source } from './source.ts';
import { endBeyondBranches, startBeyondBranches } from './template.ts';

/** The number of parts on either side that are looked at for the usual blank lines. */
const FEW = 10;
/** Returns the blank lines above and below a new part at this index: as many as its neighbours have. */
export function usualGap(
  stream: Stream,
  node: Collection,
  index: number,
  isOfLines: boolean,
): { readonly above: number; readonly below: number } {
  const { text } = stream;
  const parts = partsOf(node);
  const [previous, next] = [parts[index - 1], parts[index]];
  const [only, second] = parts;
  // Two blocks are at least as far apart as the parts within one of them.
  if (isOfLines && only !== undefined && second === undefined && hasGapWithin(stream, only))
    return { above: previous === undefined ? 0 : 1, below: next === undefined ? 0 : 1 };
  // A single line right above its neighbour shows that single lines have no blank lines between them.
  const isClose =
    !isOfLines &&
    previous !== undefined &&
    next !== undefined &&
    !isOnLines(text, previous) &&
    blankLinesBetween(stream, previous, next) === 0;
  if (isClose) return { above: 0, below: 0 };
  const gaps = gapsIn(stream, parts.slice(Math.max(index - FEW, 0), index + FEW));
  const wanted = (part: Part | undefined) =>
    part === undefined
      ? 0
      : gapLike(gaps, isOfLines || isOnLines(text, part), isOfLines, node.kind === 'sequence');
  return { above: wanted(previous), below: wanted(next) };
}

interface Gap {
  readonly lines: number;
  /** True if one of the two parts beside the gap has several lines. */
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

/** Returns the blank lines that most gaps of this kind have. One gap between entries may be an exception; one between items is the rule. */
function gapLike(all: readonly Gap[], isOfLines: boolean, isNewOfLines: boolean, isList: boolean): number {
  const alike = all.filter((gap) => gap.isOfLines === isOfLines);
  const isOne = all.length === 1;
  const told = (isOne && isNewOfLines) || all.every(({ lines }) => lines > 0) ? all : alike;
  const isEnough = told.length > 1 || (isOne && (isList || (isNewOfLines && isOfLines)));
  const blank = told.filter(({ lines }) => lines > 0).map(({ lines }) => lines);
  return isEnough && blank.length * 2 > told.length ? Math.min(...blank) : 0;
}

function hasGapWithin(stream: Stream, { value }: Part): boolean {
  return (
    isBlockCollection(value) && gapsIn(stream, partsOf(value).slice(0, FEW)).some(({ lines }) => lines > 0)
  );
}

/** Counts the blank lines above the next part and its comment, except for those that are text of a scalar. */
function blankLinesBetween({ text, comments }: Stream, part: Part, next: Part): number {
  const head = headStart({ text, comments }, next.start);
  return text.slice(skipBlankLinesBack(text, head, part.end), head).split('\n').length - 1;
}

function isOnLines(text: string, { start, end }: Part): boolean {
  const at = text.indexOf('\n', start);
  return at !== -1 && at < end - 1;
}

/** Inserts whole lines into a block collection. `isClose`: directly after the part before, not before the next one and its comment. */
export function insertInBlock(
  stream: Stream,
  node: Collection,
  index: number,
  lines: readonly string[],
  source: Pick<Source, 'node'>,
  isClose: boolean,
): Edit[] {
  const { text } = stream;
  const parts = partsOf(node);
  const [previous, next] = [parts[index - 1], parts[index]];
  const { above, below } = usualGap(stream, node, index, lines.length > 1);
  const isApart =
    previous !== undefined && next !== undefined && blankLinesBetween(stream, previous, next) > 0;
  // Blank lines after a scalar with `+` would be its text.
  const isKeeping = lastScalar(source.node)?.chomp === 'keep';
  const before = keepsLineBreaks(previous) ? [] : blankLines(above);
  const behind = isKeeping ? [] : blankLines(below);
  if (previous !== undefined && (next === undefined || isClose)) {
    const end = endBeyondBranches(stream, node, previous, tailEnd(stream, previous), isClose);
    const blankEnd = isKeeping ? endOfBlankLines(text, end) : end;
    const at = blankEnd > end ? nextLine(text, blankEnd) : end;
    const all = [...(at > end ? [] : before), ...lines, ...(isApart ? [] : behind)];
    const inserted = addLines(text, at, all, breakAt(text, at), needsBreak(source));
    return [
      ...strippedHeader(text, previous.value, end),
      inserted,
      ...narrowBlankLines(text, inserted.end, source, inserted.insert),
    ];
  }
  if (next === undefined) throw new Error('a block has a part');
  const lineBreak = breakAt(text, next.start);
  if (!isBlank(text, lineStart(text, next.start), next.start)) {
    // The first part is on the line of its parent's indicator: the new one takes that place.
    const moved = lineBreak + ' '.repeat(columnOf(text, next.start));
    const insert = [...lines, ...behind].join(lineBreak).trimStart() + moved;
    return [{ start: next.start, end: next.start, insert }];
  }
  // The blank line that separates the new part must not be taken from the next block.
  const isBlock = isApart && lines.length > 1 && text.slice(next.start, next.end).trimEnd().includes('\n');
  const apart = isBlock && behind.length === 0 && !isKeeping ? [''] : behind;
  const all = [...(isApart ? [] : before), ...lines, ...apart];
  const head = startBeyondBranches(stream, node, next);
  return [{ start: head, end: head, insert: all.map((line) => line + lineBreak).join('') }];
}

/** True if a line break at the end of the text belongs to the value. */
export function needsBreak({ node }: Pick<Source, 'node'>): boolean {
  return (lastScalar(node)?.chomp ?? 'strip') !== 'strip';
}

/** Returns the edit that keeps a block scalar at the end of a file without a last line break as it is when a line is added after it. */
export function strippedHeader(text: string, value: SpanNode, end: number): Edit[] {
  const block = lastScalar(value);
  const isCutOff = end === text.length && text[end - 1] !== '\n';
  if (block === undefined || block.chomp === 'strip' || !isCutOff || block.bodyEnd < end) return [];
  const start = block.chomp === 'keep' ? text.indexOf('+', block.header.start) : block.header.end;
  return [{ start, end: block.chomp === 'keep' ? start + 1 : start, insert: '-' }];
}

/** Removes white space from blank lines at `at` that is wider than the indentation of a new block scalar above: it would become its text. */
export function narrowBlankLines(
  text: string,
  at: number,
  { node }: Pick<Source, 'node'>,
  written: string,
): Edit[] {
  const edits: Edit[] = [];
  if (lastScalar(node) === undefined || at !== lineStart(text, at)) return edits;
  const column = indentOf(written.trimEnd().split('\n').at(-1) ?? '');
  for (
    let line = at;
    line < text.length && isBlank(text, line, lineEnd(text, line));
    line = nextLine(text, line)
  )
    if (lineEnd(text, line) - line > column || text[line] === '\t')
      edits.push({ start: line, end: lineEnd(text, line), insert: '' });
  return edits;
}

/** True if line breaks after the part would become text of its value. */
function keepsLineBreaks(part: Part | undefined): boolean {
  return part !== undefined && lastScalar(part.value)?.chomp === 'keep';
}

/** Removes a part from a block, with its comments, and with the blank lines that do not separate its neighbours. */
export function removeFromBlock(stream: Stream, node: Collection, index: number, isMoving: boolean): Edit[] {
  const { text, comments, actions = [] } = stream;
  const parts = partsOf(node);
  const [previous, part, next] = [parts[index - 1], parts[index], parts[index + 1]];
  if (part === undefined) throw new Error('the part exists');
  const end = nextLine(text, withoutBreak(text, tailEnd(stream, part)));
  if (!isBlank(text, lineStart(text, part.start), part.start)) {
    // It is on the line of its parent's indicator, so the next part moves up to that line.
    const comment = comments[firstFrom(comments, end)];
    const follower = next === undefined ? skipBlanks(text, end) : next.start;
    const action = actions[firstFrom(actions, end)];
    // A template action stays on its line, which leaves the dash alone on the line above.
    if (action !== undefined && action.start < follower)
      return [{ start: skipBlanksBack(text, part.start), end: withoutBreak(text, end), insert: '' }];
    return [{ start: part.start, end: Math.min(follower, comment?.start ?? follower), insert: '' }];
  }
  const start = isMoving ? commentOf(stream, node, index) : headOf(stream, node, index);
  const lines = withBlankLines(stream, { start, end }, previous, next);
  // The line break before them may be a part of a block scalar.
  const chomp = previous && lastScalar(previous.value)?.chomp;
  const isCutOff = lines.start > 0 && lines.end === text.length && text[lines.end - 1] !== '\n';
  const isOver = isCutOff && (chomp === undefined || chomp === 'strip');
  const from = isOver ? lines.start - breakAt(text, lines.start - 1).length : lines.start;
  return [{ start: from, end: lines.end, insert: '' }];
}

/** Extends removed lines by the blank lines that are not needed between the neighbours, back to `least` at most. */
export function withBlankLines(
  stream: Stream,
  { start, end }: Span,
  previous: Part | undefined,
  next: Part | undefined,
  least = previous?.end ?? start,
): Span {
  const { text } = stream;
  const [above, below] = [skipBlankLinesBack(text, start, least), skipBlankLines(text, end)];
  const isAboveLess = start - above <= below - end;
  const isFirst = previous === undefined && !isCommentAbove(stream, start);
  // Blank lines below the part would become text of a scalar with `+` above it.
  const takesBelow = keepsLineBreaks(previous) || (next !== undefined && (isFirst || !isAboveLess));
  return { start: next === undefined || isAboveLess ? above : start, end: takesBelow ? below : end };
}

function isCommentAbove({ text, comments }: Stream, line: number): boolean {
  const comment = comments[firstFrom(comments, line) - 1];
  const isAlone = comment !== undefined && isBlank(text, lineStart(text, comment.start), comment.start);
  return isAlone && nextLine(text, comment.end) === line;
}
