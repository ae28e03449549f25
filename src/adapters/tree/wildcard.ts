// Compiles patterns of a search: `*` is any run of characters, `?` is one, and everything else is itself, as are `\*` and `\?`.
// After `(?i)` at its beginning, capitals and small letters are the same.
// It uses no regular expression: a pattern comes from a request, and takes at most its length times that of the text in steps.

import { Refusal } from '../../security/errors/refusal.ts';
import { matchesWildcard } from '../../security/text/match-sequence.ts';

const MAX_PATTERN_LENGTH = 256;

/** True if `*` or `?` stands for other characters. */
export function hasWildcard(pattern: string): boolean {
  return literalOf(partsOf(pattern)) === undefined;
}

const IGNORES_CASE = '(?i)';

/** Returns the pattern for the same text in any case; the pattern itself where it is one already. */
export function ignoringCase(pattern: string): string {
  return pattern.startsWith(IGNORES_CASE) ? pattern : IGNORES_CASE + pattern;
}

/** Returns the pattern without what says that it is for any case. */
export function withoutCase(pattern: string): string {
  return pattern.startsWith(IGNORES_CASE) ? pattern.slice(IGNORES_CASE.length) : pattern;
}

/** Returns the pattern for exactly this text. */
export function asLiteral(text: string): string {
  return text.replaceAll(/[*?]/gu, '\\$&');
}

/** Compiles a pattern for the whole text; without wildcards it is equality. Throws ARGUMENT_INVALID for one over 256 characters. */
export function compileWildcard(pattern: string): (text: string) => boolean {
  if (pattern.startsWith(IGNORES_CASE)) return inAnyCase(pattern, compileWildcard);
  requireShort(pattern);
  const parts = partsOf(pattern);
  const plain = literalOf(parts);
  return plain === undefined ? (text) => matchesWildcard(parts, text) : (text) => text === plain;
}

/** Compiles a pattern for any part of the text. */
export function compilePart(pattern: string): (text: string) => boolean {
  if (pattern.startsWith(IGNORES_CASE)) return inAnyCase(pattern, compilePart);
  requireShort(pattern);
  const parts = partsOf(pattern);
  const plain = literalOf(parts);
  const within = ['*', ...parts, '*'];
  return plain === undefined ? (text) => matchesWildcard(within, text) : (text) => text.includes(plain);
}

function inAnyCase(pattern: string, compile: typeof compilePart): (text: string) => boolean {
  const isSame = compile(withoutCase(pattern).toLowerCase());
  return (text) => isSame(text.toLowerCase());
}

/** Splits it into characters and wildcards; a character that is written with a backslash keeps it. */
function partsOf(pattern: string): readonly string[] {
  return pattern.match(/\\[*?]|./gs) ?? [];
}

function literalOf(parts: readonly string[]): string | undefined {
  const isPattern = parts.some((part) => part === '*' || part === '?');
  return isPattern ? undefined : parts.map((part) => part.slice(-1)).join('');
}

function requireShort(pattern: string): void {
  if (pattern.length <= MAX_PATTERN_LENGTH) return;
  throw new Refusal(
    'ARGUMENT_INVALID',
    `Cannot use this pattern: it is longer than ${MAX_PATTERN_LENGTH} characters`,
  );
}
