// The lines of a text: their beginnings, ends, breaks and indentation. A line break is LF or CRLF; a lone CR is none, as in
// `yaml`.

interface Place {
  readonly line: number;
  readonly column: number;
}

/** Returns line and column from 1; the column counts Unicode characters, not UTF-16 units. Linear in the offset. */
export function lineAndColumn(text: string, offset: number): Place {
  return lineAndColumns(text, [offset])[0] ?? { line: 1, column: 1 };
}

/** Does the same for many ascending offsets in one pass over the text. */
export function lineAndColumns(text: string, offsets: readonly number[]): Place[] {
  const places: Place[] = [];
  let line = 1;
  let column = 1;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let lineFeed = text.indexOf('\n', at);
  for (const offset of offsets) {
    while (lineFeed !== -1 && lineFeed < offset) {
      line += 1;
      column = 1;
      at = lineFeed + 1;
      lineFeed = text.indexOf('\n', at);
    }
    for (; at < offset; at++) {
      const code = text.charCodeAt(at);
      if (code < 0xdc00 || code > 0xdfff) column += 1;
    }
    places.push({ line, column });
  }
  return places;
}

/** Replaces the offsets of findings, which are ascending, by lines and columns. */
export function withPlaces<Found extends { readonly offset: number }>(text: string, found: readonly Found[]) {
  const places = lineAndColumns(
    text,
    found.map(({ offset }) => offset),
  );
  return found.map(({ offset: _, ...rest }, i) => ({ ...rest, line: 1, column: 1, ...places[i] }));
}

/** The offset of the first character of the line that holds `offset`, after a byte order mark. */
export function lineStart(text: string, offset: number): number {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  return start === 0 && text.startsWith('\uFEFF') ? Math.min(1, text.length) : start;
}

/** The offset of the line's break, or of the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const lineFeed = text.indexOf('\n', offset);
  if (lineFeed === -1) return text.length;
  return lineFeed > offset && text[lineFeed - 1] === '\r' ? lineFeed - 1 : lineFeed;
}

/** The offset of the first character after the line's break, or the end of the text. */
export function nextLine(text: string, offset: number): number {
  const lineFeed = text.indexOf('\n', offset);
  return lineFeed === -1 ? text.length : lineFeed + 1;
}

/** The offset of the first character of the line that ends at `end`. */
export function lineBefore(text: string, end: number): number {
  // With -1, lastIndexOf would still look at the first character.
  return end < 2 ? 0 : text.lastIndexOf('\n', end - 2) + 1;
}

/** Splits a text into lines, each with its break, if it has one. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = nextLine(text, at);
    lines.push(text.slice(at, end));
    at = end;
  }
  return lines;
}

/** The number of UTF-16 units between the line's first character and `offset`. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** The blanks and tabs that the line begins with, up to `at`. */
export function indentBefore(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? '';
}

/** The number of spaces that the line begins with. */
export function indentOf(line: string): number {
  let count = 0;
  while (line[count] === ' ') count += 1;
  return count;
}

/** The line break to use after `offset`: that of its own line, else of the line before, else of the first line. */
export function breakAt(text: string, offset: number): string {
  const own = text.indexOf('\n', offset);
  const lineFeed = own !== -1 ? own : offset > 0 ? text.lastIndexOf('\n', offset - 1) : -1;
  return lineFeed > 0 && text[lineFeed - 1] === '\r' ? '\r\n' : '\n';
}

/** True if only spaces and tabs are between the two offsets. */
export function isBlank(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (text[i] !== ' ' && text[i] !== '\t') return false;
  return true;
}

/**
 * True if it holds only blanks and comments. At its start a mark begins a comment only behind blanks, unless `isLine`.
 * It stops at the first other character: the text up to the next action may be most of the file.
 */
export function isBlankOrComments(text: string, isLine = false): boolean {
  let mayBegin = isLine;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '#' && mayBegin) {
      COMMENT.lastIndex = at;
      COMMENT.test(text);
      at = COMMENT.lastIndex - 1;
    } else if (character === ' ' || character === '\t') mayBegin ||= at === 0;
    else if (character.trim() !== '') return false;
    else mayBegin = character === '\n';
  }
  return true;
}

const COMMENT = /#.*/y;

/** The offset of the first character at or after `from` that is neither space nor tab. */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}

/** The offset after the last character before `from` that is neither space nor tab; not before `least`. */
export function skipBlanksBack(text: string, from: number, least = 0): number {
  let at = from;
  while (at > least && (text[at - 1] === ' ' || text[at - 1] === '\t')) at -= 1;
  return at;
}

/** Removes these characters at the end. It is a loop, because an expression would look at a long run of them from each place in it. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Line numbers for many offsets of one text, counted no further than needed. */
export class LineIndex {
  /** The text; it is dropped once all lines are found. */
  #text: string;
  /** The starts of the lines that begin at `#found` or before. */
  readonly #starts: number[] = [0];
  #found = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The line, from 1, that holds the offset. */
  at(offset: number): number {
    this.#findUpTo(offset);
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  #findUpTo(offset: number): void {
    while (this.#found <= offset) {
      const lineFeed = this.#text.indexOf('\n', this.#found);
      this.#found = lineFeed === -1 ? Number.POSITIVE_INFINITY : lineFeed + 1;
      if (lineFeed === -1) this.#text = '';
      else this.#starts.push(this.#found);
    }
  }
}

/** The end of the last of the blank lines that follow; a scalar that keeps its line breaks would take them in. */
export function endOfBlankLines(text: string, from: number): number {
  let end = from;
  for (
    let next = nextLine(text, end);
    next < text.length && isBlank(text, next, lineEnd(text, next));
    next = nextLine(text, end)
  ) {
    end = lineEnd(text, next);
  }
  return end;
}

/** Returns where the run of blank lines that begins at the line start `at` ends. */
export function skipBlankLines(text: string, at: number): number {
  let end = at;
  while (end < text.length && isBlank(text, end, lineEnd(text, end))) end = nextLine(text, end);
  return end;
}

/** Returns where the run of blank lines that ends at the line start `at` begins, but no less than `least`. */
export function skipBlankLinesBack(text: string, at: number, least = 0): number {
  let start = at;
  while (start > least) {
    const above = lineStart(text, start - 1);
    if (above < least || !isBlank(text, above, lineEnd(text, above))) break;
    start = above;
  }
  return start;
}

/** Returns the offset before the line break that ends there, if one does. */
export function withoutBreak(text: string, end: number): number {
  if (end === 0 || text[end - 1] !== '\n') return end;
  return text[end - 2] === '\r' ? end - 2 : end - 1;
}

/** Returns the index of the first span that begins at `offset` or later; `spans` are in the order of the text. */
export function firstFrom(spans: readonly { readonly start: number }[], offset: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
