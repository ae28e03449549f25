// What a command says to a script or a person: on stdout what was asked for, on stderr one or two lines for
// what went wrong, with its code and the way out.
import type { Outcome } from '../../engine/index.ts';
import { Refusal } from '../../security/index.ts';
import { harmless, type Line, styled } from '../terminal/rows.ts';
import { type CommandContext, hasColour, wantsJson } from './context.ts';

/** In ASCII: nothing in it that a terminal would obey. */
export function printJson({ output }: CommandContext, value: unknown): void {
  const json = JSON.stringify(value, null, 2);
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  output.write(`${json.replaceAll(/[^\n -~]/g, escaped)}\n`);
}

/** Whole lines, however wide. */
export function printLines(context: CommandContext, lines: readonly Line[]): void {
  const isStyled = hasColour(context);
  for (const { text, style } of lines) context.output.write(`${styled(harmless(text), style, isStyled)}\n`);
}

/** What the tool answered. Throws a Refusal for anything but success; as JSON, that answer is printed first. */
export function answered(context: CommandContext, outcome: Outcome): Readonly<Record<string, unknown>> {
  if (outcome.status === 'ask')
    throw new Refusal(
      'APPROVAL_UNAVAILABLE',
      'Cannot apply this preview: the person at the client has to approve it, and no client is connected here.',
    );
  const { status, data } = outcome;
  if (status === 'ok') return data;
  if (wantsJson(context)) printJson(context, data);
  const error = memberOf(data, 'error');
  const advice = listIn(error, 'suggestions').filter((item) => typeof item === 'string');
  const code = 'code' in outcome ? outcome.code : 'INTERNAL';
  throw new Refusal(code, textIn(error, 'message') ?? 'The call was stopped.', {}, { advice });
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
