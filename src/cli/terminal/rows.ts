// Splits lines into rows that fit a terminal. A row never looks like another line, and no text is left out. Control characters are
// replaced, even where a caller forgot to make them visible. A line has one style or none.
import { rowsWithin, withVisibleTabs } from '../../security/text/columns.ts';

/** The beginning of each further row of a line; no line of a diff begins like this. */
const CONTINUED = '| ';

/** The size of a window that reports none, such as one that a script has opened. */
export const DEFAULT_SIZE = { columns: 80, rows: 24 };

// Cc controls; Cf bidi and format; Cs lone surrogates; Zl Zp line ends.
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

export function rowsOf(text: string, width: number): readonly string[] {
  return rowsWithin(withoutControls(text), width, CONTINUED);
}

/** Replaces a tab by its sign and spaces, and any other character that controls a terminal by U+FFFD. */
export function withoutControls(text: string): string {
  return withVisibleTabs(text).replace(CONTROL_CHARACTERS, '\ufffd');
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
