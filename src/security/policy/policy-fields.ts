// What the schemas of a policy file have in common: kinds of fields, messages that name the field, and the place of a fault.
import { z } from 'zod';
import { type DataPath, misreadKey, type PathWord } from '../node-paths/node-path.ts';
import { parsePath } from '../node-paths/parse-path.ts';
import { quoted } from '../text/visible.ts';

/** The most faults, because nobody mends more at a time. */
const MAX_FAULTS = 100;

/** A schema of fields that may be left out, and of no others. */
export function mapping<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape).join(', ');
  return strict(shape, 'key', `a mapping with ${known}`);
}

export function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape, noun: string, what: string) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `unknown ${noun} ${(keys ?? []).map(quoted).join(', ')}; known are ${known}`
        : `expected ${what}`,
  });
}

/** The message for a field that is something else, or is missing. */
export function expected(what: string): { readonly error: z.core.$ZodErrorMap } {
  return { error: ({ path }) => `${path?.findLast((part) => typeof part === 'string')}: expected ${what}` };
}

export function text(what = 'a text') {
  return z.string(expected(what)).regex(/\S/u, { ...expected(what), abort: true });
}

export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, expected(values.join(', ')));
}

/** A number above 0; it may be infinite. */
export function positive() {
  return z.custom<number>((value) => typeof value === 'number' && value > 0, expected('a number above 0'));
}

/** A list of at least one item; a single item counts as a list of one. */
export function oneOrMore<Item extends z.ZodType>(item: Item, what: string) {
  return z.preprocess(listOf, z.array(item).min(1, expected(`${what}, got an empty list`)));
}

/** Names, or patterns of them; what the expression does not match can match none. */
export function namesLike(possible: RegExp, what: string) {
  return oneOrMore(text('names').regex(possible, expected(what)), 'names');
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** A fault for a check of several fields, at its place below them. */
export function faultAt(path: DataPath, message: string) {
  const code = 'custom' as const;
  return { code, path: [...path], message };
}

/** A fault of one of several fields, which its message names. */
export function faultOf(name: string, reason: string) {
  return faultAt([name], `${name}: ${reason}`);
}

/** Returns the faults of a value that was parsed, unknown keys first, because they explain others. */
export function faultsOf({ issues }: z.ZodError, value: unknown): readonly PolicyFault[] {
  const isUnknown = ({ code }: z.core.$ZodIssue) => code === 'unrecognized_keys';
  const sorted = [...issues.filter(isUnknown), ...issues.filter((issue) => !isUnknown(issue))];
  return sorted.slice(0, MAX_FAULTS).map((issue) => {
    const path = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
    return new PolicyFault(placeIn(value, path), issue.message);
  });
}

/** Returns the path as far as the value has it: what is missing stands nowhere. */
function placeIn(value: unknown, path: readonly PropertyKey[]): DataPath {
  const [part, ...rest] = path;
  if (part === undefined || typeof part === 'symbol' || typeof value !== 'object' || value === null)
    return [];
  const below = Object.getOwnPropertyDescriptor(value, part);
  return below === undefined ? [] : [part, ...placeIn(below.value, rest)];
}

/**
 * An error in a policy file. It stops the start, because a policy that is not understood protects nothing. It is never shown to
 * an agent.
 */
export class PolicyFault extends Error {
  override readonly name = 'PolicyFault';
  /** The path to the node of the file that is wrong. */
  readonly at: DataPath;

  constructor(at: DataPath, reason: string) {
    super(reason);
    this.at = at;
  }
}

/** Parses a node path of a rule. Throws an Error with a message for people, also for a path that a rule cannot mean. */
export function parseRulePath(text: string): readonly PathWord[] {
  const words = parsePath(text);
  // A rule is for all data, also where a key stands twice.
  if (words.some((word) => word.kind === 'key' && word.occurrence !== undefined))
    throw new Error(`${text}: leave out [#…]; a rule holds for each of several keys of one name`);
  if (words.some((word) => word.kind === 'items' && word.others !== undefined))
    throw new Error(`${text}: a rule knows items by one field: [name=web]`);
  for (const word of words) {
    const reason = word.kind === 'key' && word.isBare ? misreadKey(word.key) : undefined;
    if (reason !== undefined) throw new Error(`${text}: ${reason}`);
  }
  return words;
}
