// Letters of other alphabets (and styled ones) that a reader takes for Latin letters, where they hide among
// Latin ones: `раypal`. Promises NOTHING about words that are foreign throughout, nor about digits.

const CYRILLIC = 'аАВеЕѕЅіІјЈКМНоОрРсСТуУхХѵѴһҺԁԛԚԝԜԌӏӀ';
const GREEK = 'αΑΒΕΖΗΙιΚκΜΝνοΟρΡΤυΥΧϲϹϳͿ';
const ARMENIAN = 'օՕոսՍհզցԼ';
const CHEROKEE = 'ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᏚᎢᏙᏔᏃ';
/** Roman numerals, full width and mathematical letters. */
const STYLED = '\\u2160-\\u217f\\uff21-\\uff3a\\uff41-\\uff5a\\u{1d400}-\\u{1d6a3}';

const LOOKS_LATIN = new RegExp(`[${CYRILLIC}${GREEK}${ARMENIAN}${CHEROKEE}${STYLED}]`, 'gu');
const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu;
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;

/** `text` with `show` applied to each letter that only looks Latin, in words that also hold Latin ones. */
export function replaceLookAlikes(text: string, show: (letter: string) => string): string {
  if (text.search(LOOKS_LATIN) === -1) return text;
  return text.replace(WORD, (word) => (/[A-Za-z]/.test(word) ? word.replace(LOOKS_LATIN, show) : word));
}

/** The foreign letters of a text in which each of them looks Latin, as if meant to be taken for another text. */
export function disguisedLetters(text: string): readonly string[] {
  const foreign: readonly string[] = text.match(FOREIGN) ?? [];
  return foreign.every((letter) => letter.search(LOOKS_LATIN) !== -1) ? [...new Set(foreign)] : [];
}
