// Compiles the operator's patterns of files at the start: deny patterns match every spelling, allow patterns only one. A pattern
// that could be misread, or that no path can match, stops the start, because it would silently allow too much or deny nothing.

import picomatch from 'picomatch';
import { StartError } from '../errors/start-error.ts';
import { foldText, isPlainAscii, lazily } from '../text/look-alikes.ts';
import { quoted } from '../text/visible.ts';
import { expandBraces, misreadGroup } from './pattern-groups.ts';

/** Tests a path; `components` are relative to the root. */
export type PathTest = (components: readonly string[]) => boolean;

/** The flag (or file) that a list of patterns comes from, for messages. */
export type List = 'allow' | 'deny' | 'file-format' | 'schema' | 'policy' | 'mask-path' | 'show-path';

/** The roots that the patterns are for. */
type Roots = readonly { readonly name: string | undefined }[];

/**
 * Compiles allow patterns. A path is allowed if a pattern matches the whole of it exactly: another spelling may be another
 * file. A wildcard does not match a name that begins with a dot, as in a shell.
 */
export function compileAllow(patterns: readonly string[], roots: Roots): PathTest {
  const byEnding = new Map<string, ((path: string) => boolean)[]>();
  for (const choice of patterns.flatMap((pattern) => choicesOf(pattern, 'allow', roots))) {
    const ending = endingOf(choice);
    const key = /[*?[\]]/u.test(ending) ? ANY_ENDING : ending;
    byEnding.set(key, [...(byEnding.get(key) ?? []), matcherOf(choice, { dot: false })]);
  }
  return (components) => {
    const keys = [endingOf(components.at(-1) ?? ''), ANY_ENDING];
    const path = components.join('/');
    return keys.some((key) => byEnding.get(key)?.some((matches) => matches(path)));
  };
}

/** The key of patterns whose last part may end in any way; no name holds it. */
const ANY_ENDING = '/';

/** Returns what follows the last dot or slash. A pattern in which it has no wildcard matches only paths that have the same. */
function endingOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf('/')) + 1);
}

/** A file has the format of a pattern that matches the whole of its path, in any spelling. */
export function compileFormat(pattern: string, roots: Roots): PathTest {
  return compileSchema(pattern, roots, 'file-format');
}

/** A file is bound to a schema if the pattern matches the whole of its path, in any spelling. */
export function compileSchema(pattern: string, roots: Roots, list: List = 'schema'): PathTest {
  const matchers = choicesOf(pattern, list, roots).map(inAnySpelling);
  return (components) => matchers.some((matches) => matches(components));
}

/** Compiles the file pattern of a rule in two ways: `isExact` matches the path as it is spelled, `isLike` in any spelling. */
export function compileRulePattern(
  pattern: string,
  roots: Roots,
  list: List = 'policy',
): { readonly isExact: PathTest; readonly isLike: PathTest } {
  const choices = choicesOf(pattern, list, roots);
  const [exact, like] = [choices.map((choice) => matcherOf(choice)), choices.map(inAnySpelling)];
  return {
    isExact: (components) => exact.some((matches) => matches(components.join('/'))),
    isLike: (components) => like.some((matches) => matches(components)),
  };
}

/**
 * Compiles deny patterns. A path is denied if a pattern matches it or any folder above it, in any spelling; a pattern without a
 * slash is matched against every single name. This is wider than for `allow` on purpose: "secrets" must deny secrets/x.yaml.
 */
export function compileDeny(patterns: readonly string[], roots: Roots): PathTest {
  const tests = patterns.flatMap((pattern) =>
    choicesOf(bare(pattern), 'deny', roots).map((choice) => {
      // A pattern for all that is in a folder denies the folder, too.
      const matchers = [choice, choice.replace(/(?:\/\*\*)+$/u, '')].map(inAnySpelling);
      const isName = !choice.includes('/');
      return (names: readonly string[]) =>
        names.some((name, index) =>
          matchers.some((matches) => matches(isName ? [name] : names.slice(0, index + 1))),
        );
    }),
  );
  return (components) => tests.some((test) => test(components));
}

/**
 * Expands the braces of a pattern to one text for each choice. Throws StartError where the pattern could be misread, or where
 * one of the texts can match nothing.
 */
function choicesOf(pattern: string, list: List, roots: Roots): readonly string[] {
  const refuse = (reason: string): never => {
    throw new StartError(`bad --${list} pattern ${quoted(pattern)}: ${reason}`);
  };
  const reason = misleading(pattern);
  if (reason !== undefined) refuse(reason);
  const choices = expandBraces(pattern);
  if (typeof choices === 'string') return refuse(choices);
  for (const choice of choices) {
    const why = unreachable(choice, list, roots) ?? misreadGroup(choice) ?? misfolded(choice, list);
    if (why !== undefined) refuse(why);
  }
  return choices;
}

/** Matches the folded path, or the composed one: a character that folds to several must still match one `?`. */
function inAnySpelling(choice: string): PathTest {
  const [composed, folded] = [
    matcherOf(asUnits(choice.normalize()), { nocase: true }),
    matcherOf(asUnits(foldText(choice))),
  ];
  // Folding ASCII only makes letters small, so the fast path is safe unless the pattern has a range.
  const isPlain = isPlainAscii(choice) && !choice.includes('[');
  return (components) => {
    const path = components.join('/');
    if (isPlain && isPlainAscii(path)) return composed(path);
    return composed(asUnits(path.normalize())) || folded(asUnits(components.map(foldText).join('/')));
  };
}

/** Returns why the pattern could be taken for another one, or undefined. */
function misleading(pattern: string): string | undefined {
  if (pattern.trim() === '') return 'it is empty';
  if (pattern.length > 256) return 'it is longer than 256 characters';
  // A negation in a list of patterns is often read as the opposite of what it does.
  if (pattern.startsWith('!')) return "negation ('!') is not supported; use --allow and --deny";
  if (/^(?:\/|[a-z]:)/iu.test(pattern))
    return `it is absolute; patterns are relative to the root, as in ${quoted(pattern.replace(/^(?:[a-z]:)?\/*/iu, ''))}`;
  if (pattern.split('/').includes('..')) return "it contains '..'";
  const isHidden = !isPlainAscii(pattern) && /\p{Cc}|\p{Cf}/u.test(pattern);
  if (isHidden || /[\\()|!]/.test(pattern)) return "only '*', '**', '?', '[…]' and '{…}' are special here";
  if (/^(?:~[^/]*|\$\w+)\//u.test(pattern))
    return 'no shell puts a folder in for its beginning; patterns are relative to the root, as in deploy/**';
  return undefined;
}

/** Returns why no path that a tool accepts can match the pattern, and which spelling would; or undefined. */
function unreachable(pattern: string, list: List, roots: Roots): string | undefined {
  const parts = pattern.split('/');
  if (pattern.endsWith('/')) return `for all that is in a folder write ${quoted(`${bare(pattern)}/**`)}`;
  if (parts.includes('') || parts.includes('.')) {
    const plain = parts.filter((part) => part !== '' && part !== '.').join('/');
    return `it contains an empty or '.' component; write ${quoted(plain)}`;
  }
  if (/^\s|\s$/u.test(pattern)) return `it begins or ends with a space; write ${quoted(pattern.trim())}`;
  if (pattern.includes(':') || parts.some((part) => /[. ]$/u.test(part)))
    return "no path here has a ':', or a name that ends with a dot or a space";
  if (/^'.*'$|"/su.test(pattern)) return 'the quotes are part of it; leave them out';
  if (pattern.replaceAll(/\[[^\]]*\]/gu, '').includes(','))
    return `a comma stands outside of braces; give --${list} once for each pattern`;
  if (roots.some(({ name }) => name !== undefined) && /^\[?@/u.test(pattern)) return rootNamed(pattern);
  // A last part without an extension is more often a folder than a file, unless it is named as one: Makefile, CODEOWNERS.
  const last = parts.at(-1) ?? '';
  if (list !== 'deny' && /^[^.*?[\]]+$/u.test(last) && !/^[A-Z]\w*file$|^[A-Z]+$/u.test(last))
    return `it could be a file or a folder; write ${quoted(`${pattern}/**`)} for a folder, ${quoted(bracketed(pattern))} for a file without an extension`;
  return undefined;
}

/** Writes a name so that it cannot be taken for a folder: `[M]akefile`. */
function bracketed(pattern: string): string {
  return pattern.replace(/[^/](?=[^/]*$)/u, '[$&]');
}

function rootNamed(pattern: string): string {
  const rest = pattern.replace(/^[^/]*\/?/u, '');
  const way =
    rest === '' || rest === '**' ? 'to leave out a root, leave out its --root' : `write ${quoted(rest)}`;
  return `patterns are relative to each root and hold in all of them, so that none begins with the name of a root; ${way}`;
}

function bare(pattern: string): string {
  return pattern.replace(/\/+$/u, '');
}

/** Returns why the pattern would match fewer spellings than it says, or undefined. Allow patterns match only one. */
function misfolded(choice: string, list: List): string | undefined {
  const [text, units] = [foldText(choice), asUnits(choice)];
  if (countSpecial(text) !== countSpecial(choice)) return 'a look-alike of a wildcard stands in it';
  if (list === 'allow') return undefined;
  const sets = units.match(CLASS) ?? [];
  return sets.every(isKeptByFolding)
    ? undefined
    : 'its brackets hold letters of one case and not of the other, or one that has no single small letter; name them as in [a-z]';
}

/** True if the folded set of brackets still matches the folded spelling of each character that the set matches. */
function isKeptByFolding(set: string): boolean {
  try {
    const [taken, folded] = [new RegExp(`^${set}$`, 'u'), new RegExp(`^${foldText(set)}$`, 'iu')];
    for (let code = isPlainAscii(set) ? 0x7f : 0xffff; code >= 0; code--) {
      const character = String.fromCharCode(code);
      if (taken.test(character) && !folded.test(foldText(character))) return false;
    }
    return true;
  } catch {
    return false;
  }
}

function matcherOf(choice: string, own: picomatch.PicomatchOptions = {}): (path: string) => boolean {
  const options = {
    dot: true,
    nobrace: true,
    noext: true,
    nonegate: true,
    regex: false,
    strictBrackets: true,
  };
  // Compiling is slow and done at the first use, because the thread that only starts the other one matches no
  // path.
  const matches = lazily(() => picomatch(choice, { ...options, ...own }));
  // Only brackets can be malformed, and they have to stop the start, so they are compiled at once.
  if (choice.includes('[')) matches();
  // The second argument of a callback must not get through: with one, picomatch answers an object, which is
  // always true.
  return (path) => matches()(path);
}

const SPECIAL = /[*?[\]{},]/gu;
const CLASS = /\[[^\]]*\]/gu;

function countSpecial(text: string): number {
  return text.match(SPECIAL)?.length ?? 0;
}

/**
 * A '?' of picomatch matches one UTF-16 unit, so each character of two units becomes one. All of these look the same then, so
 * that a pattern may match too much, but never too little.
 */
function asUnits(text: string): string {
  return isPlainAscii(text) ? text : text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '\u{FFFF}');
}
