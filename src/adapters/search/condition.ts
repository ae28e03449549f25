// Compiles `where` of a search: a condition for a value.

import { Refusal } from '../../security/errors/refusal.ts';
import { semver } from '../../security/policy/engines.ts';
import type { Sought } from '../../security/sandbox/snapshot.ts';
import { outsidePlaceholders } from '../../security/text/placeholders.ts';
import { quoted } from '../../security/text/visible.ts';
import type { SpanNode } from '../tree/span-tree.ts';
import { compileWildcard, withoutCase } from '../tree/wildcard.ts';
import type { SearchTerms } from './terms.ts';

/** The result for a value. `no number`: it cannot be compared. An object is the result for numbers, if versions would give the other one, or for the lowest version of a range. */
type Answer = boolean | 'no number' | { readonly is: boolean; readonly by: 'number' | 'lowest' };

type Condition = 'missing' | ((node: SpanNode) => Answer);

/** The operators, as tests of the order of a value and the operand. */
const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Compiles a condition; `loadVersions` must have ended. Throws ARGUMENT_INVALID. */
export function compileCondition(where: string): Condition {
  const { operator, operand } = partsOf(where);
  if (/^\s*missing\s*$/iu.test(where)) return 'missing';
  const isWithin = COMPARISONS[operator];
  const compare = isWithin && comparison(unquoted(operand), isWithin);
  if (compare !== undefined)
    return (node) => node.kind === 'scalar' && compare(node.value, typeof node.typedValue === 'string');
  if (isWithin === undefined && operator !== '') {
    const isValue = compileValue(unquoted(operand));
    const isWanted = !operator.startsWith('!');
    const isAny = isEmptyCollection(operand);
    return (node) => (isAny || node.kind === 'scalar') && isValue(node) === isWanted;
  }
  throw new Refusal(
    'ARGUMENT_INVALID',
    `Cannot use ${quoted(where)} as "where": it is one of <2, <=2, >2, >=2 with a number, a version (1.9.0, v2) or a quantity (500m, 256Mi), =x, !=x, and missing`,
  );
}

/** True for the text of an empty collection. */
function isEmptyCollection(text: string): boolean {
  return text === '{}' || text === '[]';
}

/** Compiles the test of a value: of a scalar, or of an empty collection by `{}` or `[]`. Throws ARGUMENT_INVALID. */
export function compileValue(pattern: string): (node: SpanNode) => boolean {
  const isText = compileWildcard(pattern);
  return (node) => {
    if (node.kind === 'scalar') return isText(outsidePlaceholders(node.value));
    if (node.kind === 'mapping') return pattern === '{}' && node.entries.length === 0;
    return node.kind === 'sequence' && pattern === '[]' && node.items.length === 0;
  };
}

/** Returns the text, with wildcards, that a value must be equal to; undefined for any other condition. */
function equalityIn(where: string): string | undefined {
  const { operator, operand } = partsOf(where);
  return /^=+$/u.test(operator) ? unquoted(operand) : undefined;
}

function partsOf(where: string): { readonly operator: string; readonly operand: string } {
  const [, operator = '', operand = ''] = /^\s*(<=|>=|<|>|!==?|===?|=)\s*(.*?)\s*$/su.exec(where) ?? [];
  return { operator, operand };
}

type Compare = (value: string, isText: boolean) => Answer;

/** Compares values that are numbers on both sides; others as versions, or as quantities where the operand has a unit. */
function comparison(operand: string, isWithin: (order: number) => boolean): Compare | undefined {
  const [number, version, quantity] = [numberIn(operand), versionIn(operand), quantityIn(operand)];
  const byVersion = (value: string): Answer => {
    // A tag may have a digest behind it.
    const tag = value.replace(/@sha256:[0-9a-f]{64}$/u, '');
    const exact = versionIn(tag) ?? versionOfImage(value);
    const other = exact ?? lowestIn(tag);
    if (other === undefined || version === undefined) return 'no number';
    const is = isWithin(semver().compare(other, version));
    return exact === undefined ? { is, by: 'lowest' } : is;
  };
  if (number === undefined && version !== undefined && isVersionOnly(operand)) return byVersion;
  if (number === undefined && quantity !== undefined)
    return (value) => {
      const other = quantityIn(value);
      return other === undefined ? 'no number' : isWithin(other - quantity);
    };
  if (number === undefined) return undefined;
  return (value, isText) => {
    const other = numberIn(value);
    if (other === undefined) return byVersion(value);
    const is = isWithin(other - number);
    return isText && byVersion(value) === !is ? { is, by: 'number' } : is;
  };
}

/** Removes quotes, so that `="a"` and `=a` ask for the same. */
function unquoted(operand: string): string {
  return /^(["']).*\1$/su.test(operand) ? operand.slice(1, -1) : operand;
}

/** Reads a plain decimal, or one in quotes: a search for ports below 1024 means "80" as well. */
function numberIn(text: string): number | undefined {
  return /^[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/u.test(text)
    ? Number(text.replaceAll('_', ''))
    : undefined;
}

/** Reads `1.8.7`, `v0.93.1`, `1.9` or `2.0.0-rc.1` as a semantic version; four numbers are more often an address than a version. */
function versionIn(text: string): string | undefined {
  const [, numbers, candidate] =
    /^[vV]?(\d{1,9}(?:\.\d{1,9}){0,2})(?:-([0-9A-Za-z.-]{1,100}))?(?:\+[0-9A-Za-z.-]+)?$/u.exec(text) ?? [];
  const isPlain = /^\d+(?:-|$)/u.test(text);
  return isPlain && candidate !== undefined ? undefined : semanticVersion(numbers, candidate);
}

/** Missing numbers are 0, and a fourth one is left out. */
function semanticVersion(numbers: string | undefined, candidate: string | undefined): string | undefined {
  if (numbers === undefined) return undefined;
  const [major, minor = 0, patch = 0] = numbers.split('.');
  const rest = candidate === undefined ? '' : `-${candidate.replaceAll('_', '-')}`;
  return semver().valid(`${major}.${minor}.${patch}${rest}`, true) ?? undefined;
}

/** Reads the tag of `name:1.9.0` or `host:5000/name:v1-alpine@sha256:…`; a plain number of four or five digits may be a port. */
function versionOfImage(text: string): string | undefined {
  const [, tag = ''] = /^[^\s:@]+(?::\d+\/[^\s:@]+)?:([\w.-]+)(?:@sha256:[0-9a-f]+)?$/u.exec(text) ?? [];
  return /^\d{4,5}$/u.test(tag) ? undefined : versionOfTag(tag);
}

/** Reads `1.9.0`, `v1` or `16-alpine`. What follows the numbers is a build, unless it is called a candidate. */
function versionOfTag(tag: string): string | undefined {
  const [, numbers, rest = ''] = /^[vV]?(\d{1,9}(?:\.\d{1,9}){0,3})(?:[-+_.](.{1,100}))?$/u.exec(tag) ?? [];
  const isCandidate = /^(?:rc|alpha|beta|pre|dev|nightly|snapshot)/iu.test(rest);
  return semanticVersion(numbers, isCandidate ? rest : undefined);
}

/** Returns the lowest version of a range: `^16.13.1`, `>=16 <19`, `~> 1.2`, `16.x`. */
function lowestIn(text: string): string | undefined {
  const [, operator, lowest, any] =
    /^(\^|~[>=]?|>=?|==?)? ?v?(\d{1,9}(?:\.\d{1,9}){0,2})((?:\.[xX*]){1,2})?(?:-[\w.]{1,50})?(?:[ ,|][\d .<>=~^|,xX*v-]{0,99})?$/u.exec(
      text,
    ) ?? [];
  return operator === undefined && any === undefined ? undefined : semanticVersion(lowest, undefined);
}

/** True for a version that is no number: it has a `v`, three parts, or a suffix. */
function isVersionOnly(text: string): boolean {
  return numberIn(text) === undefined && versionIn(text) !== undefined;
}

const UNITS: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** Reads `500m` or `256Mi` as Kubernetes does; a plain number has no unit. */
function quantityIn(text: string): number | undefined {
  const [, number = '', unit = ''] = /^([-+]?\d+(?:\.\d+)?)([numkMGTPE]|[KMGTPE]i)$/u.exec(text) ?? [];
  return number === '' ? numberIn(text) : Number(number) * (UNITS[unit] ?? 1);
}

/**
 * Returns tests for words that are in each file with a match, so that most files need not be decoded, masked or parsed. They are
 * for the text as it is shown: words in masked values would let the time of a search test guesses. A file with an escape that may
 * spell one passes all of them.
 */
export function soughtBy({ key = '', value = '', where }: SearchTerms): Sought {
  const equal = where === undefined ? undefined : equalityIn(where);
  if (where !== undefined && equal === undefined && key === '') return [];
  const isMissing = where !== undefined && /missing/iu.test(where);
  const keys = isMissing ? firstOfMany(key) : key;
  const words = [...wordsIn(keys), ...textsIn(value), ...textsIn(equal ?? '')];
  return [...new Set(words)].map((word) => testFor(word, '|\\\\[xu/\\s]'));
}

/** Returns the first key of a path that leads to many nodes: a document without it lacks nothing. Any other path may be missing in any file. */
function firstOfMany(key: string): string {
  const [, first = ''] = /^([\w-]+)[.[]/u.exec(key) ?? [];
  return key.includes('*') ? first : '';
}

/** Returns the words of a pattern for keys, which may be a path: without indexes, and without what a quoted key may write otherwise. */
function wordsIn(pattern: string): readonly string[] {
  if (pattern.includes('\\')) return [];
  return withoutCase(pattern).match(/[a-z_]{2,}(?:-[a-z_]+)*/gi) ?? [];
}

/** Returns the parts of a pattern for values. Quotes are doubled in some texts, and white space may be a line break. */
function textsIn(pattern: string): readonly string[] {
  if (pattern.includes('\\') || isEmptyCollection(pattern)) return [];
  return withoutCase(pattern)
    .split(/[\s\p{Cc}"'*?]+/u)
    .filter((part) => part !== '');
}

/** Returns tests for the parts between the wildcards of a text that is searched for line by line. */
export function soughtByText(wanted: string): Sought {
  return withoutCase(wanted)
    .split(/\\?[*?]+/u)
    .filter((part) => part !== '')
    .map((part) => testFor(part, ''));
}

/** Compiles the test for a text; `or` is the pattern of what is as good. */
function testFor(text: string, or: string): Sought[number] {
  const isText = new RegExp(`${text.toLowerCase().replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')}${or}`, 'i');
  // An expression without the slow flag `u` does not know all pairs of letters. Two letters have their small ones in ASCII.
  const others = /^[\0-\x7f]*$/.test(text) ? /[\u0130\u212a]/ : /[^\0-\x7f]/;
  return (lines) => isText.test(lines) || (others.test(lines) && isText.test(lines.toLowerCase()));
}
