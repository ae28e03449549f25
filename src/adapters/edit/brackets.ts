// Inserts and removes parts in brackets, on lines of their own or several on a line.
import type { Edit } from '../../security/edits/edit.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { commentStart, commentsWithin, headStart } from '../tree/comments.ts';
import {
  breakAt,
  indentBefore,
  isBlank,
  lineEnd,
  lineStart,
  nextLine,
  skipBlanks,
  skipBlanksBack,
} from '../tree/lines.ts';
import { type Collection, partsOf, type Span, type Stream } from '../tree/span-tree.ts';
import { needsBlankBehind } from '../tree/word-ends.ts';
import { usualGap, withBlankLines } from './block.ts';
import { keepingColumnOfComma, lineIndent } from './columns.ts';
import { commaGap, type Part, padOf } from './neighbours.ts';
import { commaBehind, headOfPiece, type Piece, pieceOf } from './piece.ts';

/** A part as it is written, with the comments that come with it. */
export interface NewPiece {
  readonly text: string;
  readonly above: readonly string[];
  readonly behind: string;
}

/** The style of the first part in brackets, and of what no neighbour shows. */
export interface BracketStyle {
  readonly isSpread: boolean;
  /** The indentation of one more level. */
  readonly level: string;
  readonly gap: string;
  readonly pad: string;
}

/** Inserts a part in brackets, in the style of the other parts. `isClose`: directly after the part before. */
export function insertPiece(
  stream: Stream,
  node: Collection,
  index: number,
  given: NewPiece,
  style: BracketStyle,
  isClose: boolean,
): Edit[] {
  const parts = partsOf(node);
  const [previous, next] = [parts[index - 1], parts[index]];
  const piece = { ...given, text: given.text.replaceAll('\n', breakAt(stream.text, node.start)) };
  const led = ledByComma(stream, node, index, piece);
  if (led !== undefined) return led;
  if (next !== undefined) return insertBefore(stream, node, index, next, piece, style, isClose);
  if (previous === undefined) return [fill(stream, node, piece, style)];
  return append(stream, node, previous, piece, style);
}

/** Returns the piece on lines of its own; `lead` is what its first line begins with. */
function pieceLines(
  { text }: Stream,
  at: number,
  { text: own, above, behind }: NewPiece,
  indent: string,
  comma: string,
  lead = indent,
): string {
  const lineBreak = breakAt(text, at);
  const line = lead + own + comma + (behind === '' ? '' : ` ${behind}`);
  return [...above.map((one) => indent + one), line].join(lineBreak);
}

/** Returns the piece as a part of a line, with the comments after which a line can go on. */
function inline({ text, above, behind }: NewPiece): string {
  if (!above.every(endsWithinLine)) throw lostComment();
  return [...above, text, ...(endsWithinLine(behind) ? [behind] : [])].join(' ');
}

function endsWithinLine(comment: string): boolean {
  return comment.startsWith('/*') && comment.endsWith('*/') && !comment.includes('\n');
}

export function lostComment(): Refusal {
  return new Refusal(
    'VERIFICATION_FAILED',
    'Cannot make this edit: a comment that comes along has no place there',
  );
}

function insertBefore(
  stream: Stream,
  node: Collection,
  index: number,
  next: Part,
  piece: NewPiece,
  { gap }: BracketStyle,
  isClose: boolean,
): Edit[] {
  const { text } = stream;
  const previous = partsOf(node)[index - 1];
  const nextPiece = pieceOf(stream, next);
  const { start } = nextPiece;
  const line = lineStart(text, start);
  if (!isBlank(text, line, start)) return [at(start, `${inline(piece)},${commaGap(text, node, gap)}`)];
  const indent = text.slice(line, start);
  const lineBreak = breakAt(text, node.start);
  const lines = pieceLines(stream, node.start, piece, indent, ',');
  const { above, below } = usualGap(stream, node, index, piece.text.includes('\n'));
  const stop = previous === undefined ? undefined : pieceOf(stream, previous).stop;
  if (isClose && stop !== undefined && isBlank(text, stop, lineEnd(text, stop)))
    return [at(lineEnd(text, stop), lineBreak.repeat(1 + above) + lines)];
  return [at(headOfPiece(stream, next, nextPiece), lines + lineBreak.repeat(1 + below))];
}

function append(
  stream: Stream,
  node: Collection,
  last: Part,
  piece: NewPiece,
  { gap }: BracketStyle,
): Edit[] {
  const { text } = stream;
  const { start, end, stop } = pieceOf(stream, last);
  const line = lineStart(text, start);
  const close = node.end - 1;
  const comma = needsBlankBehind(last) ? ' ,' : ',';
  if (lineStart(text, close) === lineStart(text, last.end) || !isBlank(text, line, start)) {
    if (comma === ' ,' && isBlank(text, last.end, close))
      return [{ start: last.end, end: close, insert: `${comma} ${inline(piece)}${padOf(text, node)}` }];
    const isOnLine = !text.slice(last.end, end).includes('\n') && !/[\r\n]/.test(text[end] ?? '');
    return [at(isOnLine ? end : last.end, `${comma}${commaGap(text, node, gap)}${inline(piece)}`)];
  }
  const { above } = usualGap(stream, node, partsOf(node).length, piece.text.includes('\n'));
  const isTrailing = node.trailingComma !== undefined;
  const lines = pieceLines(stream, last.end, piece, text.slice(line, start), isTrailing ? ',' : '');
  const added = breakAt(text, last.end).repeat(1 + above) + lines;
  const where = isBlank(text, stop, lineEnd(text, stop)) ? lineEnd(text, stop) : stop;
  if (isTrailing) return [at(where, added)];
  if (where === last.end) return [at(where, comma + added)];
  return [keepingColumnOfComma(stream, at(last.end, comma)), at(where, added)];
}

function fill(stream: Stream, node: Collection, piece: NewPiece, style: BracketStyle): Edit {
  const { text } = stream;
  const inner = text.slice(node.start + 1, node.end - 1);
  const outer = indentBefore(text, node.start);
  const lineBreak = breakAt(text, node.start);
  const lines = pieceLines(stream, node.start, piece, outer + style.level, '') + lineBreak;
  // Comments between the brackets stay above.
  const closeLine = lineStart(text, node.end - 1);
  if (inner.includes('\n') && isBlank(text, closeLine, node.end - 1)) return at(closeLine, lines);
  const span = { start: node.start + 1, end: node.end - 1 };
  if (inner.trim() !== '')
    return { ...span, start: skipBlanksBack(text, span.end), insert: ` ${inline(piece)} ` };
  if (style.isSpread) return { ...span, insert: lineBreak + lines + outer };
  const pad = inner === '' ? style.pad : ' ';
  return { ...span, insert: pad + inline(piece) + pad };
}

function at(offset: number, insert: string): Edit {
  return { start: offset, end: offset, insert };
}

/** Inserts a part if commas begin the lines of these brackets; returns undefined otherwise. */
function ledByComma(stream: Stream, node: Collection, index: number, piece: NewPiece): Edit[] | undefined {
  const { text } = stream;
  const parts = partsOf(node);
  const behind = Math.min(Math.max(index, 1), parts.length - 1);
  const [before, part, first, last] = [parts[behind - 1], parts[behind], parts[0], parts.at(-1)];
  if (before === undefined || part === undefined || first === undefined || last === undefined)
    return undefined;
  const comma = commaBehind(stream, before.end);
  if (comma === undefined || node.trailingComma !== undefined) return undefined;
  const lead = text.slice(lineStart(text, comma), pieceOf(stream, part).start);
  if (!/^[ \t]*,[ \t]*$/.test(lead)) return undefined;
  const lineBreak = breakAt(text, node.start);
  const lines = (own: string) => pieceLines(stream, node.start, piece, own.replace(',', ' '), '', own);
  if (index >= parts.length) {
    const { stop } = pieceOf(stream, last);
    const end = lineEnd(text, stop);
    return isBlank(text, stop, end) ? [at(end, lineBreak + lines(lead))] : undefined;
  }
  if (index > 0) return [at(headStart(stream, comma), lines(lead) + lineBreak)];
  const { start } = pieceOf(stream, first);
  const line = lineStart(text, start);
  if (!isBlank(text, line, start)) return [at(start, inline(piece) + lineBreak + lead)];
  // The first part becomes the second one, and gets the comma.
  return [
    at(headStart(stream, start), lines(text.slice(line, start)) + lineBreak),
    { start: line, end: start, insert: lead },
  ];
}

/** Removes a part from brackets. `least`: the earliest offset to remove from, if only comments are left. */
export function removePiece(
  stream: Stream,
  part: Part,
  previous: Part | undefined,
  next: Part | undefined,
  least?: number,
): Edit[] {
  const { text } = stream;
  const piece = pieceOf(stream, part);
  const { start, comma, stop } = piece;
  const isOwnLine = isBlank(text, lineStart(text, start), start);
  const lineStop = lineEnd(text, stop);
  if (isOwnLine && isBlank(text, stop, lineStop) && lineStop < text.length) {
    const lines = { start: headOfPiece(stream, part, piece), end: nextLine(text, lineStop) };
    const removed = { ...withBlankLines(stream, lines, previous, next, least), insert: '' };
    if (next !== undefined || comma !== undefined || previous === undefined) return [removed];
    // The part before becomes the last one, without a comma.
    const orphan = commaBehind(stream, previous.end);
    return orphan === undefined ? [removed] : [withoutComma(stream, orphan), removed];
  }
  if (next === undefined) return removeLast(stream, part, piece, previous);
  const led = previous && lineWithComma(stream, part, previous);
  if (led !== undefined) return [{ ...led, insert: '' }];
  const { start: follower } = pieceOf(stream, next);
  // The next part takes the place of a first one; the last one on a line leaves no trailing blanks.
  const isFirst = previous === undefined && text.slice(stop, follower).trim() === '';
  if (isFirst || !text.slice(part.end, follower).includes('\n'))
    return [{ start, end: follower, insert: '' }];
  return [{ start: skipBlanksBack(text, start), end: lineStop, insert: '' }];
}

function removeLast(stream: Stream, part: Part, piece: Piece, previous: Part | undefined): Edit[] {
  const { text } = stream;
  const { start, end, comma, stop } = piece;
  if (previous === undefined) return [{ start, end: stop, insert: '' }];
  const before = pieceOf(stream, previous);
  const isOwnLine = isBlank(text, lineStart(text, start), start);
  const head = isOwnLine ? headOfPiece(stream, part, piece) : skipBlanksBack(text, start);
  // The closing bracket takes the place of the part: further left, YAML would not accept it.
  const from = isOwnLine && lineIndent(text, previous.start) > 0 ? skipBlanks(text, head) : head;
  if (before.comma !== undefined && text.slice(before.comma + 1, from).trim() === '') {
    const gap = needsBlankBehind(previous) && /\S/.test(text[end] ?? ' ') ? ' ' : '';
    const behind =
      comma === undefined || stop === comma + 1 ? [] : [{ start: comma + 1, end: stop, insert: '' }];
    return [{ start: before.end, end, insert: gap }, ...behind];
  }
  // A comment is between the two: the part before keeps its comma only if the last one had a comma.
  const orphan =
    before.comma === undefined || comma !== undefined ? [] : [withoutComma(stream, before.comma)];
  return [...orphan, { start: from, end: Math.max(end, stop), insert: '' }];
}

/** Removes the only part, and puts `empty` in the place of brackets without comments of their own. */
export function removeOnlyPiece(stream: Stream, node: Collection, part: Part, empty: string): Edit[] {
  const { start, stop } = pieceOf(stream, part);
  const isAlone = isBlank(stream.text, lineStart(stream.text, start), start);
  const from = isAlone ? commentStart(stream, part, start) : start;
  const hasOthers = commentsWithin(stream.comments, node.start, node.end).some(
    (comment) => comment.start < from || comment.start >= stop,
  );
  return hasOthers
    ? removePiece(stream, part, undefined, undefined, node.start + 1)
    : [{ start: node.start, end: node.end, insert: empty }];
}

function withoutComma(stream: Stream, comma: number): Edit {
  return keepingColumnOfComma(stream, { start: comma, end: comma + 1, insert: '' });
}

/** Returns the lines of a part with the comma that they begin with; undefined if commas end lines. */
function lineWithComma(stream: Stream, part: Part, previous: Part): Span | undefined {
  const { text, comments } = stream;
  const [before, own] = [commaBehind(stream, previous.end), commaBehind(stream, part.end)];
  const stop = lineEnd(text, part.end);
  if (before === undefined || own === undefined || own < stop) return undefined;
  const crosses = commentsWithin(comments, part.end, own).some(
    ({ start, end }) => start < stop && end > stop,
  );
  if (crosses || !isBlank(text, lineStart(text, before), before)) return undefined;
  return { start: headStart(stream, before), end: nextLine(text, stop) };
}
