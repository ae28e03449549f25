// Removes a part of a collection in brackets, with its comma and its comments. Op `delete` removes parts on lines of their own.
import type { Edit } from '../../security/index.ts';
import { isBlank, lineEnd, lineStart, nextLine, skipBlanks, skipBlanksBack } from '../tree/lines.ts';
import type { Entry, Item, Stream } from '../tree/span-tree.ts';
import { needsBlankBehind } from '../tree/word-ends.ts';
import { bracketPiece, commaAfter, headOfPiece, lineWithItsComma, withoutComma } from './bracket-piece.ts';
import { lineIndent } from './neighbour-style.ts';
import { withBlankLines } from './part-extent.ts';

/** A part that goes, and what stands on both sides of it. */
export interface Leaving {
  readonly part: Entry | Item;
  readonly next: Entry | Item | undefined;
  readonly previous: Entry | Item | undefined;
  /** The offset where the comments that go with the part begin, in a block. */
  readonly own?: number | undefined;
  /** True if it goes to another place, with these comments and no others. */
  readonly isMoving?: boolean;
  /** The offset where the collection begins, if only comments are left of it. */
  readonly least?: number;
}

export function withoutPiece(stream: Stream, { part, next, previous, least }: Leaving): Edit[] {
  const { text } = stream;
  const piece = bracketPiece(stream, part);
  const { start, end, comma, stop } = piece;
  const isOnOwnLine = isBlank(text, lineStart(text, start), start);
  const lineStop = lineEnd(text, stop);
  if (isOnOwnLine && isBlank(text, stop, lineStop) && lineStop < text.length) {
    const lines = { start: headOfPiece(stream, part, piece), end: nextLine(text, lineStop) };
    const removed = {
      ...withBlankLines(stream, lines, { previous, next, ...(least === undefined ? {} : { least }) }),
      insert: '',
    };
    if (next !== undefined || comma !== undefined || previous === undefined) return [removed];
    // The part before becomes the last one: its comma goes, as there was none behind the last one.
    const orphan = commaAfter(stream, previous.end);
    return orphan === undefined ? [removed] : [withoutComma(stream, orphan), removed];
  }
  if (next !== undefined) {
    const led = previous && lineWithItsComma(stream, part, previous);
    if (led !== undefined) return [{ ...led, insert: '' }];
    const nextStart = bracketPiece(stream, next).start;
    // The first part leaves its place behind the bracket to the next one, the last of a line no blanks.
    const isFirst = previous === undefined && text.slice(stop, nextStart).trim() === '';
    if (isFirst || !text.slice(part.end, nextStart).includes('\n'))
      return [{ start, end: nextStart, insert: '' }];
    return [{ start: skipBlanksBack(text, start), end: lineStop, insert: '' }];
  }
  if (previous === undefined) return [{ start, end: stop, insert: '' }];
  const before = bracketPiece(stream, previous);
  const head = isOnOwnLine ? headOfPiece(stream, part, piece) : skipBlanksBack(text, start);
  // A bracket that follows takes the place of the part where the lines are indented: further left it could be none of its own.
  const from = isOnOwnLine && lineIndent(text, previous.start) > 0 ? skipBlanks(text, head) : head;
  const behindComma =
    comma === undefined || stop === comma + 1 ? [] : [{ start: comma + 1, end: stop, insert: '' }];
  if (before.comma !== undefined && text.slice(before.comma + 1, from).trim() === '') {
    const gap = needsBlankBehind(previous) && /\S/.test(text[end] ?? ' ') ? ' ' : '';
    return [{ start: before.end, end, insert: gap }, ...behindComma];
  }
  // A comment stands between the two: the comma that is left behind the part before is the one that was behind the last.
  const orphan =
    before.comma === undefined || comma !== undefined ? [] : [withoutComma(stream, before.comma)];
  return [...orphan, { start: from, end: Math.max(end, stop), insert: '' }];
}
