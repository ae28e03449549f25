// Prints results for a script or a person.
import { WriteStream } from 'node:tty';
import { harmless, type Line, line, rowsOf, styled, USUAL_SIZE } from '../terminal/rows.ts';
import { type CommandContext, hasColour } from './context.ts';

/** Prints JSON in ASCII, so that nothing in it controls a terminal. */
export function printJson({ output }: CommandContext, value: unknown): void {
  const json = JSON.stringify(value, null, 2);
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  output.write(`${json.replaceAll(/[^\n -~]/g, escaped)}\n`);
}

/** Prints whole lines of any width. */
export function printLines(context: CommandContext, lines: readonly Line[]): void {
  const isStyled = hasColour(context);
  for (const { text, style } of lines) context.output.write(`${styled(harmless(text), style, isStyled)}\n`);
}

/** Breaks lines with texts of files and agents into rows that fit the terminal; elsewhere they stay whole. */
export function fitted({ output }: CommandContext, lines: readonly Line[]): readonly Line[] {
  if (!(output instanceof WriteStream)) return lines;
  const columns = output.columns || USUAL_SIZE.columns;
  return lines.flatMap(({ text, style }) => rowsOf(text, columns).map((row) => line(row, style)));
}
