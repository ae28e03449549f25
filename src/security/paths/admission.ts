// The one decision that needs no disk: may the agent know this path at all? The built-in denylist cannot be
// switched off, the operator's denylist comes next, and what the allowlist does not name does not exist. The operator's
// patterns are compiled once at start and matched on folded text. A pattern that could be misread, or that no path can
// match, stops the start: it would allow something, or deny nothing, in silence.

import picomatch from 'picomatch';
import { StartError } from '../errors/start-error.ts';
import type { Policy } from '../policy/policy.ts';
import { foldText, isPlainAscii } from '../text/fold.ts';
import { quoted } from '../text/visible.ts';
import { isOnDenylist } from './denylist.ts';
import { misreadGroup } from './pattern-groups.ts';
import { deniedPath, type SafePath, unreadablePath } from './safe-path.ts';

export class Admission {
  readonly #allows: PathTest;
  readonly #denies: PathTest;

  /** Throws StartError for a pattern that cannot be trusted. */
  constructor(policy: Policy) {
    this.#allows = compileAllow(policy.allow, policy.roots);
    this.#denies = compileDeny(policy.deny, policy.roots);
  }

  /** Throws PATH_DENIED; the same words whatever the reason and whether the file exists or not. */
  requireAdmitted(path: SafePath): void {
    if (!this.isAdmitted(path.components)) throw deniedPath(path.toString());
  }

  isAdmitted(components: readonly string[]): boolean {
    return !isOnDenylist(components) && !this.#denies(components) && this.#allows(components);
  }

  /** Whether a listing may look into a folder: the denylists hold for everything below it. */
  isFolderVisible(components: readonly string[]): boolean {
    return !isOnDenylist(components) && !this.#denies(components);
  }

  /** Throws PATH_DENIED for malformed spellings of denied paths too: "prod//x.yaml" is an attempt at prod/x.yaml. */
  requireNotAttempted(text: string): void {
    if (unreadablePath(text) !== undefined || text.startsWith('/')) return;
    const components = text.split('/').filter((component) => component !== '' && component !== '.');
    const isNamed = components[0]?.startsWith('@') ?? false;
    const isDenied = this.#denies(components) || (isNamed && this.#denies(components.slice(1)));
    if (isDenied) throw deniedPath(text);
  }
}

type Matcher = (text: string) => boolean;

/** `components` are relative to the root. */
export type PathTest = (components: readonly string[]) => boolean;

/** What a list of patterns is for, in the words of its flag. */
type List = 'allow' | 'deny' | 'schema';

/** The roots that the patterns are for. */
type Roots = readonly { readonly name: string | undefined }[];

/** A path is allowed, or bound to a schema, if a pattern matches the whole of it. */
export function compileAllow(
  patterns: readonly string[],
  roots: Roots,
  list: Exclude<List, 'deny'> = 'allow',
): PathTest {
  const matchers = patterns.map((pattern) => compile(pattern, list, roots));
  return (components) => {
    const path = folded(components).join('/');
    return matchers.some((matches) => matches(path));
  };
}

/**
 * A path is denied if a pattern matches it or any folder above it; a pattern without a slash is matched
 * against every single name. Wider than for `allow` on purpose: "secrets" must not let secrets/x.yaml through.
 */
export function compileDeny(patterns: readonly string[], roots: Roots): PathTest {
  const matchers = patterns.map((pattern) => {
    const name = bare(pattern);
    return { matches: compile(name, 'deny', roots), isName: !name.includes('/') };
  });
  return (components) => {
    const names = folded(components).map(asUnits);
    const folders = names.map((_, index) => names.slice(0, index + 1).join('/'));
    return matchers.some(({ matches, isName }) => (isName ? names : folders).some(matches));
  };
}

const SPECIAL = /[*?[\]{},]/gu;

function compile(pattern: string, list: List, roots: Roots): Matcher {
  const refuse = (reason: string): never => {
    throw new StartError(`bad --${list} pattern ${quoted(pattern)}: ${reason}`);
  };
  const reason = misleading(pattern) ?? unreachable(pattern, list, roots) ?? misreadGroup(pattern);
  if (reason !== undefined) refuse(reason);
  const text = list === 'deny' ? asUnits(foldText(pattern)) : foldText(pattern);
  if (countSpecial(text) !== countSpecial(pattern)) refuse('a look-alike of a wildcard stands in it');
  try {
    return matcherOf(text);
  } catch (cause) {
    throw new StartError(`bad --${list} pattern ${quoted(pattern)}: its brackets or braces do not pair`, {
      cause,
    });
  }
}

/** Why it could be taken for another pattern than it is, or undefined. */
function misleading(pattern: string): string | undefined {
  if (pattern.trim() === '') return 'it is empty';
  if (pattern.length > 256) return 'it is longer than 256 characters';
  // Negation in a list of patterns reads as the opposite of what it does.
  if (pattern.startsWith('!')) return "negation ('!') is not supported; use --allow and --deny";
  if (/^(?:\/|[a-z]:)/iu.test(pattern))
    return 'it is absolute; patterns are relative to the root, as in deploy/**';
  if (pattern.split('/').includes('..')) return "it contains '..'";
  const isHidden = !isPlainAscii(pattern) && /\p{Cc}|\p{Cf}/u.test(pattern);
  if (isHidden || /[\\()|!]/.test(pattern)) return "only '*', '**', '?', '[…]' and '{…}' are special here";
  if (/^(?:~[^/]*|\$\w+)\//u.test(pattern))
    return 'no shell puts a folder in for its beginning; patterns are relative to the root, as in deploy/**';
  return undefined;
}

/** Why no path that a tool takes can match it, with the spelling that does; or undefined. */
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
  if (/,/u.test(pattern.replaceAll(/\{[^}]*\}|\[[^\]]*\]/gu, '')))
    return `a comma stands outside of braces; give --${list} once for each pattern`;
  if (roots.some(({ name }) => name !== undefined) && /^[{[]?@|^\{[^}]*,@/u.test(pattern))
    return rootNamed(pattern);
  // What has no extension is no file of any format.
  if (list !== 'deny' && /^[^.*?[\]{}]+$/u.test(parts.at(-1) ?? ''))
    return `it names no file that could be read; for a folder write ${quoted(`${pattern}/**`)}`;
  return undefined;
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

/** A '?' of picomatch is one unit of UTF-16. For denying only: what has two of them is taken for any other that has. */
function asUnits(text: string): string {
  return isPlainAscii(text) ? text : text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '\u{FFFF}');
}

function folded(components: readonly string[]): string[] {
  return components.map(foldText);
}
