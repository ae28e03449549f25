// A place in a TOML text that moves forward, and the comments that it has passed.

import type { Refusal } from '../../../security/errors/refusal.ts';
import type { Limits } from '../../../security/policy/policy.ts';
import { invalidSyntax } from '../../tree/format.ts';
import { lineAndColumn, lineEnd, skipBlanks } from '../../tree/lines.ts';
import type { Span } from '../../tree/span-tree.ts';
import { requireAtMost, requireParsable } from '../../tree/wording.ts';
import { TomlScalar } from './write-toml.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/;

export class Cursor {
  readonly text: string;
  readonly comments: Span[] = [];
  at: number;
  readonly #limits: Limits;
  #tokens = 0;

  /** Throws LIMIT_EXCEEDED, as all that moves it does; SYNTAX_INVALID is thrown at the first error. */
  constructor(text: string, limits: Limits) {
    requireParsable(text, limits);
    this.text = text;
    this.at = text.startsWith('\uFEFF') ? 1 : 0;
    this.#limits = limits;
  }

  /** The character here; '' at the end. */
  get char(): string {
    return this.text.charAt(this.at);
  }

  /** Passes these characters if they are here. */
  takes(characters: string): boolean {
    if (!this.text.startsWith(characters, this.at)) return false;
    this.at += characters.length;
    return true;
  }

  skipBlanks(): void {
    this.at = skipBlanks(this.text, this.at);
  }

  /** Passes blanks, comments and line breaks. */
  skipLines(): void {
    for (;;) {
      this.skipBlanks();
      if (this.char === '#') this.#comment();
      else if (!this.#takesLineBreak()) return;
    }
  }

  /** Passes the end of a line, which only a comment may precede. */
  endLine(): void {
    this.skipBlanks();
    if (this.char === '#') this.#comment();
    if (this.at === this.text.length || this.#takesLineBreak()) return;
    throw this.invalid(
      this.char === '\r'
        ? 'a line ends with LF or CRLF, not with CR'
        : 'only a comment may follow on this line',
    );
  }

  #takesLineBreak(): boolean {
    return this.takes('\n') || this.takes('\r\n');
  }

  #comment(): void {
    const [start, end] = [this.at, lineEnd(this.text, this.at)];
    const control = this.text.slice(start, end).search(CONTROL);
    if (control !== -1) throw this.invalid('a comment holds no control characters', start + control);
    this.comments.push({ start, end });
    this.at = end;
    this.count();
  }

  /** Counts a value or a comment. */
  count(): void {
    this.#tokens += 1;
    requireAtMost(this.#limits.tokens, this.#tokens, 'number of values and comments', 'values');
  }

  requireDepth(depth: number): void {
    requireAtMost(this.#limits.depth, depth, 'nesting', 'levels');
  }

  invalid(message: string, at = this.at): Refusal {
    return invalidSyntax('TOML', [{ code: 'SYNTAX_INVALID', message, ...lineAndColumn(this.text, at) }]);
  }
}

const FIRST_PRINTABLE = 0x20;
const [TAB, LF, CR, BACKSLASH, DELETE] = [9, 10, 13, 92, 127];
/** An escape; in a string of several lines also a line break with the blanks around it, which is none of the text. */
const ESCAPE = /\\(?:([btnfre"\\])|x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|[ \t]*\r?\n)/y;
const BLANK_LINES = /(?:[ \t\n]|\r\n)*/y;

/** Reads the string that begins here; `isKey`: one that may not have several lines. */
export function readString(cursor: Cursor, isKey: boolean): TomlScalar {
  const { text, at: start, char: quote } = cursor;
  const isLong = !isKey && text.startsWith(quote.repeat(3), start);
  const close = isLong ? quote.repeat(3) : quote;
  cursor.at += close.length;
  if (isLong && !cursor.takes('\n')) cursor.takes('\r\n');
  const value = readUntil(cursor, close, start);
  return new TomlScalar(quote === '"' ? 'double' : 'single', { start, end: cursor.at }, value);
}

/** Returns the text up to the quotes that close it, which are passed; of three, up to two more may be before them. */
function readUntil(cursor: Cursor, close: string, start: number): string {
  const { text } = cursor;
  const [quote, isLong] = [close.charCodeAt(0), close.length > 1];
  const isBasic = close.startsWith('"');
  let value = '';
  let from = cursor.at;
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    if (code === quote && text.startsWith(close, at)) {
      let end = at;
      while (isLong && end < at + 2 && text.charCodeAt(end + close.length) === quote) end += 1;
      cursor.at = end + close.length;
      return value + text.slice(from, end);
    }
    if (code === BACKSLASH && isBasic) {
      value += text.slice(from, at);
      cursor.at = at;
      value += escaped(cursor, isLong);
      from = cursor.at;
      at = from - 1;
    } else if (isLong && code === CR && text.charCodeAt(at + 1) === LF) {
      // Readers differ in what a line break is here; as the text of a value it is LF.
      value += text.slice(from, at);
      from = at + 1;
    } else if (
      Number.isNaN(code) ||
      (!isLong && (code === LF || (code === CR && text.charCodeAt(at + 1) === LF)))
    ) {
      throw cursor.invalid(
        isLong
          ? 'this string has no end: it needs three closing quotes'
          : 'this string has no end: it needs a closing quote on its line, or three quotes on either side',
        start,
      );
    } else if ((code < FIRST_PRINTABLE && code !== TAB && code !== LF) || code === DELETE) {
      throw cursor.invalid('control characters are not allowed in strings', at);
    }
  }
}

const SHORT: Readonly<Record<string, string>> = {
  ...{ b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\u001b' },
  ...{ '"': '"', '\\': '\\' },
};
const LAST_CODE_POINT = 0x10ffff;

function escaped(cursor: Cursor, isLong: boolean): string {
  ESCAPE.lastIndex = cursor.at;
  const [source, short, ...numbers] = ESCAPE.exec(cursor.text) ?? [];
  const digits = numbers.find((one) => one !== undefined);
  const point = digits === undefined ? undefined : Number.parseInt(digits, 16);
  const isLineBreak = short === undefined && point === undefined;
  const isOther = point !== undefined && (point > LAST_CODE_POINT || (point >= 0xd800 && point < 0xe000));
  if (source === undefined || isOther || (isLineBreak && !isLong))
    throw cursor.invalid('this escape sequence is not valid in TOML');
  cursor.at += source.length;
  if (!isLineBreak) return point === undefined ? (SHORT[short ?? ''] ?? '') : String.fromCodePoint(point);
  BLANK_LINES.lastIndex = cursor.at;
  BLANK_LINES.test(cursor.text);
  cursor.at = BLANK_LINES.lastIndex;
  return '';
}
