// Block scalars: `|` and `>`. The body is every line that is blank or indented far enough; the header decides which of the last
// blank lines belong to it.
import { type Codes, CR, DASH, END, HASH, isMarkerAt, LF, MORE, PLUS, SPACE, TAB, Unusual } from './chars.ts';
import { type Cursor, endOfLine } from './cursor.ts';
import { FOLDED, LITERAL } from './node-table.ts';

/** Reads the scalar and returns where it ends; leaves the cursor on the next content. */
export function readBlockScalar(cursor: Cursor, outerColumn: number, lead: number, detail: number): number {
  const { codes, table } = cursor;
  const start = cursor.at;
  // An indicator counts from the margin at the root as well, but the text may begin there.
  const parentColumn = Math.max(outerColumn, 0);
  const kind = codes[start] === MORE ? FOLDED : LITERAL;
  const header = readHeader(cursor);
  const headerEnd = cursor.at;
  finishHeaderLine(cursor);
  const body = readBody(cursor, outerColumn + 1, header.indent === 0 ? -1 : parentColumn + header.indent);
  const isEmpty = body.textEnd === -1;
  const bodyEnd = header.isKept || isEmpty ? body.blankEnd : body.contentEnd;
  const end = header.isKept && bodyEnd > body.start ? bodyEnd : isEmpty ? headerEnd : body.textEnd;
  const own = detail === 0 ? table.addDetail() : detail;
  table.setBlock(own, { headerEnd, bodyStart: body.start, bodyEnd, parentColumn });
  table.leaf(kind, start, end, lead, own);
  cursor.at = body.contentEnd;
  cursor.toContent();
  return end;
}

interface Header {
  /** The indentation; 0 if the first line decides. */
  indent: number;
  isKept: boolean;
}

/** The indicators: at most one digit and one of `+` and `-`. */
function readHeader(cursor: Cursor): Header {
  const { codes, end } = cursor;
  let indent = 0;
  let chomp = 0;
  let at = cursor.at + 1;
  for (; at < end; at++) {
    const code = codes[at] ?? END;
    if (code > 48 && code <= 57 && indent === 0) indent = code - 48;
    else if ((code === PLUS || code === DASH) && chomp === 0) chomp = code;
    else break;
  }
  cursor.at = at;
  return { indent, isKept: chomp === PLUS };
}

/** Finishes the header's line, on which only a comment may follow; the text may not end there. */
function finishHeaderLine(cursor: Cursor): void {
  const headerEnd = cursor.at;
  cursor.skipSpaces();
  if (cursor.codes[cursor.at] === HASH) {
    if (cursor.at === headerEnd) throw new Unusual('a block scalar');
    cursor.readComment();
  }
  if (cursor.at < cursor.end) cursor.readBreak();
}

interface Body {
  start: number;
  /** The end of its last line with content, without the line break; -1 if it has none. */
  textEnd: number;
  /** The offset after the line break of that line. */
  contentEnd: number;
  /** The offset after the last blank line that follows. */
  blankEnd: number;
}

/**
 * Reads the lines up to the first with less than `least` columns. A line of spaces beyond the indentation is content; that is
 * -1 if the first line decides.
 */
function readBody(cursor: Cursor, least: number, said: number): Body {
  const { codes, end } = cursor;
  const body: Body = { start: cursor.at, textEnd: -1, contentEnd: cursor.at, blankEnd: cursor.at };
  let indent = said;
  let deepestBlank = 0;
  for (let lineStart = cursor.at; lineStart < end; lineStart = cursor.at) {
    let at = lineStart;
    while (codes[at] === SPACE) at += 1;
    const column = at - lineStart;
    if (isBreakAt(codes, at, end)) {
      if (body.textEnd === -1) deepestBlank = Math.max(deepestBlank, column);
      // Without a line break its spaces are no blank line for `yaml`, unless they reach the content.
      if (at >= end && column < indent) break;
      cursor.at = at;
      if (at < end) cursor.at = cursor.behindBreak(at);
      if (indent !== -1 && column > indent) body.textEnd = at;
    } else {
      if (body.textEnd === -1 && indent === -1) indent = Math.max(column, least);
      if (column < indent) {
        if (codes[at] === TAB) throw new Unusual('a tab');
        break;
      }
      if (column === 0 && isMarkerAt(codes, at)) break;
      if (deepestBlank > indent) throw new Unusual('a block scalar');
      cursor.at = endOfLine(codes, at, end);
      body.textEnd = cursor.at;
      if (cursor.at < end) cursor.at = cursor.behindBreak(cursor.at);
    }
    body.blankEnd = cursor.at;
    if (body.textEnd >= lineStart) body.contentEnd = cursor.at;
    if (cursor.at === lineStart) break;
  }
  return body;
}

function isBreakAt(codes: Codes, at: number, end: number): boolean {
  if (at >= end) return true;
  const code = codes[at] ?? END;
  return code === LF || code === CR;
}
