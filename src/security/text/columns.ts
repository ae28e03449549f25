// Computes how many columns of a terminal a text takes at most, and splits it into rows of that width. No terminal shows a
// character wider than it counts here: a row that the terminal wrapped itself could look like two rows.
import { eastAsianWidth } from 'get-east-asian-width';
import { lazily } from './look-alikes.ts';

/** The code points from this one on are pictures, ideographs and private characters, whose width differs between terminals. */
const FIRST_PICTURE = 0x1f000;
const doubtful = lazily(() => /[\p{Cn}\p{Extended_Pictographic}\p{Regional_Indicator}]/u);
const mark = lazily(() => /\p{M}/u);

/** Returns the larger width where terminals differ, as for marks, pictures, and ambiguous or unassigned characters. */
export function maxColumns(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  return code >= FIRST_PICTURE || doubtful().test(character)
    ? 2
    : eastAsianWidth(code, { ambiguousAsWide: true });
}

/** Returns the width in most terminals; 0 for a mark on a letter. */
export function usualColumns(character: string): number {
  return mark().test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0);
}

/** Splits a line into rows without leaving anything out. Each row but the first begins with `continued`. */
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

/** The sign for a tab; spaces follow it up to the next tab stop. */
export const TAB_SIGN = '⇥';
const TAB = 8;

/** Shows each tab as its sign and spaces. */
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
