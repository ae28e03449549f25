// The few colours that a terminal gets, or none.

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
