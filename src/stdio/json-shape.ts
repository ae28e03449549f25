// How deep JSON text nests and of how many parts it is made, counted without parsing and without recursion,
// for both cost a parser far more than their bytes. Exact for valid JSON; for anything else only an answer
// that does no harm.
import type { Steps } from './steps.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
// "[" and "{", "]" and "}" differ in one bit, which is all that counting them needs.
const CASE_BIT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;
/** Some milliseconds. */
const STEP_CHARS = 256 * 1024;

export interface Shape {
  readonly depth: number;
  /** Opening brackets, commas and colons outside of strings. */
  readonly parts: number;
}

/** Which limit the text breaks first, or how many members its objects have in all. */
export function measure(limits: Shape, json: string): keyof Shape | number {
  let depth = 0;
  let parts = 0;
  let members = 0;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    const isOpening = (unit | CASE_BIT) === OPEN;
    if (unit === QUOTE) {
      at = endOfString(json, at);
    } else if (isOpening || unit === COMMA || unit === COLON) {
      if (isOpening && ++depth > limits.depth) return 'depth';
      if (++parts > limits.parts) return 'parts';
      if (unit === COLON) members++;
    } else if ((unit | CASE_BIT) === CLOSE) depth--;
  }
  return members;
}

/** As many as `measure` counts, unless a name stood twice in one object: then a parser has kept the last one only. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside: readonly unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : inside.length;
  return inside.reduce<number>((sum, member) => sum + countMembers(member), own);
}

/** Where the strings of more than so many characters stand, from quote to quote. */
export function* longStrings(json: string, chars: number): Generator<{ start: number; end: number }> {
  for (let start = json.indexOf('"'); start !== -1 && json.length - start > chars; ) {
    const end = endOfString(json, start);
    if (end < json.length && end - start > chars) yield { start, end };
    start = json.indexOf('"', end + 1);
  }
}

/**
 * The text of a member's value in the outermost object, found without parsing the others; of several with this name the
 * last, which a parser would take. A name with escapes in it is not found.
 */
export function* outerMember(json: string, name: string): Steps<string | undefined> {
  const quoted = JSON.stringify(name);
  let depth = 0;
  let isNamed = false;
  let start: number | undefined;
  let found: string | undefined;
  for (let at = 0, turn = STEP_CHARS; at < json.length; at++) {
    if (at >= turn) {
      yield;
      turn = at + STEP_CHARS;
    }
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) {
      const end = endOfString(json, at);
      isNamed = end === at + quoted.length - 1 && json.startsWith(quoted, at);
      at = end;
    } else if ((unit | CASE_BIT) === OPEN) depth++;
    else if (depth === 1 && unit === COLON) start = isNamed ? at + 1 : undefined;
    else if ((unit | CASE_BIT) === CLOSE || unit === COMMA) {
      if (depth === 1 && start !== undefined) {
        found = json.slice(start, at).trim();
        start = undefined;
      }
      if (unit !== COMMA) depth--;
    }
  }
  return found;
}

/** Where the quote stands that ends the string; the end of the text where there is none. */
function endOfString(json: string, start: number): number {
  const end = json.indexOf('"', start + 1);
  if (end === -1) return json.length;
  if (json.charCodeAt(end - 1) !== BACKSLASH) return end;
  // One by one: a text of escaped quotes only would be asked for each of them where the next one is.
  for (let at = start + 1; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit === BACKSLASH) at++;
  }
  return json.length;
}
