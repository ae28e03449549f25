// What a command prints for a script or a person, and how it reads what a tool has answered.
import { harmless, type Line, rowsOf, styled, USUAL_SIZE } from '../terminal/rows.ts';
import { type CommandContext, hasColour } from './context.ts';

/** In ASCII: nothing in it that a terminal would obey. */
export function printJson({ output }: CommandContext, value: unknown): void {
  const json = JSON.stringify(value, null, 2);
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  output.write(`${json.replaceAll(/[^\n -~]/g, escaped)}\n`);
}

/** Whole lines, however wide; at a terminal in rows that fit. */
export function printLines(context: CommandContext, lines: readonly Line[]): void {
  const { output } = context;
  const isStyled = hasColour(context);
  for (const { text, style } of lines) {
    const rows = output.isTTY ? rowsOf(text, output.columns || USUAL_SIZE.columns) : [harmless(text)];
    for (const row of rows) output.write(`${styled(row, style, isStyled)}\n`);
  }
}

export function textIn(value: unknown, name: string): string | undefined {
  const found = memberOf(value, name);
  return typeof found === 'string' ? found : undefined;
}

export function listIn(value: unknown, name: string): readonly unknown[] {
  const found = memberOf(value, name);
  return Array.isArray(found) ? found : [];
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
