// A value as a scalar of YAML, in the style of what it replaces or stands beside.
import type { ScalarPlace } from '../../tree/format.ts';
import { withoutEnd } from '../../tree/lines.ts';
import { quotedText } from '../../tree/node-path.ts';
import type { ScalarStyle } from '../../tree/span-tree.ts';
import { isPlainSafe } from './plain-safety.ts';

/** In the style of what the value replaces or stands beside. */
export function writeScalar(value: null | boolean | number | string, place: ScalarPlace): string {
  return typeof value === 'string' ? stringText(value, place) : numberOrWord(value);
}

/** `1e-7` is a number for YAML 1.2 only; with a point it is one for all readers. */
function numberOrWord(value: null | boolean | number): string {
  return String(value).replace(/^(-?[0-9]+)(?=e)/, '$1.0');
}

function stringText(value: string, { style, isFlow, unit }: ScalarPlace): string {
  const single = style === 'single' ? singleQuoted(value) : undefined;
  if (single !== undefined) return single;
  const isBlock = style === 'literal' || style === 'folded';
  if (isBlock && !isFlow && fitsBlock(value)) return blockText(value, style, unit());
  if ((style === 'plain' || style === 'empty') && isPlainSafe(value, isFlow)) return value;
  if (style === 'empty' && !isFlow && fitsBlock(value) && isOfLines(value))
    return blockText(value, 'literal', unit());
  return doubleQuoted(value);
}

export function doubleQuoted(text: string): string {
  return quotedText(text, (astral) => {
    return `\\U${(astral.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
  });
}

/** In single quotes, which can escape nothing; undefined where that could not be read or would deceive. */
export function singleQuoted(text: string): string | undefined {
  return isPrintable(text) && !/[\n\t]/.test(text) ? `'${text.replaceAll("'", "''")}'` : undefined;
}

/** Whether each character may stand as it is, between single quotes or in a block scalar. */
function isPrintable(text: string): boolean {
  return !/[^\t\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]|[\p{Cf}\p{Zl}\p{Zp}]/u.test(
    text,
  );
}

function fitsBlock(value: string): boolean {
  return value.trim() !== '' && !/^\s/.test(value) && isPrintable(value);
}

/** Several lines, of which nobody has to guess where one ends. */
function isOfLines(value: string): boolean {
  return withoutEnd(value, '\n').includes('\n') && !/[ \t]$/m.test(value) && !value.endsWith('\n\n');
}

/** Folded only where there is nothing to fold: a line break would take two. */
function blockText(value: string, old: ScalarStyle, unit: number): string {
  const body = withoutEnd(value, '\n');
  const breaks = value.length - body.length;
  const chomp = breaks === 0 ? '-' : breaks === 1 ? '' : '+';
  const lines = body.split('\n').map((line) => (line === '' ? '' : ' '.repeat(unit) + line));
  return [
    `${old === 'folded' && lines.length === 1 ? '>' : '|'}${chomp}`,
    ...lines,
    ...Array.from({ length: Math.max(breaks - 1, 0) }, () => ''),
    ...(chomp === '+' ? [''] : []),
  ].join('\n');
}
