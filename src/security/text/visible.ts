// Text that a person or a model can trust with their eyes: whatever is invisible, moves the cursor or
// reorders a line is shown as <U+XXXX>, and so are letters that look Latin among Latin ones. Two different
// texts never look the same to a program.
import { TAB_SIGN } from './columns.ts';
import { lazily } from './fold.ts';
import { replaceLookAlikes } from './look-alikes.ts';

// Cc controls; Cf bidi and format; Zl Zp Zs line ends and odd spaces; Cs lone surrogates; DI default
// ignorables (zero width, variation selectors, Hangul fillers, tags).
const HIDDEN_CLASSES = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{DI}\p{NChar}`;
// No property of Unicode names these: the blank Braille cell, the Tifinagh and Brahmi joiners, the place of an object,
// two Egyptian blanks, the Khitan filler and the null notehead.
const BLANK_GLYPHS = String.raw`\u2800\u2d7f\ufffc\u{1107f}\u{13441}\u{13442}\u{16fe4}\u{1d159}`;
/** For an expression with the flag `u`, between brackets: what shows nothing, or not what it is. Has the space, \n and \t as well. */
export const HIDDEN = HIDDEN_CLASSES + BLANK_GLYPHS;

// A literal "<U+" is escaped too: otherwise a file could spell out an escape and pose as its original.
const escapedInText = lazily(() => new RegExp(String.raw`<(?=U\+)|\r(?!\n)|(?![\n\t\r ])[${HIDDEN}]`, 'gu'));
const escapedInLine = lazily(() => new RegExp(String.raw`<(?=U\+)|(?! )[${HIDDEN}]`, 'gu'));

const ESCAPE = /(<U\+[0-9A-F]{4,6}>)/u;
// Marks behind the first eight of a letter, and those on the sign that begins a row of a diff: "-" with a bar is read as "+".
const EXCESS = String.raw`(?<=\p{M}{8}|^[-+ ]?)\p{M}+`;
const LAST_BLANK = String.raw`[\t ](?=\r?$)`;
// A real sign of a tab is escaped, so that only a tab is shown by it.
const overlooked = lazily(() => new RegExp(`${EXCESS}|${TAB_SIGN}|${LAST_BLANK}`, 'gmu'));
const overlookedInDiff = lazily(() => new RegExp(`${EXCESS}|${TAB_SIGN}|${LAST_BLANK}(?<=^[-+].*)`, 'gmu'));

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
 * A text of several lines for a person, on top of the above: blanks that end a line are seen, and no letter carries more
 * marks than any script has use for. The rest would grow over the lines around it. What an agent reads keeps them.
 */
export function displayText(text: string): string {
  return spelledOut(visible(text), overlooked());
}

/** A name or a one-line message for a person. */
export function displayLine(text: string): string {
  return spelledOut(visibleLine(text), overlooked());
}

/** A unified diff for a person, which was made visible where it was made. */
export function displayDiff(diff: string): string {
  return spelledOut(diff, overlookedInDiff());
}

function spelledOut(text: string, pattern: RegExp): string {
  return text.replace(pattern, (found) => found.replace(/./gsu, escaped));
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
