// Finds texts that every match of a search must contain, so that most files need not be parsed. They are looked for in the text
// as it is shown, and never in masked values, so that the time of a search does not test guesses. They are in small letters, and
// found in any case, because matches in another case are counted.

import { withoutCase } from '../tree/wildcard.ts';
import { equalityIn } from './condition.ts';
import type { SearchTerms } from './terms.ts';

/** Answers words of two letters or more that are in each file with a match, unless escapes spell them. */
export function literalsOf({ key = '', value = '', where }: SearchTerms): readonly string[] {
  const equal = where === undefined ? undefined : equalityIn(where);
  if (where !== undefined && equal === undefined && key === '') return [];
  if (where !== undefined && /missing/iu.test(where)) return [];
  return [key, value, equal ?? ''].flatMap((pattern) => wordsOf(withoutCase(pattern)));
}

/** Answers the words of a pattern without digits: indexes are not in texts, and numbers have several spellings. */
function wordsOf(pattern: string): readonly string[] {
  if (pattern.includes('\\')) return [];
  return pattern.toLowerCase().match(/[a-z_]{2,}(?:-[a-z_]+)*/g) ?? [];
}

/** Answers the parts between wildcards, for a text that is searched for line by line. */
export function literalsOfText(wanted: string): readonly string[] {
  return withoutCase(wanted)
    .toLowerCase()
    .split(/\\?[*?]+/u)
    .filter((part) => part !== '');
}

/** True where the text may hold a match; false where it certainly does not. */
export function mayHold(source: string, literals: readonly string[]): boolean {
  const text = source.toLowerCase();
  if (literals.every((literal) => text.includes(literal))) return true;
  if (!text.includes('\\')) return false;
  if (/\\[xu]/.test(text)) return true;
  // A line that is continued may break a word.
  const joined = text.replaceAll(/\\\s+/g, '');
  return literals.every((literal) => joined.includes(literal));
}
