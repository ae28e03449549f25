// Flow collections: `[ ]` and `{ }`, over any number of lines. Keys are scalars on one line.
import {
  CLOSE_MAPPING,
  CLOSE_SEQUENCE,
  COLON,
  COMMA,
  CR,
  DASH,
  DOUBLE_QUOTE,
  END,
  HASH,
  isFlowIndicator,
  isMarkerAt,
  LF,
  OPEN_MAPPING,
  OPEN_SEQUENCE,
  QUESTION,
  SINGLE_QUOTE,
  SPACE,
  STAR,
  TAB,
  Unusual,
} from './chars.ts';
import type { Cursor } from './cursor.ts';
import { isProperty, readAlias, readProperties } from './leaf-nodes.ts';
import { DOUBLE, EMPTY, FLOW_MAPPING, FLOW_SEQUENCE, PAIR, PLAIN, SINGLE } from './node-table.ts';
import { readPlainInFlow, requirePlainStart } from './plain-scalar.ts';
import { readQuoted } from './quoted-scalar.ts';

/** The standard allows 1,024, but `yaml` counts some keys from the end of what stands before: near the limit they are not read. */
export const MAX_KEY_CHARS = 1_000;

/** Reads from the opening bracket to the one after the closing one. `least` is the indentation that its lines need. */
export function readFlow(cursor: Cursor, lead: number, detail: number, least: number): number {
  const { codes, table } = cursor;
  const isMapping = codes[cursor.at] === OPEN_MAPPING;
  const close = isMapping ? CLOSE_MAPPING : CLOSE_SEQUENCE;
  cursor.enter();
  cursor.flowDepth += 1;
  const row = table.open(isMapping ? FLOW_MAPPING : FLOW_SEQUENCE, cursor.at, lead, detail);
  cursor.at += 1;
  let comma = -1;
  while (skipSpace(cursor, least) !== close) {
    readPart(cursor, isMapping, least);
    comma = -1;
    const code = skipSpace(cursor, least, true);
    if (code === close) break;
    if (code !== COMMA) throw new Unusual('a collection in brackets');
    comma = cursor.at;
    table.countComma();
    cursor.at += 1;
  }
  cursor.at += 1;
  if (comma !== -1) table.setTrailingComma(row, comma);
  table.close(row, cursor.at);
  cursor.flowDepth -= 1;
  cursor.leave();
  return cursor.at;
}

/** Reads an item of a sequence, or an entry of a mapping. */
function readPart(cursor: Cursor, isMapping: boolean, least: number): void {
  const { codes, table } = cursor;
  const detail = isProperty(codes[cursor.at] ?? END) ? readProperties(cursor) : 0;
  if (isCompound(cursor)) {
    if (isMapping) throw new Unusual('a key on several lines, or one that is no scalar');
    readCompound(cursor, detail, least);
    return;
  }
  const hasBreak = readScalar(cursor, least);
  const { scalarStart: start, scalarEnd: end, scalarKind: kind } = cursor;
  const colon = colonBehind(cursor);
  if (colon === -1) {
    if (isMapping && hasBreak) throw new Unusual('a key on several lines, or one that is no scalar');
    table.leaf(kind, start, end, -1, detail);
    if (isMapping) table.leaf(EMPTY, end, end, -1, 0);
    return;
  }
  const outer = detail === 0 ? start : table.propertiesStart(detail);
  if (hasBreak || colon - outer > MAX_KEY_CHARS)
    throw new Unusual('a key on several lines, or one that is no scalar');
  const pair = isMapping ? -1 : table.open(PAIR, outer, -1, 0);
  table.leaf(kind, start, end, colon, detail);
  const valueEnd = readValue(cursor, colon, least);
  if (pair !== -1) table.close(pair, valueEnd);
}

/** Returns the offset of the colon behind the key that was just read, on its line; -1 where there is none. */
function colonBehind(cursor: Cursor): number {
  const { codes, end } = cursor;
  let at = cursor.at;
  while (codes[at] === SPACE) at += 1;
  return at < end && codes[at] === COLON ? at : -1;
}

function readValue(cursor: Cursor, colon: number, least: number): number {
  const { codes, table } = cursor;
  cursor.at = colon + 1;
  const code = skipSpace(cursor, least);
  if (code === COMMA || code === CLOSE_MAPPING || code === CLOSE_SEQUENCE) {
    table.leaf(EMPTY, colon + 1, colon + 1, -1, 0);
    return colon + 1;
  }
  const detail = isProperty(codes[cursor.at] ?? END) ? readProperties(cursor) : 0;
  if (isCompound(cursor)) return readCompound(cursor, detail, least);
  readScalar(cursor, least);
  table.leaf(cursor.scalarKind, cursor.scalarStart, cursor.scalarEnd, -1, detail);
  return cursor.scalarEnd;
}

/** True for an alias or a collection, which can be no key. */
function isCompound(cursor: Cursor): boolean {
  const code = cursor.codes[cursor.at] ?? END;
  return code === OPEN_MAPPING || code === OPEN_SEQUENCE || code === STAR;
}

function readCompound(cursor: Cursor, detail: number, least: number): number {
  if (cursor.codes[cursor.at] !== STAR) return readFlow(cursor, -1, detail, least);
  if (detail !== 0) throw new Unusual('an alias');
  return readAlias(cursor, -1);
}

/** Reads a scalar; returns whether it has several lines. */
function readScalar(cursor: Cursor, least: number): boolean {
  const { codes } = cursor;
  const code = codes[cursor.at] ?? END;
  let hasBreak = false;
  cursor.scalarStart = cursor.at;
  if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
    cursor.scalarKind = code === DOUBLE_QUOTE ? DOUBLE : SINGLE;
    hasBreak = readQuoted(cursor, least);
    cursor.scalarEnd = cursor.at;
    return hasBreak;
  }
  requirePlainStart(cursor, code);
  const isIndicator = code === DASH || code === QUESTION || code === COLON;
  if (isIndicator && isFlowIndicator(codes[cursor.at + 1] ?? END))
    throw new Unusual('an explicit or empty key');
  cursor.scalarKind = PLAIN;
  cursor.scalarEnd = readPlainInFlow(cursor);
  if (cursor.scalarEnd === cursor.scalarStart) throw new Unusual('the start of a scalar');
  return false;
}

/**
 * Goes over white space, line breaks and comments; returns the code of what follows. With `isBehindPart` the cursor is before a
 * comma, where `yaml` may miss the white space before a comment that begins its line.
 */
function skipSpace(cursor: Cursor, least: number, isBehindPart = false): number {
  const { codes, end } = cursor;
  let lineStart = -1;
  while (cursor.at < end) {
    const code = codes[cursor.at] ?? END;
    if (code === SPACE) {
      cursor.at += 1;
    } else if (code === LF || code === CR) {
      cursor.readBreak();
      lineStart = cursor.at;
    } else if (code === HASH) {
      const isFirst = cursor.at === lineStart;
      if (isFirst ? isBehindPart : codes[cursor.at - 1] !== SPACE)
        throw new Unusual('a collection in brackets');
      cursor.readComment();
    } else if (code === TAB) {
      throw new Unusual('a tab');
    } else {
      if (lineStart !== -1) requireIndent(cursor, cursor.at - lineStart, code, least);
      return code;
    }
  }
  throw new Unusual('a collection in brackets');
}

/** The last bracket may stand at the column of the parent, though the standard wants it deeper. */
function requireIndent(cursor: Cursor, column: number, code: number, least: number): void {
  const isLast =
    cursor.flowDepth === 1 && column === least - 1 && (code === CLOSE_MAPPING || code === CLOSE_SEQUENCE);
  if (column < least && !isLast) throw new Unusual('the indentation');
  if (column === 0 && isMarkerAt(cursor.codes, cursor.at)) throw new Unusual('a document marker');
}
