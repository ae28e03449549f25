// Matches paths with globs, the operator's and those of requests: `*` and `?` stay within a name, `[abc]` is one of its
// characters, and `**` is any number of folders. Matching takes time proportional to pattern × path, whatever the pattern: there is
// no regular expression, and the size is limited.
import { Refusal } from '../errors/refusal.ts';
import { quoted } from '../text/visible.ts';
import { expandBraces } from './pattern-groups.ts';

/** Tests a path; `components` are relative to the root. */
export type PathTest = (components: readonly string[]) => boolean;

/** Splits a text into its characters in the spelling in which they are compared. */
export type LettersOf = (text: string) => readonly string[];

/** A name as it is compared. */
type Letters = readonly string[];
type Token = string | ReadonlySet<string> | typeof ANY | typeof MANY;

const ANY: unique symbol = Symbol('?');
const MANY: unique symbol = Symbol('*');

const MAX_LENGTH = 256;
const MAX_ALTERNATIVES = 64;

/**
 * Compiles globs without braces to one test: true where one of them matches the whole path. Unless `hasDots`, no wildcard matches a
 * dot at the beginning of a name, as in a shell.
 */
export function compileGlobs(globs: readonly string[], lettersOf: LettersOf, hasDots = true): PathTest {
  const all = globs.map((glob) => glob.split('/').map((part) => tokensOf(part, lettersOf)));
  const isTaken = (name: Letters) => hasDots || name[0] !== '.';
  const fitsName = (part: readonly Token[], name: Letters) =>
    (part[0] === '.' || isTaken(name)) && mayFit(part, name) && matches(part, name, isStar, fitsLetter);
  return (components) => {
    const names = components.map(lettersOf);
    return all.some((parts) => matches(parts, names, isFolders, fitsName, isTaken));
  };
}

/** Compiles a pattern of a request; case counts, because it only narrows what is seen and protects nothing. Throws ARGUMENT_INVALID. */
export function compileGlob(pattern: string): PathTest {
  const choices = choicesOf(pattern);
  if (typeof choices === 'string')
    throw new Refusal(
      'ARGUMENT_INVALID',
      `Cannot use the pattern ${quoted(pattern)}: ${choices}. Use one like **/*.yaml.`,
    );
  return compileGlobs(choices, asSpelled);
}

export const asSpelled: LettersOf = (text) => [...text];

/** The folders that a valid pattern names before its first wildcard: everything that it matches is below them. */
export function foldersOf(pattern: string): readonly string[] {
  const parts = pattern.split('/').slice(0, -1);
  const first = parts.findIndex((part) => /[*?{}]/u.test(part));
  return first === -1 ? parts : parts.slice(0, first);
}

/** Answers the choices of the braces, or why the pattern cannot be used. */
function choicesOf(pattern: string): readonly string[] | string {
  if (pattern === '') return 'it is empty';
  if (pattern.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`;
  if (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(pattern)) return 'it contains a control or invisible character';
  if (/[\\[\]()!|]/u.test(pattern))
    return "only '*', '**', '?' and '{a,b}' are special; '\\ [ ] ( ) ! |' are not allowed";
  if (pattern.startsWith('/')) return 'it is absolute; patterns are relative to the root';
  const choices = expandBraces(pattern, MAX_ALTERNATIVES);
  if (typeof choices === 'string') return choices;
  // Braces can hide a component: "{.,}./x".
  const isBad = choices.some((text) => text.split('/').some((part) => /^\.{0,2}$/u.test(part)));
  return isBad ? "it contains an empty, '.' or '..' component" : choices;
}

function tokensOf(part: string, lettersOf: LettersOf): readonly Token[] {
  if (part === '**') return FOLDERS;
  return part.split(/(\[[^\]]*\]|\*+|\?)/u).flatMap((piece, index): readonly Token[] => {
    if (index % 2 === 0) return lettersOf(piece);
    if (piece === '?') return [ANY];
    return piece.startsWith('*') ? [MANY] : [new Set(membersOf(piece).flatMap(lettersOf))];
  });
}

const FOLDERS: readonly Token[] = [MANY, MANY];

/** Answers the characters that a set such as `[a-z_]` names. */
function membersOf(set: string): readonly string[] {
  const pieces = set.slice(1, -1).match(/.-.|./gsu) ?? [];
  return pieces.flatMap((piece) => {
    const [from = '', dash, to] = piece;
    if (dash === undefined || to === undefined) return [from];
    const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)];
    return Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));
  });
}

function isFolders(part: readonly Token[]): boolean {
  return part === FOLDERS;
}

function isStar(token: Token): boolean {
  return token === MANY;
}

function fitsLetter(token: Token, letter: string): boolean {
  return token === letter || token === ANY || (typeof token === 'object' && token.has(letter));
}

/** Looks at the last character first, because most names end otherwise than a pattern. */
function mayFit(part: readonly Token[], name: Letters): boolean {
  const token = part.at(-1);
  return token === undefined || token === MANY || fitsLetter(token, name.at(-1) ?? '');
}

/**
 * True where the steps cover all items, and a "many" step takes any number of them that `isTaken` allows. Where the steps fail, only the
 * last "many" takes one more item: earlier ones have taken as little as they can.
 */
function matches<Step, Item>(
  steps: readonly Step[],
  items: readonly Item[],
  isMany: (step: Step) => boolean,
  fits: (step: Step, item: Item) => boolean,
  isTaken: (item: Item) => boolean = () => true,
): boolean {
  let [at, next, many, resume] = [0, 0, -1, 0];
  while (next < items.length) {
    const [step, item, first] = [steps[at], items[next], items[resume]];
    if (step !== undefined && isMany(step)) {
      [many, resume] = [at, next];
      at += 1;
    } else if (step !== undefined && item !== undefined && fits(step, item)) {
      at += 1;
      next += 1;
    } else if (many !== -1 && first !== undefined && isTaken(first)) {
      resume += 1;
      [at, next] = [many + 1, resume];
    } else return false;
  }
  return steps.slice(at).every(isMany);
}
