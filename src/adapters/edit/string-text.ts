// A text as a scalar of YAML, in the style of what it replaces or stands beside.
import { withoutEnd } from '../tree/lines.ts';
import type { ScalarStyle } from '../tree/span-tree.ts';
import { isPlainSafe } from './plain-safety.ts';
import { isPrintable, quotedText, singleQuoted } from './quoted-text.ts';

export interface StringPlace {
  readonly isFlow: boolean;
  /** How far the lines of a block scalar are indented. */
  readonly unit: () => number;
}

/** `old`: 'empty' where there is no style to keep. */
export function stringText(value: string, old: ScalarStyle, place: StringPlace): string {
  const { isFlow } = place;
  const single = old === 'single' ? singleQuoted(value) : undefined;
  if (single !== undefined) return single;
  const isBlock = old === 'literal' || old === 'folded';
  if (isBlock && !isFlow && fitsBlock(value)) return blockText(value, old, place.unit());
  if ((old === 'plain' || old === 'empty') && isPlainSafe(value, isFlow)) return value;
  if (old === 'empty' && !isFlow && fitsBlock(value) && isOfLines(value))
    return blockText(value, 'literal', place.unit());
  return quotedText(value, 'YAML');
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
