// Adds a part to a collection in brackets, in the layout of its parts.
import type { Edit } from '../../security/index.ts';
import { breakAt, indentBefore, isBlank, lineEnd, lineStart, skipBlanksBack } from '../tree/lines.ts';
import {
  type Collection,
  type Entry,
  type Item,
  partsOf,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { needsBlankBehind } from '../tree/word-ends.ts';
import { bracketPiece, headOfPiece } from './bracket-piece.ts';
import { inCommentColumn } from './comment-column.ts';
import { insertAt } from './intent.ts';
import { withLeadingComma } from './leading-comma.ts';
import { commaGap, padWithin } from './neighbour-style.ts';
import { blankLinesAround } from './part-extent.ts';
import type { WriteContext } from './write-context.ts';

/** A part in brackets as it is written, with the comments that come with it where it gets lines of its own. */
export interface NewPiece {
  readonly text: string;
  readonly above: readonly string[];
  readonly behind: readonly string[];
  /** The blanks within brackets that were empty. */
  readonly pad: string;
}

/** Adds `piece` as the part `index` of a flow collection, in the layout of its parts. For `isClose` see `insertIntoBlock`. */
export function insertIntoFlow(
  stream: Stream,
  node: Collection,
  index: number,
  piece: NewPiece,
  place: WriteContext,
  isClose: boolean,
): Edit[] {
  const { text } = stream;
  const parts = partsOf(node);
  const [previous, next] = [parts[index - 1], parts[index]];
  const lineBreak = breakAt(text, node.start);
  const own = piece.text.replaceAll('\n', lineBreak);
  const lines = (indent: string, comma: string, lead = indent): string =>
    [
      ...piece.above.map((comment) => `${indent}${comment}`),
      [`${lead}${own}${comma}`, ...piece.behind].join(' '),
    ].join(lineBreak);
  const inline = [...piece.above.filter(endsWithinLine), own, ...piece.behind.filter(endsWithinLine)].join(
    ' ',
  );
  const isInline = [...piece.above, ...piece.behind].every(endsWithinLine);
  const led = withLeadingComma(
    stream,
    node,
    index,
    (lead) => lines(lead.replace(',', ' '), '', lead),
    isInline ? inline : undefined,
  );
  if (led !== undefined) return led;
  if (next === undefined)
    return previous === undefined
      ? [insertIntoEmptyFlow(stream, node, inline, lines, place, piece.pad)]
      : appendToFlow(stream, node, previous, inline, lines, place);
  const nextPiece = bracketPiece(stream, next);
  const { start } = nextPiece;
  const line = lineStart(text, start);
  if (!isBlank(text, line, start))
    return [insertAt(start, `${inline},${commaGap(text, node, () => place.documentStyle().gap)}`)];
  const indent = text.slice(line, start);
  const { above, below } = blankLinesAround(stream, node, index, own.includes('\n'));
  const stop = previous === undefined ? undefined : bracketPiece(stream, previous).stop;
  if (isClose && stop !== undefined && isBlank(text, stop, lineEnd(text, stop)))
    return [insertAt(lineEnd(text, stop), lineBreak.repeat(1 + above) + lines(indent, ','))];
  return [insertAt(headOfPiece(stream, next, nextPiece), lines(indent, ',') + lineBreak.repeat(1 + below))];
}

/** Whether content can follow the comment on its line. */
function endsWithinLine(comment: string): boolean {
  return comment.endsWith('*/') && comment.startsWith('/*') && !comment.includes('\n');
}

/** The lines of a new piece. */
type LinesAt = (indent: string, comma: string) => string;

function appendToFlow(
  stream: Stream,
  node: Collection,
  last: Entry | Item,
  piece: string,
  lines: LinesAt,
  place: WriteContext,
): Edit[] {
  const { text } = stream;
  const { start, end, stop } = bracketPiece(stream, last);
  const lastLine = lineStart(text, start);
  const close = node.end - 1;
  const isMultiLine = lineStart(text, close) !== lineStart(text, last.end) && isBlank(text, lastLine, start);
  const comma = needsBlankBehind(last) ? ' ,' : ',';
  const isOnLine = !text.slice(last.end, end).includes('\n') && text[end] !== '\n' && text[end] !== '\r';
  if (!isMultiLine && comma !== ',' && isBlank(text, last.end, close))
    return [{ start: last.end, end: close, insert: `${comma} ${piece}${padWithin(text, node)}` }];
  if (!isMultiLine)
    return [
      insertAt(
        isOnLine ? end : last.end,
        `${comma}${commaGap(text, node, () => place.documentStyle().gap)}${piece}`,
      ),
    ];
  const { above } = blankLinesAround(stream, node, partsOf(node).length, piece.includes('\n'));
  const lineBreaks = breakAt(text, last.end).repeat(1 + above);
  const isTrailing = node.trailingComma !== undefined;
  const added = lineBreaks + lines(text.slice(lastLine, start), isTrailing ? ',' : '');
  const at = isBlank(text, stop, lineEnd(text, stop)) ? lineEnd(text, stop) : stop;
  if (isTrailing) return [insertAt(at, added)];
  if (at === last.end) return [insertAt(at, comma + added)];
  return [inCommentColumn(stream, insertAt(last.end, comma)), insertAt(at, added)];
}

function insertIntoEmptyFlow(
  { text }: Stream,
  node: SpanNode,
  piece: string,
  lines: LinesAt,
  { isMultiline, unit, tabs }: WriteContext,
  usualPad: string,
): Edit {
  const inner = text.slice(node.start + 1, node.end - 1);
  const lineBreak = breakAt(text, node.start);
  const outer = indentBefore(text, node.start);
  const line = lines(tabs ? tabs : outer + ' '.repeat(unit()), '') + lineBreak;
  // Where comments stand between the brackets, the new line goes below them.
  const closeLine = lineStart(text, node.end - 1);
  if (inner.includes('\n') && isBlank(text, closeLine, node.end - 1)) return insertAt(closeLine, line);
  if (inner.trim() !== '') {
    const end = skipBlanksBack(text, node.end - 1);
    return { start: end, end: node.end - 1, insert: ` ${piece} ` };
  }
  const pad = inner === '' ? usualPad : ' ';
  const insert = isMultiline ? lineBreak + line + outer : pad + piece + pad;
  return { start: node.start + 1, end: node.end - 1, insert };
}
