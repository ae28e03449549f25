// How many columns of a terminal a text takes at most, and its rows within so many. No terminal shows a character wider than
// it counts here, so that none wraps such a row by itself, as if its end were a row of its own.
import { eastAsianWidth } from 'get-east-asian-width';
import { lazily } from './fold.ts';

/** From here on come pictures, ideographs and private characters, which terminals differ about. */
const FIRST_PICTURE = 0x1f000;
const doubtful = lazily(() => /[\p{Cn}\p{Extended_Pictographic}\p{Regional_Indicator}]/u);
const mark = lazily(() => /\p{M}/u);

/** The larger where terminals differ, as for marks, pictures, and what is ambiguous or not assigned yet. */
export function maxColumns(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  return code >= FIRST_PICTURE || doubtful().test(character)
    ? 2
    : eastAsianWidth(code, { ambiguousAsWide: true });
}

/** As most terminals have it: nothing for a mark on a letter. */
export function usualColumns(character: string): number {
  return mark().test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0);
}

/** Nothing of the line is left out. Each row but the first begins with `continued`. */
export function rowsWithin(line: string, columns: number, continued: string): readonly string[] {
  const indent = columnsOf(continued);
  const most = Math.max(columns, indent + 2);
  const rows: string[] = [];
  let row = '';
  let at = 0;
  for (const character of line) {
    const width = maxColumns(character);
    if (at + width > most) {
      rows.push(row);
      row = continued;
      at = indent;
    }
    row += character;
    at += width;
  }
  return [...rows, row];
}

/** Each is followed by the spaces up to the next tab stop. */
export const TAB_SIGN = '⇥';
const TAB = 8;

/** A tab as its sign and spaces. */
export function withVisibleTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let shown = '';
  let at = 0;
  for (const character of line) {
    const columns = character === '\t' ? TAB - (at % TAB) : maxColumns(character);
    shown += character === '\t' ? `${TAB_SIGN}${' '.repeat(columns - 1)}` : character;
    at += columns;
  }
  return shown;
}

function columnsOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + maxColumns(character), 0);
}
