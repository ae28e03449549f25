// Letters of other alphabets (and styled ones) that a reader takes for Latin letters, where they hide among
// Latin ones: `раypal`. Promises NOTHING about words that are foreign throughout, nor about digits.

import { lazily } from './lazily.ts';

const CYRILLIC = 'аАВеЕѕЅіІјЈКМНоОрРсСТуУхХѵѴһҺԁԛԚԝԜԌӏӀ';
const GREEK = 'αΑΒΕΖΗΙιΚκΜΝνοΟρΡΤυΥΧϲϹϳͿ';
const ARMENIAN = 'օՕոսՍհզցԼ';
const CHEROKEE = 'ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏚᎢᏙᏔᏃ';
/** Roman numerals, full width and mathematical letters. */
const STYLED = '\\u2160-\\u217f\\uff21-\\uff3a\\uff41-\\uff5a\\u{1d400}-\\u{1d6a3}';

const looksLatin = lazily(() => new RegExp(`[${CYRILLIC}${GREEK}${ARMENIAN}${CHEROKEE}${STYLED}]`, 'gu'));
const foreign = lazily(() => /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu);
const word = lazily(() => /[\p{L}\p{M}\p{N}_]+/gu);

/** `text` with `show` applied to each letter that only looks Latin, in words that also hold Latin ones. */
export function replaceLookAlikes(text: string, show: (letter: string) => string): string {
  if (text.search(looksLatin()) === -1) return text;
  return text.replace(word(), (whole) =>
    /[A-Za-z]/.test(whole) ? whole.replace(looksLatin(), show) : whole,
  );
}

/** The foreign letters of a text in which each of them looks Latin, as if meant to be taken for another text. */
export function disguisedLetters(text: string): readonly string[] {
  const letters: readonly string[] = text.match(foreign()) ?? [];
  return letters.every((letter) => letter.search(looksLatin()) !== -1) ? [...new Set(letters)] : [];
}
