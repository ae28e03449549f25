// Block mappings and sequences, and the nodes in them. A node gets the column of its parent: its own lines are indented deeper.
// Each reader returns where its node ends, and leaves the cursor on the next content of the text, whose column decides which
// of the readers above goes on.
import { readBlockScalar } from './block-scalar.ts';
import {
  COLON,
  DASH,
  DOUBLE_QUOTE,
  END,
  isBlankAt,
  MORE,
  OPEN_MAPPING,
  OPEN_SEQUENCE,
  PIPE,
  SINGLE_QUOTE,
  SPACE,
  STAR,
  Unusual,
} from './chars.ts';
import type { Cursor } from './cursor.ts';
import { MAX_KEY_CHARS, readFlow } from './flow.ts';
import { isProperty, readAlias, readProperties } from './leaf-nodes.ts';
import { BLOCK_MAPPING, BLOCK_SEQUENCE, DOUBLE, EMPTY, PLAIN, SINGLE } from './node-table.ts';
import { readPlainLine, readPlainRest, requirePlainStart } from './plain-scalar.ts';
import { readQuoted } from './quoted-scalar.ts';

/** The place of a node; a collection cannot begin on the line of its key. */
export type Place = 'behind a key' | 'behind a dash' | 'at a line start';

/** The node under the cursor. `lead`: its dash, if it has one. `outer`: properties that stand on the line of its key or dash, above it; 0 for none. */
export function readNode(
  cursor: Cursor,
  parentColumn: number,
  lead: number,
  outer: number,
  place: Place,
): number {
  const { codes, table } = cursor;
  const column = cursor.at - cursor.lineStart;
  let own = 0;
  if (isProperty(codes[cursor.at] ?? END)) {
    own = readProperties(cursor);
    if (cursor.isAtLineEnd()) {
      if (place === 'at a line start' && (parentColumn >= 0 || outer !== 0))
        throw new Unusual('an anchor or a tag');
      cursor.finishLine();
      return readBelow(cursor, parentColumn, lead, own, table.propertiesEnd(own), place);
    }
  }
  const detail = outer === 0 ? own : outer;
  const isTwice = outer !== 0 && own !== 0;
  switch (codes[cursor.at]) {
    case DASH:
      if (!isBlankAt(codes, cursor.at + 1)) break;
      if (place === 'behind a key' || own !== 0) throw new Unusual('the indentation');
      return readSequence(cursor, column, lead, outer);
    case OPEN_SEQUENCE:
    case OPEN_MAPPING: {
      if (isTwice) throw new Unusual('an anchor or a tag');
      const end = readFlow(cursor, lead, detail, parentColumn + 1);
      cursor.finishLine();
      return end;
    }
    case STAR: {
      if (detail !== 0) throw new Unusual('an alias');
      const end = readAlias(cursor, lead);
      cursor.finishLine();
      return end;
    }
    case PIPE:
    case MORE:
      if (isTwice) throw new Unusual('an anchor or a tag');
      if (place === 'at a line start') cursor.requireKeptIndentation(parentColumn + 1);
      return readBlockScalar(cursor, parentColumn, lead, detail);
    default:
  }
  const hasBreak = readScalarStart(cursor, parentColumn + 1);
  if (codes[cursor.at] === COLON) {
    if (place === 'behind a key' || hasBreak)
      throw new Unusual('a key on several lines, or one that is no scalar');
    return readMapping(cursor, column, lead, outer, own);
  }
  if (isTwice) throw new Unusual('an anchor or a tag');
  const { scalarStart, scalarEnd, scalarKind } = cursor;
  if (scalarKind === PLAIN && place === 'at a line start') cursor.requireKeptIndentation(parentColumn + 1);
  if (cursor.toShallowLine(parentColumn + 1)) {
    table.leaf(scalarKind, scalarStart, scalarEnd, lead, detail);
    return scalarEnd;
  }
  const end = scalarKind === PLAIN ? readPlainRest(cursor, scalarEnd, parentColumn + 1) : scalarEnd;
  table.leaf(scalarKind, scalarStart, end, lead, detail);
  cursor.finishLine();
  return end;
}

/** The first line of a plain scalar, or all of a quoted one, up to a colon that makes it a key. Whether it has several lines. */
function readScalarStart(cursor: Cursor, least: number): boolean {
  const code = cursor.codes[cursor.at] ?? END;
  cursor.scalarStart = cursor.at;
  if (code !== DOUBLE_QUOTE && code !== SINGLE_QUOTE) {
    requirePlainStart(cursor, code);
    cursor.scalarKind = PLAIN;
    cursor.scalarEnd = readPlainLine(cursor);
    return false;
  }
  const { codes, end } = cursor;
  cursor.scalarKind = code === DOUBLE_QUOTE ? DOUBLE : SINGLE;
  const hasBreak = readQuoted(cursor, least);
  cursor.scalarEnd = cursor.at;
  let at = cursor.at;
  while (codes[at] === SPACE) at += 1;
  if (at < end && codes[at] === COLON) {
    if (!isBlankAt(codes, at + 1)) throw new Unusual('a key on several lines, or one that is no scalar');
    cursor.at = at;
  }
  return hasBreak;
}

/** Reads the node on the lines below a key or dash; without one, an empty node at `emptyAt`. */
function readBelow(
  cursor: Cursor,
  parentColumn: number,
  lead: number,
  detail: number,
  emptyAt: number,
  place: Place,
): number {
  if (cursor.column > parentColumn) return readNode(cursor, parentColumn, lead, detail, 'at a line start');
  // The list of a key may stand at the key's own column.
  if (place === 'behind a key' && cursor.column === parentColumn && isAtDash(cursor))
    return readSequence(cursor, parentColumn, lead, detail);
  cursor.requireNoTabLine();
  cursor.table.leaf(EMPTY, emptyAt, emptyAt, lead, detail);
  return emptyAt;
}

function isAtDash({ codes, at }: Cursor): boolean {
  return codes[at] === DASH && isBlankAt(codes, at + 1);
}

/** Reads a sequence; the cursor is on its first dash, and `column` is that of all its dashes. */
function readSequence(cursor: Cursor, column: number, lead: number, detail: number): number {
  const { table } = cursor;
  cursor.enter();
  const row = table.open(BLOCK_SEQUENCE, cursor.at, lead, detail);
  const end = readItems(cursor, column);
  if (cursor.column > column) throw new Unusual('the indentation');
  table.close(row, end);
  cursor.leave();
  return end;
}

/** Reads all items of this column; the cursor is on a dash. Returns where the last item ends. */
function readItems(cursor: Cursor, column: number): number {
  for (;;) {
    const dash = cursor.at;
    cursor.at = dash + 1;
    cursor.skipSpaces();
    let end: number;
    if (cursor.isAtLineEnd()) {
      cursor.finishLine();
      end = readBelow(cursor, column, dash, 0, dash + 1, 'behind a dash');
    } else {
      end = readNode(cursor, column, dash, 0, 'behind a dash');
    }
    if (cursor.column !== column || !isAtDash(cursor)) return end;
  }
}

/** Reads a mapping; the cursor is on the colon of the first key, which it remembers. `keyDetail` has the properties of that key. */
function readMapping(
  cursor: Cursor,
  column: number,
  lead: number,
  detail: number,
  keyDetail: number,
): number {
  const { table } = cursor;
  cursor.enter();
  const row = table.open(BLOCK_MAPPING, outerKeyStart(cursor, keyDetail), lead, detail);
  const end = readEntries(cursor, column, keyDetail);
  if (cursor.column > column) throw new Unusual('the indentation');
  table.close(row, end);
  cursor.leave();
  return end;
}

/** Reads all entries of this column; the cursor is on the colon of a key, as above. Returns where the last entry ends. */
function readEntries(cursor: Cursor, column: number, firstKeyDetail: number): number {
  const { table } = cursor;
  for (let keyDetail = firstKeyDetail; ; keyDetail = readKey(cursor, column)) {
    const colon = cursor.at;
    if (colon - outerKeyStart(cursor, keyDetail) > MAX_KEY_CHARS)
      throw new Unusual('a key on several lines, or one that is no scalar');
    table.leaf(cursor.scalarKind, cursor.scalarStart, cursor.scalarEnd, colon, keyDetail);
    const end = readEntryValue(cursor, column, colon);
    if (cursor.column !== column) return end;
  }
}

function outerKeyStart(cursor: Cursor, detail: number): number {
  return detail === 0 ? cursor.scalarStart : cursor.table.propertiesStart(detail);
}

/** Reads from the start of a line to the colon of its key; returns the key's properties. */
function readKey(cursor: Cursor, column: number): number {
  const { codes } = cursor;
  const detail = isProperty(codes[cursor.at] ?? END) ? readProperties(cursor) : 0;
  if (cursor.isAtLineEnd() || codes[cursor.at] === STAR)
    throw new Unusual('a key on several lines, or one that is no scalar');
  const hasBreak = readScalarStart(cursor, column + 1);
  if (hasBreak || codes[cursor.at] !== COLON)
    throw new Unusual('a key on several lines, or one that is no scalar');
  return detail;
}

function readEntryValue(cursor: Cursor, column: number, colon: number): number {
  cursor.at = colon + 1;
  cursor.skipSpaces();
  if (!cursor.isAtLineEnd()) return readNode(cursor, column, -1, 0, 'behind a key');
  cursor.finishLine();
  return readBelow(cursor, column, -1, 0, colon + 1, 'behind a key');
}
