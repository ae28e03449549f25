// The operator's globs: which paths exist for the agent and which never do. Compiled once at start, matched
// on folded text. A pattern that could be misread stops the start instead of allowing something.
import picomatch from 'picomatch';
import { StartError } from '../start-error.ts';
import { quoted } from '../visible.ts';
import { foldText } from './fold.ts';

type Matcher = (text: string) => boolean;

/** `components` are relative to the root. */
export type PathTest = (components: readonly string[]) => boolean;

/** What a list of patterns is for, in the words of its flag. */
type List = 'allow' | 'deny' | 'schema';

/** A path is allowed, or bound to a schema, if a pattern matches the whole of it. */
export function compileAllow(patterns: readonly string[], list: List = 'allow'): PathTest {
  const matchers = patterns.map((pattern) => compile(pattern, list));
  return (components) => {
    const path = folded(components).join('/');
    return matchers.some((matches) => matches(path));
  };
}

/**
 * A path is denied if a pattern matches it or any folder above it; a pattern without a slash is matched
 * against every single name. Wider than for `allow` on purpose: "secrets" must not let secrets/x.yaml through.
 */
export function compileDeny(patterns: readonly string[]): PathTest {
  const matchers = patterns.map((pattern) => {
    const bare = pattern.replace(/\/+$/u, '');
    return { matches: compile(bare, 'deny'), isName: !bare.includes('/') };
  });
  return (components) => {
    const names = folded(components);
    const folders = names.map((_, index) => names.slice(0, index + 1).join('/'));
    return matchers.some(({ matches, isName }) => (isName ? names : folders).some(matches));
  };
}

const SPECIAL = /[*?[\]{},]/gu;

function compile(pattern: string, list: List): Matcher {
  const refuse = (reason: string): never => {
    throw new StartError(`bad --${list} pattern ${quoted(pattern)}: ${reason}`);
  };
  if (pattern.trim() === '') refuse('it is empty');
  if (pattern.length > 256) refuse('it is longer than 256 characters');
  // Negation in a list of patterns reads as the opposite of what it does.
  if (pattern.startsWith('!')) refuse("negation ('!') is not supported; use --allow and --deny");
  if (/^(?:\/|[a-z]:)/iu.test(pattern)) refuse('it is absolute; patterns are relative to the root');
  if (pattern.split('/').includes('..')) refuse("it contains '..'");
  if (pattern.split('/').some((part) => part === '' || part === '.'))
    refuse("it contains an empty or '.' component");
  if (/[\\()|!]|\p{Cc}|\p{Cf}/u.test(pattern))
    refuse("only '*', '**', '?', '[…]' and '{…}' are special here");
  const text = foldText(pattern);
  if (countSpecial(text) !== countSpecial(pattern)) refuse('a look-alike of a wildcard stands in it');
  try {
    return matcherOf(text);
  } catch (cause) {
    throw new StartError(`bad --${list} pattern ${quoted(pattern)}: its brackets or braces do not pair`, {
      cause,
    });
  }
}

function matcherOf(pattern: string): Matcher {
  const matches = picomatch(pattern, {
    dot: true,
    nocase: true,
    noext: true,
    nonegate: true,
    regex: false,
    strictBrackets: true,
  });
  // With a second argument, such as the index that `some` passes, picomatch answers with an object: always true.
  return (path) => matches(path);
}

function countSpecial(text: string): number {
  return text.match(SPECIAL)?.length ?? 0;
}

function folded(components: readonly string[]): string[] {
  return components.map(foldText);
}
