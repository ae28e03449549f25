// JSON text → its value, as JSON.parse has it, but long strings a piece at a time: a few megabytes of escapes in one
// string take it longer than anybody should wait.
import { longStrings } from './json-shape.ts';
import type { Steps } from './steps.ts';

const BACKSLASH = 0x5c;
const LONGEST_ESCAPE = '\\u0000'.length;
/** Of JSON text; some 2 ms. */
const PIECE_CHARS = 256 * 1024;

/** Throws a SyntaxError for what JSON.parse throws one for. `pieceChars` is for tests, and at least 7. */
export function* parseInPieces(json: string, pieceChars = PIECE_CHARS): Steps<unknown> {
  // Most lines are short, and the first of all need not wait for what makes secrets.
  if (json.length <= pieceChars) return JSON.parse(json);
  const strings = new Map<string, string>();
  // Nobody can send text that is taken for one of these.
  const secret = crypto.randomUUID();
  let rest = '';
  let done = 0;
  for (const { start, end } of longStrings(json, pieceChars)) {
    yield;
    const standIn = `${secret} ${strings.size}`;
    strings.set(standIn, yield* readString(json, start + 1, end, pieceChars));
    rest += `${json.slice(done, start)}"${standIn}"`;
    done = end + 1;
  }
  if (strings.size > 0) yield;
  const value: unknown = JSON.parse(rest + json.slice(done));
  if (strings.size === 0) return value;
  yield;
  return putBack(value, strings);
}

/** From behind the opening quote to the closing one. */
function* readString(json: string, start: number, end: number, pieceChars: number): Steps<string> {
  let text = '';
  for (let from = start; from < end; ) {
    const to = from + pieceChars < end ? cutBefore(json, from + pieceChars, from) : end;
    text += parseString(json.slice(from, to));
    from = to;
    yield;
  }
  return text;
}

/** The place itself, or where the escape begins that stands across it; none stands across the clean place before. */
function cutBefore(json: string, place: number, clean: number): number {
  const near = Math.max(0, place - LONGEST_ESCAPE + 1);
  const last = near + json.slice(near, place).lastIndexOf('\\');
  if (last < near) return place;
  // The second of two stands for itself.
  let first = last;
  while (first > clean && json.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (last - first) % 2 === 0 ? last : place;
}

function parseString(inner: string): string {
  const value: unknown = JSON.parse(`"${inner}"`);
  if (typeof value !== 'string') throw new Error('a text in quotes is a string');
  return value;
}

function putBack(value: unknown, strings: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return strings.get(value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => putBack(item, strings));
  // As JSON.parse does it: a key that occurs twice has its last value, and __proto__ is a key like any other.
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [strings.get(key) ?? key, putBack(member, strings)]),
  );
}
