// What a text must hold for a search to find anything in it, so that most files need not be parsed. Asked of the text as it is
// shown, and never of masked values: how long a search takes must not answer a guess.
import { equalityIn } from './condition.ts';
import type { SearchTerms } from './terms.ts';

/** Words of two letters or more that stand in each file with a match, as long as nothing spells them by escapes. */
export function literalsOf({ key = '', value = '', where }: SearchTerms): readonly string[] {
  const equal = where === undefined ? undefined : equalityIn(where);
  if (where !== undefined && equal === undefined && key === '') return [];
  if (where !== undefined && /missing/iu.test(where)) return [];
  return [key, value, equal ?? ''].flatMap(wordsOf);
}

/** Digits are left out: indexes are in paths and not in texts, and numbers have several spellings. */
function wordsOf(pattern: string): readonly string[] {
  if (pattern.includes('\\')) return [];
  return pattern.match(/[A-Za-z_]{2,}(?:-[A-Za-z_]+)*/g) ?? [];
}

/** Of a text that is searched for line by line: all that stands between its wildcards. */
export function literalsOfText(wanted: string): readonly string[] {
  return wanted.split(/[*?]+/u).filter((part) => part !== '');
}

/** False where none of the search's terms can be met. */
export function mayHold(text: string, literals: readonly string[]): boolean {
  if (literals.every((literal) => text.includes(literal))) return true;
  if (!text.includes('\\')) return false;
  if (/\\[xuU]/.test(text)) return true;
  // A line that is continued may break a word.
  const joined = text.replaceAll(/\\\s+/g, '');
  return literals.every((literal) => joined.includes(literal));
}
