// The few colours that a terminal gets, or none.

export const INKS = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' } as const;
export type Ink = keyof typeof INKS;

/** A line for eyes: its text, which is shown in one colour. */
export interface Line {
  readonly text: string;
  readonly ink?: Ink;
}

export function line(text = '', ink?: Ink): Line {
  return ink === undefined ? { text } : { text, ink };
}

export function inked(text: string, ink: Ink | undefined, hasColour: boolean): string {
  return ink === undefined || !hasColour ? text : `\u001b[${INKS[ink]}m${text}\u001b[0m`;
}

/** https://no-color.org: any text but the empty one says no. */
export function wantsColour(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
  isRefused: boolean,
): boolean {
  return isTerminal && !isRefused && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}
