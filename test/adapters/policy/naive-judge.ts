// What a policy asks for at the least, found in the simplest way: all values of a file before and after, as other libraries
// read them, and each rule asked about each value that differs. Shares no code with the server. Where a list has another
// length, only rules are asked that name its items by an index or by their name.
import { isDeepStrictEqual } from 'node:util';
import { type ParseError, parse as readJsonc } from 'jsonc-parser';
import { parse as readToml, TomlDate } from 'smol-toml';
import { isScalar, parseAllDocuments, visit } from 'yaml';

const LEVELS = ['direct', 'preview', 'client', 'human', 'deny'] as const;
export type NaiveLevel = (typeof LEVELS)[number];

export type Part = string | number;

/** A word of a path: a part as it is, any key, any item, any depth, or the items with this name. */
export type Word = Part | { readonly any: 'key' | 'item' | 'depth' } | { readonly name: string };

export interface NaiveRule {
  readonly id: string;
  readonly words: readonly Word[];
  readonly level: NaiveLevel;
  /** Of scalars; none asks for all. */
  readonly ops?: readonly ('add' | 'remove' | 'replace')[];
  /** A number without a fraction, up to this; `otherwise` for all else. */
  readonly most?: number;
  readonly otherwise?: NaiveLevel;
}

export interface NaivePolicy {
  readonly usual: NaiveLevel;
  readonly rules: readonly NaiveRule[];
}

/** What is not there. */
const NONE = Symbol('none');

export function isLaxer(level: NaiveLevel, than: NaiveLevel): boolean {
  return LEVELS.indexOf(level) < LEVELS.indexOf(than);
}

/** The values of each document; undefined where the library cannot read it, or a key is no text that a path could name. */
export function readPlainly(text: string, language: string): readonly unknown[] | undefined {
  try {
    if (language === 'toml') return [withoutDates(readToml(text))];
    if (language === 'jsonc') {
      const errors: ParseError[] = [];
      const data: unknown = readJsonc(text, errors, { allowTrailingComma: true });
      return errors.length === 0 ? [data] : undefined;
    }
    const documents = parseAllDocuments(text, { merge: true, uniqueKeys: false, logLevel: 'silent' });
    if (!Array.isArray(documents)) return undefined;
    return documents.map((document) => {
      if (document.errors.length > 0) throw new Error('it is no YAML');
      visit(document, {
        Map: (_, { items }) => {
          const keys = items.map(({ key }) => (isScalar(key) ? String(key.value) : NONE));
          // Of two keys that are the same nobody can say which one counts.
          if (keys.includes(NONE) || new Set(keys).size < keys.length) throw new Error('no path names it');
        },
      });
      const data: unknown = document.toJS({ maxAliasCount: 1000 });
      // Throws where something stands within itself.
      JSON.stringify(data);
      return data;
    });
  } catch {
    return undefined;
  }
}

function withoutDates(value: unknown): unknown {
  if (value instanceof TomlDate) return `date ${value.toISOString()}`;
  if (Array.isArray(value)) return value.map(withoutDates);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutDates(part)]));
}

/** The least that the policy can ask for; `direct` where no value differs. */
export function leastLevel(before: unknown, after: unknown, policy: NaivePolicy): NaiveLevel {
  const { usual, rules } = policy;
  const byLeaf = [...changedLeaves(before, after, [])].map((path) => {
    const levels = rules.flatMap((rule) => levelAtLeaf(rule, path, before, after) ?? []);
    return levels.length === 0 ? usual : strictest(levels);
  });
  const byNode = rules.flatMap((rule) => levelOfNode(rule, before, after) ?? []);
  return strictest(['direct', ...byLeaf, ...byNode]);
}

function strictest(levels: readonly NaiveLevel[]): NaiveLevel {
  return levels.reduce((most, level) => (isLaxer(most, level) ? level : most));
}

/** Scalars that come, go, or have another value, but for those in lists that have got longer or shorter. */
function* changedLeaves(before: unknown, after: unknown, path: readonly Part[]): Generator<readonly Part[]> {
  if (isDeepStrictEqual(before, after)) return;
  if (Array.isArray(before) && Array.isArray(after) && before.length !== after.length) return;
  const keys = new Set([...partsOf(before), ...partsOf(after)]);
  if (keys.size === 0) yield path;
  for (const key of keys) yield* changedLeaves(partAt(before, key), partAt(after, key), [...path, key]);
}

/** Of all values, also of those that hold others. */
export function* pathsIn(value: unknown, path: readonly Part[] = []): Generator<readonly Part[]> {
  yield path;
  for (const part of partsOf(value)) yield* pathsIn(partAt(value, part), [...path, part]);
}

function partsOf(value: unknown): readonly Part[] {
  if (Array.isArray(value)) return [...value.keys()];
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function partAt(value: unknown, part: Part | undefined): unknown {
  if (part === undefined || typeof value !== 'object' || value === null) return NONE;
  if (Array.isArray(value) !== (typeof part === 'number')) return NONE;
  return Object.hasOwn(value, part) ? Object.getOwnPropertyDescriptor(value, part)?.value : NONE;
}

function at(value: unknown, path: readonly Part[]): unknown {
  return path.reduce((found, part) => partAt(found, part), value);
}

/** What the rule says of a leaf at or below a node that it names; undefined where it does not. */
function levelAtLeaf(
  rule: NaiveRule,
  path: readonly Part[],
  before: unknown,
  after: unknown,
): NaiveLevel | undefined {
  const [old, next] = [at(before, path), at(after, path)];
  const op = old === NONE ? 'add' : next === NONE ? 'remove' : 'replace';
  if (rule.ops !== undefined && !rule.ops.includes(op)) return undefined;
  const levels = depthsNamed(rule.words, path, [before, after]).map((depth) =>
    levelOf(rule, at(after, path.slice(0, depth))),
  );
  return levels.length === 0 ? undefined : strictest(levels);
}

function levelOf({ level, most, otherwise = 'deny' }: NaiveRule, value: unknown): NaiveLevel {
  if (most === undefined) return level;
  return typeof value === 'number' && Number.isInteger(value) && value <= most ? level : otherwise;
}

/** How many parts of the path each way to read the words takes. */
function depthsNamed(
  words: readonly Word[],
  path: readonly Part[],
  sides: readonly unknown[],
): readonly number[] {
  const [word, ...rest] = words;
  if (word === undefined) return [0];
  if (typeof word === 'object' && 'any' in word && word.any === 'depth')
    return [
      ...(rest.length === 0 ? [path.length] : depthsNamed(rest, path, sides)),
      ...(path.length === 0 ? [] : below(words, path, sides)),
    ];
  const [part] = path;
  if (part === undefined || !isNamed(word, part, sides)) return [];
  return below(rest, path, sides);
}

function below(words: readonly Word[], path: readonly Part[], sides: readonly unknown[]): readonly number[] {
  const [part, ...rest] = path;
  const parts = sides.map((side) => partAt(side, part));
  return depthsNamed(words, rest, parts).map((depth) => depth + 1);
}

function isNamed(word: Word, part: Part, sides: readonly unknown[]): boolean {
  if (typeof word !== 'object') return word === part;
  if ('name' in word)
    return typeof part === 'number' && sides.some((side) => nameOf(partAt(side, part)) === word.name);
  return word.any === 'key' || typeof part === 'number';
}

function nameOf(item: unknown): unknown {
  return partAt(item, 'name');
}

/** What a rule says where all that it names, taken together, is not what it was: whatever has moved. */
function levelOfNode(rule: NaiveRule, before: unknown, after: unknown): NaiveLevel | undefined {
  const { words, ops, most } = rule;
  const isOne = words.every((word) => typeof word !== 'object');
  if (ops !== undefined || words.some((word) => typeof word === 'object' && 'any' in word)) return undefined;
  const [old, next] = [valuesAt(before, words), valuesAt(after, words)];
  if (isDeepStrictEqual(old.map(inOrder).sort(), next.map(inOrder).sort())) return undefined;
  // Of several, each of them may have been as it is before.
  return most === undefined || isOne ? levelOf(rule, next[0] ?? NONE) : undefined;
}

function valuesAt(value: unknown, words: readonly Word[]): readonly unknown[] {
  const [word, ...rest] = words;
  if (word === undefined) return value === NONE ? [] : [value];
  if (typeof word !== 'object') return valuesAt(partAt(value, word), rest);
  if (!('name' in word) || !Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => (nameOf(item) === word.name ? valuesAt(item, rest) : []));
}

/** As a text in which the order of keys does not count. */
function inOrder(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)}`;
  const parts = partsOf(value).map((part) => `${JSON.stringify(part)}: ${inOrder(partAt(value, part))}`);
  return Array.isArray(value) ? `[${parts.join(', ')}]` : `{${parts.sort().join(', ')}}`;
}
