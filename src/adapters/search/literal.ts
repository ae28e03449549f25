// Finds texts that every match of a search must contain, so that most files need not be decoded, masked or parsed. They are looked for
// in the text as it is shown, and never in masked values, so that the time of a search does not test guesses. They are found in any
// case of letters, because matches in another case are counted.
import type { Sought } from '../../security/index.ts';
import { withoutCase } from '../tree/wildcard.ts';
import { equalityIn, isEmptyCollection } from './condition.ts';
import type { SearchTerms } from './terms.ts';

/** Returns tests for the words that are in each file with a match. A file with an escape that may spell one passes all of them. */
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
