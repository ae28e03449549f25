// Quoted scalars. Only their end is found here; `scalar-value.ts` decodes them on demand. Each escape is checked here, so that
// decoding always succeeds.
import {
  BACKSLASH,
  CR,
  DASH,
  DOT,
  DOUBLE_QUOTE,
  END,
  LF,
  SINGLE_QUOTE,
  SPACE,
  TAB,
  Unusual,
} from './chars.ts';
import type { Cursor } from './cursor.ts';

/** Reads from the opening quote to after the closing one, and notes lines with less than `least` columns. Returns whether it has several lines. */
export function readQuoted(cursor: Cursor, least: number): boolean {
  return cursor.codes[cursor.at] === SINGLE_QUOTE ? readSingle(cursor, least) : readDouble(cursor, least);
}

function readSingle(cursor: Cursor, least: number): boolean {
  const { codes, end } = cursor;
  let hasBreak = false;
  for (let at = cursor.at + 1; at < end; ) {
    const code = codes[at] ?? END;
    if (code === SINGLE_QUOTE) {
      if (at + 1 < end && codes[at + 1] === SINGLE_QUOTE) {
        at += 2;
        continue;
      }
      cursor.at = at + 1;
      return hasBreak;
    }
    if (code >= SPACE || code === TAB) {
      at += 1;
    } else {
      at = nextLine(cursor, at, least);
      hasBreak = true;
    }
  }
  throw new Unusual('the end of a quoted scalar');
}

function readDouble(cursor: Cursor, least: number): boolean {
  const { codes, text, end } = cursor;
  let hasBreak = false;
  for (let at = cursor.at + 1; at < end; ) {
    const code = codes[at] ?? END;
    if (code === DOUBLE_QUOTE) {
      cursor.at = at + 1;
      return hasBreak;
    }
    if (code === BACKSLASH) {
      at = behindEscape(text, at + 1);
    } else if (code >= SPACE || code === TAB) {
      at += 1;
    } else {
      at = nextLine(cursor, at, least);
      hasBreak = true;
    }
  }
  throw new Unusual('the end of a quoted scalar');
}

/** Goes over a line break within the quotes to the indentation of the next line. */
function nextLine(cursor: Cursor, breakAt: number, least: number): number {
  const { codes, end } = cursor;
  const code = codes[breakAt] ?? END;
  if (code !== LF && code !== CR) throw new Unusual('a control character');
  const lineStart = cursor.behindBreak(breakAt);
  let at = lineStart;
  while (codes[at] === SPACE) at += 1;
  if (at >= end) throw new Unusual('the end of a quoted scalar');
  const first = codes[at] ?? END;
  const isBlank = first === LF || first === CR;
  if (!isBlank && at - lineStart < least) cursor.unindented.push(lineStart);
  // At the root a marker would end it.
  if (at === lineStart && (first === DASH || first === DOT)) throw new Unusual('a document marker');
  return at;
}

const SIMPLE_ESCAPES = new Set('0abefnrtvNLP_ "/\\\t');

/** Returns the offset after an escape; `at` is after the backslash. An escaped line break stays, because it is a line break like any other. */
function behindEscape(text: string, at: number): number {
  const letter = text.charAt(at);
  if (letter === 'x') return behindHex(text, at + 1, 2);
  if (letter === 'u') return behindHex(text, at + 1, 4);
  if (letter === 'U') return behindHex(text, at + 1, 8);
  if (letter === '\n' || letter === '\r') return at;
  if (SIMPLE_ESCAPES.has(letter)) return at + 1;
  throw new Unusual('an escape sequence');
}

function behindHex(text: string, at: number, digits: number): number {
  let value = 0;
  for (let i = at; i < at + digits; i++) {
    const digit = '0123456789abcdef'.indexOf(text.charAt(i).toLowerCase() || 'x');
    if (digit === -1) throw new Unusual('an escape sequence');
    value = value * 16 + digit;
  }
  if (value > 0x10ffff) throw new Unusual('an escape sequence');
  return at + digits;
}
