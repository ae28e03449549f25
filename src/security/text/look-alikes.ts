// Letters that a reader takes for Latin ones, where they hide among Latin ones: `раypal`. Promises NOTHING about words that
// are foreign throughout, nor about digits.
import { lazily } from './fold.ts';
import { LOOK_ALIKE_LETTERS } from './look-alike-letters.ts';

const letterClass = lazily(() =>
  LOOK_ALIKE_LETTERS.replaceAll(/[0-9a-f]+/g, '\\u{$&}').replaceAll(/\s/g, ''),
);

const looksLatin = lazily(() => new RegExp(`[${letterClass()}]`, 'gu'));
const word = lazily(() => new RegExp(String.raw`[\p{L}\p{M}\p{N}_${letterClass()}]+`, 'gu'));

/**
 * Latin letters make a word a Latin one, and so do styled ones: a word of small capitals alone is read as well. Those in
 * full width, Roman numerals and raised letters stand by themselves in ordinary texts: `ＡＰＩ`, `第Ⅲ章`, `2ⁿ`.
 */
const latin = lazily(
  () =>
    new RegExp(
      String.raw`[A-Za-z]|(?![\u2160-\u217f\uff21-\uff5a]|\p{Lm})(?=[${letterClass()}])[\p{Script=Latin}\u24b6-\u24e9\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f189}]`,
      'u',
    ),
);

const FOREIGN =
  'Cyrillic Greek Armenian Cherokee Lisu Coptic Carian Lycian Lydian Old_Italic Gothic Deseret Osage Canadian_Aboriginal';
const foreign = lazily(
  () => new RegExp(`[${FOREIGN.replaceAll(/\w+/g, String.raw`\p{Script=$&}`).replaceAll(' ', '')}]`, 'gu'),
);

/** `text` with `show` applied to each letter that only looks Latin, in words that also hold Latin ones. */
export function replaceLookAlikes(text: string, show: (letter: string) => string): string {
  if (text.search(looksLatin()) === -1) return text;
  return text.replace(word(), (whole) => (latin().test(whole) ? whole.replace(looksLatin(), show) : whole));
}

/** The foreign letters of a text in which each of them looks Latin, as if meant to be taken for another text. */
export function disguisedLetters(text: string): readonly string[] {
  const letters: readonly string[] = text.match(foreign()) ?? [];
  return letters.every((letter) => letter.search(looksLatin()) !== -1) ? [...new Set(letters)] : [];
}
