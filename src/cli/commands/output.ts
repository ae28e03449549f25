// Prints the results of commands, as JSON or as lines.
import { WriteStream } from 'node:tty';
import { DEFAULT_SIZE, type Line, line, rowsOf, styled, withoutControls } from '../terminal/rows.ts';
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
  for (const { text, style } of lines)
    context.output.write(`${styled(withoutControls(text), style, isStyled)}\n`);
}

/** Breaks lines with texts of files and agents into rows that fit the terminal; elsewhere they stay whole. */
export function fitToTerminal({ output }: CommandContext, lines: readonly Line[]): readonly Line[] {
  if (!(output instanceof WriteStream)) return lines;
  const columns = output.columns || DEFAULT_SIZE.columns;
  return lines.flatMap(({ text, style }) => rowsOf(text, columns).map((row) => line(row, style)));
}
