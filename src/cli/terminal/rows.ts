// Lines to rows that fit. Nothing of a line is left out, no row of it looks like a line of its own, and what a
// terminal would obey does not get through, whoever forgot to make it visible before. A line has one style or none.
import { stringWidth } from '../../security/index.ts';

/** Begins each further row of a line: no line of a diff begins like this. */
const CONTINUED = '| ';
const LEAST_WIDTH = 20;
const TAB = 8;

// Cc controls; Cf bidi and format; Cs lone surrogates; Zl Zp line ends.
const OBEYED = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

export function rowsOf(text: string, width: number): readonly string[] {
  const most = Math.max(width, LEAST_WIDTH);
  const rows: string[] = [];
  let row = '';
  let at = 0;
  for (const character of harmless(text)) {
    const columns = stringWidth(character);
    if (at + columns > most) {
      rows.push(row);
      row = CONTINUED;
      at = CONTINUED.length;
    }
    row += character;
    at += columns;
  }
  return [...rows, row];
}

/** One row: a tab as an arrow and its spaces, everything else that is obeyed and not seen as U+FFFD. */
export function harmless(text: string): string {
  let shown = '';
  let at = 0;
  for (const character of text) {
    const seen =
      character === '\t' ? `→${' '.repeat(TAB - 1 - (at % TAB))}` : character.replace(OBEYED, '\ufffd');
    shown += seen;
    at += character === '\t' ? TAB - (at % TAB) : stringWidth(character);
  }
  return shown;
}

export const STYLES = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' } as const;
export type Style = keyof typeof STYLES;

/** A line of output, shown in one style. */
export interface Line {
  readonly text: string;
  readonly style?: Style;
}

export function line(text = '', style?: Style): Line {
  return style === undefined ? { text } : { text, style };
}

export function styled(text: string, style: Style | undefined, hasColour: boolean): string {
  return style === undefined || !hasColour ? text : `\u001b[${STYLES[style]}m${text}\u001b[0m`;
}
