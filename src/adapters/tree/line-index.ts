// Line numbers for many offsets of one text. Found no further than somebody asks, and remembered with the file;
// a text that an edit has made of another shares the lines of that one.
import type { Span, Stream } from './span-tree.ts';

export interface Lines {
  /** The line, from 1, that holds the offset. */
  at(offset: number): number;
}

export class LineIndex implements Lines {
  /** Let go of once all lines are found. */
  #text: string;
  /** Of the lines that begin at `#found` or before. */
  readonly #starts: number[] = [0];
  #found = 0;

  constructor(text: string) {
    this.#text = text;
  }

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

/** Of a text that differs from another only in a stretch. */
class EditedLines implements Lines {
  /** How many texts lie between this one and that whose lines were counted. */
  readonly depth: number;
  readonly #before: Lines;
  readonly #stretch: Span;
  readonly #grown: number;
  readonly #own: Lines;
  /** How many lines stand before the stretch, and how many more behind it than there were. */
  #first: number | undefined;
  #shift: number | undefined;

  constructor(before: Lines, after: string, stretch: Span, grown: number) {
    this.depth = depthOf(before) + 1;
    this.#before = before;
    this.#stretch = stretch;
    this.#grown = grown;
    const own = after.slice(stretch.start, stretch.end + grown);
    this.#own = new LineIndex(own);
    // So that it does not hold on to the text.
    this.#own.at(own.length);
  }

  at(offset: number): number {
    const { start, end } = this.#stretch;
    if (offset <= start) return this.#before.at(offset);
    // Asked of the text before once, and not with each question: it would ask as often of the one before it.
    this.#first ??= this.#before.at(start) - 1;
    const newEnd = end + this.#grown;
    if (offset <= newEnd) return this.#first + this.#own.at(offset - start);
    this.#shift ??= this.#first + this.#own.at(newEnd - start) - this.#before.at(end);
    return this.#shift + this.#before.at(offset - this.#grown);
  }
}

/** A question to lines of edited lines asks all of them. */
const MAX_DEPTH = 20;

function depthOf(lines: Lines): number {
  return lines instanceof EditedLines ? lines.depth : 0;
}

/** Streams are never changed, and stay as long as their file is remembered. */
const known = new WeakMap<Stream, Lines>();

export function linesOf(stream: Stream): Lines {
  const lines = known.get(stream) ?? new LineIndex(stream.text);
  known.set(stream, lines);
  return lines;
}

/** Says that `after` differs from `before` only from `start` to `end`, in offsets of `before`. */
export function shareLines(before: Stream, after: Stream, stretch: Span): void {
  const lines = linesOf(before);
  if (known.has(after) || depthOf(lines) === MAX_DEPTH) return;
  known.set(after, new EditedLines(lines, after.text, stretch, after.text.length - before.text.length));
}
