// A text as numbers, which are read twice as fast as the characters of a string; and the codes of the characters that mean
// something in YAML.

export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;
export const BANG = 33;
export const DOUBLE_QUOTE = 34;
export const HASH = 35;
export const PERCENT = 37;
export const AMPERSAND = 38;
export const SINGLE_QUOTE = 39;
export const STAR = 42;
export const PLUS = 43;
export const COMMA = 44;
export const DASH = 45;
export const DOT = 46;
export const COLON = 58;
export const MORE = 62;
export const QUESTION = 63;
export const AT = 64;
export const OPEN_SEQUENCE = 91;
export const BACKSLASH = 92;
export const CLOSE_SEQUENCE = 93;
export const BACKTICK = 96;
export const OPEN_MAPPING = 123;
export const PIPE = 124;
export const CLOSE_MAPPING = 125;
export const BYTE_ORDER_MARK = 0xfeff;

/** A letter or digit of ASCII: what begins with one is a plain scalar. */
export function isWordChar(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

/** True for one of `,` `[` `]` `{` `}`. */
export function isFlowIndicator(code: number): boolean {
  return (
    code === COMMA ||
    code === CLOSE_SEQUENCE ||
    code === CLOSE_MAPPING ||
    code === OPEN_SEQUENCE ||
    code === OPEN_MAPPING
  );
}

/** True for white space, a line break or the end of the text, before which `-`, `:` and `?` are indicators. */
export function isBlankAt(codes: Codes, at: number): boolean {
  const code = codes[at] ?? END;
  return code === SPACE || code === LF || code === CR || code === TAB || code === END;
}

/** True if `---` or `...` is there as a marker; it is one only at the start of a line. */
export function isMarkerAt(codes: Codes, at: number): boolean {
  const code = codes[at] ?? END;
  if (code !== DASH && code !== DOT) return false;
  return codes[at + 1] === code && codes[at + 2] === code && isBlankAt(codes, at + 3);
}

/** UTF-16 units, followed by `END`. */
export type Codes = Uint16Array;

/**
 * The end of the text. The scan accepts no text with this character. So `END` is never taken for text,
 * and loops over characters of one kind stop there.
 */
export const END = 0;

const BYTES_PER_UNIT = 2;
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The array of the text before, which is used again, as in `NodeTable`. */
let spare: Uint16Array = new Uint16Array(0);
const MOST_SPARE = 2_000_000;

/** Returns the codes of a text; they have to be given back when they are no longer needed. */
export function codesOf(text: string): Codes {
  const units = text.length + 1;
  const codes = spare.length < units ? new Uint16Array(units) : spare.subarray(0, units);
  if (codes.buffer === spare.buffer) spare = new Uint16Array(0);
  if (IS_LITTLE_ENDIAN) Buffer.from(codes.buffer).write(text, 0, text.length * BYTES_PER_UNIT, 'utf16le');
  else for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at);
  codes[text.length] = END;
  return codes;
}

export function giveBack(codes: Codes): void {
  const all = new Uint16Array(codes.buffer);
  if (all.length <= MOST_SPARE && all.length > spare.length) spare = all;
}

/** What the scan does not read: invalid text, or YAML that hardly any file holds. It never quotes the text. */
export type UnusualPart =
  | 'a control character'
  | 'a lone carriage return'
  | 'a tab'
  | 'a directive or a byte order mark'
  | 'a document marker'
  | 'an explicit or empty key'
  | 'a key on several lines, or one that is no scalar'
  | 'the indentation'
  | 'an anchor or a tag'
  | 'an alias'
  | 'the start of a scalar'
  | 'an escape sequence'
  | 'the end of a quoted scalar'
  | 'a block scalar'
  | 'a collection in brackets'
  | 'the end of the line';

export class Unusual extends Error {
  readonly what: UnusualPart;

  constructor(what: UnusualPart) {
    super(what);
    this.what = what;
  }
}
