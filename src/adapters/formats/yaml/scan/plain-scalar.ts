// Plain scalars: text without quotes. In a block it ends at `: `, ` #` or its line, and goes on in deeper lines; in a flow it
// ends at a comma or bracket as well.
import {
  AT,
  BACKTICK,
  BYTE_ORDER_MARK,
  COLON,
  COMMA,
  type Codes,
  CR,
  DASH,
  END,
  HASH,
  isBlankAt,
  isFlowIndicator,
  isMarkerAt,
  isWordChar,
  LF,
  MORE,
  PERCENT,
  PIPE,
  QUESTION,
  SPACE,
  TAB,
  Unusual,
} from './chars.ts';
import { behindBlankTabs, type Cursor } from './cursor.ts';

/** Throws for a character that no plain scalar starts with: the standard reserves it, or it is an indicator here. */
export function requirePlainStart(cursor: Cursor, code: number): void {
  if (isWordChar(code)) return;
  switch (code) {
    case COMMA:
    case PERCENT:
    case AT:
    case BACKTICK:
    case PIPE:
    case MORE:
    case HASH:
    case BYTE_ORDER_MARK:
      throw new Unusual('the start of a scalar');
    case COLON:
    case QUESTION:
    case DASH:
      if (isBlankAt(cursor.codes, cursor.at + 1)) throw new Unusual('an explicit or empty key');
      return;
    default:
      if (isFlowIndicator(code)) throw new Unusual('the start of a scalar');
  }
}

/** The part on this line; returns where its text ends and leaves the cursor on what ends it. */
export function readPlainLine(cursor: Cursor): number {
  const { codes, end } = cursor;
  let at = cursor.at;
  for (;;) {
    const code = codes[at] ?? END;
    if (code > COLON || (code > SPACE && code !== COLON)) {
      at += 1;
    } else if (code === SPACE || code === TAB) {
      const textEnd = at;
      at = skipBlanks(codes, at + 1);
      if (!endsPlainAfterBlank(codes, at)) continue;
      cursor.at = at;
      return textEnd;
    } else if (code === COLON) {
      if (isBlankAt(codes, at + 1)) break;
      at += 1;
    } else {
      if (code !== LF && code !== CR && at < end) throw new Unusual('a control character');
      break;
    }
  }
  cursor.at = at;
  return at;
}

function skipBlanks(codes: Codes, from: number): number {
  let at = from;
  while (codes[at] === SPACE || codes[at] === TAB) at += 1;
  return at;
}

function endsPlainAfterBlank(codes: Codes, at: number): boolean {
  const code = codes[at] ?? END;
  return (
    code <= COLON &&
    (code === LF ||
      code === HASH ||
      code === CR ||
      code === END ||
      (code === COLON && isBlankAt(codes, at + 1)))
  );
}

/** The lines below that belong to the scalar: those indented by `least` or more, up to a comment. */
export function readPlainRest(cursor: Cursor, firstEnd: number, least: number): number {
  const { codes, end } = cursor;
  let textEnd = firstEnd;
  while (cursor.at < end && codes[cursor.at] !== HASH) {
    const next = continuation(cursor, least);
    if (next === -1) break;
    cursor.at = next;
    textEnd = readPlainLine(cursor);
    if (cursor.at < end && codes[cursor.at] === COLON)
      throw new Unusual('a key on several lines, or one that is no scalar');
  }
  return textEnd;
}

/** Returns where the next line of text goes on; -1 where something else follows. */
function continuation(cursor: Cursor, least: number): number {
  const { codes, end } = cursor;
  let lineStart = cursor.at;
  for (let at = cursor.at; at < end; ) {
    const code = codes[at] ?? END;
    if (code === SPACE) {
      at += 1;
    } else if (code === LF || code === CR) {
      at = cursor.behindBreak(at);
      lineStart = at;
    } else if (code === TAB) {
      // A blank line: it ends the scalar unless it is indented far enough.
      if (at - lineStart < least) return -1;
      at = behindBlankTabs(codes, at, end);
    } else {
      if (code === HASH || at - lineStart < least) return -1;
      return at === lineStart && isMarkerAt(codes, at) ? -1 : at;
    }
  }
  return -1;
}

/** Reads a scalar within brackets, on one line; returns where its text ends, and leaves the cursor on what ends it. */
export function readPlainInFlow(cursor: Cursor): number {
  const { codes, end } = cursor;
  let at = cursor.at;
  while (at < end) {
    const code = codes[at] ?? END;
    if (code === SPACE || code === TAB) {
      const textEnd = at;
      at = skipBlanks(codes, at);
      if (at < end && !endsInFlow(codes, at) && codes[at] !== HASH) continue;
      cursor.at = at;
      return textEnd;
    }
    if (endsInFlow(codes, at)) break;
    if (code < SPACE) throw new Unusual('a control character');
    at += 1;
  }
  cursor.at = at;
  return at;
}

function endsInFlow(codes: Codes, at: number): boolean {
  const code = codes[at] ?? END;
  if (code === LF || code === CR || isFlowIndicator(code)) return true;
  return code === COLON && (isBlankAt(codes, at + 1) || isFlowIndicator(codes[at + 1] ?? END));
}
