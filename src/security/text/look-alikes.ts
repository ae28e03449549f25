// Finds letters that look Latin and stand among Latin letters, as in `раypal`. It also finds signs that look like a dot, a colon or
// a slash. Words without any Latin letter are not checked, and digits are not either.
import { LOOK_ALIKE_LETTERS, LOOK_ALIKE_SIGNS, LOOK_ALIKE_SIGNS_OF_SCRIPTS } from './look-alike-letters.ts';

const classOf = (codes: string): string => codes.replaceAll(/[0-9a-f]+/g, '\\u{$&}').replaceAll(/\s/g, '');
const letterClass = lazily(() => classOf(LOOK_ALIKE_LETTERS));

const looksLatin = lazily(() => new RegExp(`[${letterClass()}]`, 'gu'));
const word = lazily(() => new RegExp(String.raw`[\p{L}\p{M}\p{N}_${letterClass()}]+`, 'gu'));

/**
 * Letters that make a word count as Latin. Styled letters count, too, because a word of small capitals alone is readable.
 * Letters in full width, Roman numerals and raised letters do not, because they stand alone in ordinary texts: `ＡＰＩ`, `第Ⅲ章`,
 * `2ⁿ`.
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

/** A dotless i counts as a look-alike in a word of Latin letters in which nothing else is Turkish or Azerbaijani. */
const DOTLESS = /ı/gu;
const TURKISH = /[çğöşüəÇĞÖŞÜƏİ]/u;

/** Signs of other scripts count only between ASCII characters; beside their own letters they are ordinary. */
const looksLikeSign = lazily(() => {
  const [any, foreignSign] = [classOf(LOOK_ALIKE_SIGNS), classOf(LOOK_ALIKE_SIGNS_OF_SCRIPTS)];
  const beside = `[!-~${any}${foreignSign}]`;
  return new RegExp(
    `(?<=${beside})[${any}]|[${any}](?=${beside})|(?<=${beside})[${foreignSign}](?=${beside})`,
    'gu',
  );
});

/** Applies `show` to each letter that only looks Latin, in words that also hold Latin ones, and to each such sign. */
export function replaceLookAlikes(text: string, show: (letter: string) => string): string {
  const signs = text.replace(looksLikeSign(), show);
  const isDotless = signs.includes('ı');
  if (!isDotless && signs.search(looksLatin()) === -1) return signs;
  return signs.replace(word(), (whole) => {
    if (!latin().test(whole)) return whole;
    const shown = whole.replace(looksLatin(), show);
    return isDotless && /[A-Za-z]/u.test(whole) && !TURKISH.test(whole.normalize())
      ? shown.replace(DOTLESS, show)
      : shown;
  });
}

/** True if both words look the same: each different character is a letter beyond ASCII, or a digit that looks like a letter. */
export function looksLike(word: string, other: string): boolean {
  const [letters, others] = [[...word], [...other]];
  return (
    letters.length === others.length &&
    letters.every((letter, index) => letter === others[index] || isInPlaceOf(letter, others[index] ?? ''))
  );
}

function isInPlaceOf(letter: string, other: string): boolean {
  const digit = DIGITS[letter] ?? '';
  return digit === ''
    ? letter > '\x7f' && /\p{L}/u.test(letter) && /[A-Za-z]/u.test(other)
    : digit.includes(other);
}

const DIGITS: Readonly<Record<string, string>> = { 0: 'oO', 1: 'ilIL', 5: 'sS' };

/** Returns the foreign letters of a text if all of them look Latin, so that it may be meant to look like another text. */
export function disguisedLetters(text: string): readonly string[] {
  const letters: readonly string[] = text.match(foreign()) ?? [];
  return letters.every((letter) => letter.search(looksLatin()) !== -1) ? [...new Set(letters)] : [];
}

const ignored = lazily(() => /[\p{DI}\p{Cf}\p{Cc}]/gu);

/**
 * Folds a component as the most forgiving file system would, to *refuse* names, never to open a file: it may fold too much, never
 * too little. HFS+ skips ignorable characters (CVE-2014-9390), NTFS drops a stream after ':' and trailing dots and spaces, and
 * case never counts (CVE-2024-23331, CVE-2025-59944). Upper-casing first also folds letters that lower-casing alone leaves apart:
 * ı, ß.
 */
export function foldComponent(component: string): string {
  const [name = ''] = component.split(':');
  return foldText(name).replace(/^ +|[. ]+$/gu, '');
}

/** Folds compatibility forms and case only, for patterns and relative paths. */
export function foldText(text: string): string {
  if (isPlainAscii(text)) return text.toLowerCase();
  const plain = text.replace(ignored(), '').normalize('NFKC');
  // İ lower-cases to i and a combining dot, which would keep ".gİt" apart from ".git".
  return plain.toUpperCase().toLowerCase().normalize('NFKC').replaceAll('\u0307', '');
}

/**
 * Makes a value when it is first asked for. It is for expressions over all of Unicode, which take V8 longer to read than all
 * other work of a start, and which plain texts never need.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** True for a single line of printable ASCII, for which the expressions over all of Unicode are not needed. */
export function isPlainAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}
