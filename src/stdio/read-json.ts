// One line of text → the JSON value that it holds, or what is wrong with it. Promises that nothing deep or huge is
// parsed, by whoever reads a line; it knows nothing of JSON-RPC.
import { countMembers, measure, outerMember } from './json-shape.ts';
import { parseInPieces } from './parse-in-pieces.ts';
import { atOnce, type Steps } from './steps.ts';

/** The default depth of a file, and room for the envelope around a value of that depth. */
const MAX_DEPTH = 128;
/** A thousand edits at once have a fifth of it. A million keys would hold everybody up for seconds. */
const MAX_PARTS = 50_000;

/** An id or a method, each character of it escaped. */
const MAX_SHORT_CHARS = 2_000;

export type Reading =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'blank' }
  | { readonly kind: 'broken'; readonly message: string }
  | {
      readonly kind: 'refused';
      readonly message: string;
      /** The value of a member of the outermost object, where it is a short text or a number. */
      member(name: string): Steps<unknown>;
    };

/** Of what is no text, undefined. */
export function* readJson(text: string | undefined): Steps<Reading> {
  if (text === undefined) return { kind: 'broken', message: 'The line is not valid UTF-8' };
  if (text.trim() === '') return { kind: 'blank' };
  // Before anything that could recurse: a validator that walks 100,000 levels overflows the stack.
  const measured = measure({ depth: MAX_DEPTH, parts: MAX_PARTS }, text);
  if (typeof measured === 'string') return refused(TOO_COMPLEX[measured], text);
  yield;
  const value = yield* parse(text);
  if (value === undefined) return { kind: 'broken', message: 'The line is not valid JSON' };
  yield;
  // Of two, others may have read the first: a `dry_run` that whoever looked on took for true.
  return countMembers(value) === measured ? { kind: 'value', value } : refused(TWICE, text);
}

function refused(message: string, text: string): Reading {
  return {
    kind: 'refused',
    message,
    *member(name) {
      return shortValue(yield* outerMember(text, name));
    },
  };
}

const TWICE = 'A message may name each member of an object once';

const TOO_COMPLEX = {
  depth: `A message may nest at most ${MAX_DEPTH} levels deep: send what is deeper as YAML text`,
  parts: `A message may have at most ${MAX_PARTS} brackets, commas and colons outside of strings: send large values as YAML text, or in several calls`,
} as const;

/** Undefined for a value that is long or holds others. */
function shortValue(json: string | undefined): unknown {
  return json !== undefined && json.length <= MAX_SHORT_CHARS && /^["\d-]/u.test(json)
    ? atOnce(parse(json))
    : undefined;
}

function* parse(text: string): Steps<unknown> {
  try {
    return yield* parseInPieces(text);
  } catch {
    return undefined;
  }
}
