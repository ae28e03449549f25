// Makes hidden characters visible. Characters that are invisible, move the cursor or reorder a line are shown as <U+XXXX>, and so
// are letters that look Latin among Latin ones. Two different texts never become the same text.

import { isAscii } from 'node:buffer';
import { TAB_SIGN } from './columns.ts';
import { lazily, replaceLookAlikes } from './look-alikes.ts';

// Cc controls; Cf bidi and format; Zl Zp Zs line ends and odd spaces; Cs lone surrogates; DI default
// ignorables (zero width, variation selectors, Hangul fillers, tags).
const HIDDEN_CLASSES = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Zs}\p{DI}\p{NChar}`;
// No property of Unicode covers these: the blank Braille cell, the Tifinagh and Brahmi joiners, the object replacement
// character, two Egyptian blanks, the Khitan filler and the null notehead.
const BLANK_GLYPHS = String.raw`\u2800\u2d7f\ufffc\u{1107f}\u{13441}\u{13442}\u{16fe4}\u{1d159}`;
/** Characters that show nothing, or not what they are, for a set in an expression with the flag `u`. It has the space, \n and \t as well. */
export const HIDDEN = HIDDEN_CLASSES + BLANK_GLYPHS;

// A literal "<U+" is escaped too: otherwise a file could spell out an escape and pose as its original.
const escapedInText = lazily(() => new RegExp(String.raw`<(?=U\+)|\r(?!\n)|(?![\n\t\r ])[${HIDDEN}]`, 'gu'));
const escapedInLine = lazily(() => new RegExp(String.raw`<(?=U\+)|(?! )[${HIDDEN}]`, 'gu'));

const ESCAPE = /(<U\+[0-9A-F]{4,6}>)/u;
// Matches marks after the first eight of a letter, and any on the sign that begins a row of a diff: "-" with a bar is read as
// "+".
const EXCESS = String.raw`(?<=\p{M}{8}|^[-+ ]?)\p{M}+`;
const LAST_BLANK = String.raw`[\t ](?=\r?$)`;
// The sign for tabs is escaped where it is in the text, so that it always means a tab.
const overlooked = lazily(() => new RegExp(`${EXCESS}|${TAB_SIGN}|${LAST_BLANK}`, 'gmu'));
const overlookedInDiff = lazily(() => new RegExp(`${EXCESS}|${TAB_SIGN}|${LAST_BLANK}(?<=^[-+].*)`, 'gmu'));

/** Escapes a text of several lines; \n, \t and the \r of a \r\n stay as they are. */
export function visible(text: string): string {
  if (isPlain(text, true)) return text;
  return replaceLookAlikes(text.replace(escapedInText(), escaped), escaped);
}

/** Escapes names and one-line messages; \n, \t and \r are escaped as well. */
export function visibleLine(text: string): string {
  if (isPlain(text, false)) return text;
  return replaceLookAlikes(text.replace(escapedInLine(), escaped), escaped);
}

/** Escapes a line that may have been escaped before; escapes in it stay as they are. */
export function visibleLineOnce(text: string): string {
  return text
    .split(ESCAPE)
    .map((piece, index) => (index % 2 === 1 ? piece : visibleLine(piece)))
    .join('');
}

/**
 * Escapes a text of several lines for a person. It also shows blanks at the end of a line, and escapes marks beyond what any
 * script needs, which would cover the lines around it. Agents get texts without this.
 */
export function displayText(text: string): string {
  return spelledOut(visible(text), overlooked());
}

/** Escapes a name or a one-line message for a person. */
export function displayLine(text: string): string {
  return spelledOut(visibleLine(text), overlooked());
}

/** Escapes a unified diff for a person; it must be escaped by `visible` already. */
export function displayDiff(diff: string): string {
  return spelledOut(diff, overlookedInDiff());
}

function spelledOut(text: string, pattern: RegExp): string {
  return text.replace(pattern, (found) => found.replace(/./gsu, escaped));
}

/** Quotes what the agent sent for a message: one visible line, cut where it is long. */
export function quoted(text: string): string {
  const shown = visibleLine(text.length > 400 ? text.slice(0, 400) : text);
  return `"${shown.length > 80 ? `${shown.slice(0, 79)}…` : shown}"`;
}

/** True for visible ASCII without an escape, as most texts are. It tests codes, because expressions are slow where prototypes are frozen. */
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

const PIECE_BYTES = 4_096;
const LINE_FEED = 10;

/**
 * True if the test is true for one of the pieces, each of some whole lines: a copy of a large text would take longer than the
 * test itself. `bytes` are well-formed.
 */
export function holdsPiece(bytes: Uint8Array, test: (piece: string) => boolean): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < buffer.length; ) {
    const lineBreak = buffer.indexOf(LINE_FEED, at + PIECE_BYTES);
    const end = lineBreak === -1 ? buffer.length : lineBreak + 1;
    const piece = buffer.subarray(at, end);
    if (test(piece.toString(isAscii(piece) ? 'latin1' : 'utf8'))) return true;
    at = end;
  }
  return false;
}
