// Text that a person or a model can trust with their eyes: whatever is invisible, moves the cursor or
// reorders a line is shown as <U+XXXX>, and so are letters that look Latin among Latin ones. Two different
// texts never look the same to a program; promises NOTHING about words that are foreign throughout, nor about digits.
import { lazily } from './fold.ts';

// Cc controls; Cf bidi and format; Zl Zp Zs line ends and odd spaces; Cs lone surrogates; DI default
// ignorables (zero width, variation selectors, Hangul fillers, tags); U+2800, the blank Braille cell.
const HIDDEN = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{DI}\p{NChar}\u2800`;

// A literal "<U+" is escaped too: otherwise a file could spell out an escape and pose as its original.
const escapedInText = lazily(() => new RegExp(String.raw`<(?=U\+)|\r(?!\n)|(?![\n\t\r ])[${HIDDEN}]`, 'gu'));
const escapedInLine = lazily(() => new RegExp(String.raw`<(?=U\+)|(?! )[${HIDDEN}]`, 'gu'));

const ESCAPE = /(<U\+[0-9A-F]{4,6}>)/u;
/** Those behind the first eight. */
const marksInExcess = lazily(() => /(?<=\p{M}{8})\p{M}+/gu);

/** For texts of several lines: \n, \t and the \r of a \r\n stay as they are. */
export function visible(text: string): string {
  if (isPlain(text, true)) return text;
  return replaceLookAlikes(text.replace(escapedInText(), escaped), escaped);
}

/** For names and one-line messages: \n, \t and \r are escaped as well. */
export function visibleLine(text: string): string {
  if (isPlain(text, false)) return text;
  return replaceLookAlikes(text.replace(escapedInLine(), escaped), escaped);
}

/** For what may have been made visible before: an escape that stands there stays as it is. */
export function visibleLineOnce(text: string): string {
  return text
    .split(ESCAPE)
    .map((piece, index) => (index % 2 === 1 ? piece : visibleLine(piece)))
    .join('');
}

/**
 * For persons, on top of the above: no letter carries more marks than any script has use for. The rest would grow over
 * the lines around it. What an agent reads keeps them.
 */
export function withFewMarks(text: string): string {
  return text.replace(marksInExcess(), (marks) => marks.replace(/./gsu, escaped));
}

/** What the agent sent, fit for a message: one visible line in quotes, cut where it is long. */
export function quoted(text: string): string {
  const shown = visibleLine(text.length > 400 ? text.slice(0, 400) : text);
  return `"${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}"`;
}

/** Whether it is ASCII that can be seen and is no escape, as most texts are: where prototypes are frozen, expressions are slow. */
function isPlain(text: string, hasLines: boolean): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isSeen = code >= 0x20 && code <= 0x7e && (code !== 0x3c || text[at + 1] !== 'U');
    if (!isSeen && !(hasLines && (code === 0x0a || code === 0x09))) return false;
  }
  return true;
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

// Letters of other alphabets that a reader takes for Latin letters, where they hide among Latin ones: `раypal`.
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

const NO_COLUMN = /^\p{M}$/u;

/** As most terminals have it: two for East Asian scripts and pictures, none for what sits on another letter. */
export function stringWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (NO_COLUMN.test(character)) return 0;
  return WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd],
];
