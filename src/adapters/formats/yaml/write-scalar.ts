// Writes keys and values of YAML: plain where every reader of YAML 1.1 or 1.2 takes them for the same string, and quoted
// otherwise, or where their neighbours are.

import { Refusal } from '../../../security/errors/refusal.ts';
import { quotedText } from '../../../security/node-paths/node-path.ts';
import type { KeyQuotes, ScalarPlace } from '../../tree/format.ts';
import { withoutEnd } from '../../tree/lines.ts';
import type { ScalarStyle } from '../../tree/span-tree.ts';
import { keepsActions } from '../template/lex-actions.ts';
import { MAX_KEY_CHARS } from './scan/flow.ts';

/** Writes a scalar in the style of what the value replaces, or of its neighbour. */
export function writeScalar(value: null | boolean | number | string, place: ScalarPlace): string {
  if (typeof value !== 'string') return numberOrWord(value);
  const usual = stringText(value, place);
  if (keepsActions(value, usual)) return usual;
  const others = [singleQuoted(value), place.isFlow ? undefined : literalText(value, place)];
  return others.find((text) => text !== undefined && keepsActions(value, text)) ?? usual;
}

function literalText(value: string, { unit }: ScalarPlace): string | undefined {
  return fitsBlock(value) ? blockText(value, 'literal', unit()) : undefined;
}

/** Writes a number or a word; `1e-7` is a number for YAML 1.2 only, but with a point it is one for all readers. */
function numberOrWord(value: null | boolean | number): string {
  return String(value).replace(/^(-?[0-9]+)(?=e)/, '$1.0');
}

function stringText(value: string, { style, isFlow, quotes, unit }: ScalarPlace): string {
  const single = style === 'single' ? singleQuoted(value) : undefined;
  if (single !== undefined) return single;
  const isBlock = style === 'literal' || style === 'folded';
  if (isBlock && !isFlow && fitsBlock(value)) return blockText(value, style, unit());
  // The first line tells how deep all of them stand, unless the header says so.
  if (style === 'literal' && !isFlow && /^ +\S/.test(value) && isPrintable(value) && unit() < 10)
    return blockText(value, style, unit(), `${unit()}`);
  if (style === 'double') return doubleQuoted(value);
  if (!isBlock && isPlainSafe(value, isFlow)) return value;
  if (!isBlock && !isFlow && fitsBlock(value) && isOfLines(value)) return blockText(value, 'literal', unit());
  return (quotes() === 'single' ? singleQuoted(value) : undefined) ?? doubleQuoted(value);
}

function doubleQuoted(text: string): string {
  return quotedText(text, (astral) => {
    return `\\U${(astral.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
  });
}

/** Writes a text in single quotes, which can escape nothing; undefined if that could not be read or would deceive. */
function singleQuoted(text: string): string | undefined {
  return isPrintable(text) && !/[\n\t]/.test(text) ? `'${text.replaceAll("'", "''")}'` : undefined;
}

/** True if each character may be written as it is, between single quotes or in a block scalar. */
function isPrintable(text: string): boolean {
  return !/[^\t\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]|[\p{Cf}\p{Zl}\p{Zp}]/u.test(
    text,
  );
}

function fitsBlock(value: string): boolean {
  return value.trim() !== '' && !/^\s/.test(value) && isPrintable(value);
}

/** True for lines without trailing blanks, which would be invisible. */
function isOfLines(value: string): boolean {
  return value.includes('\n') && !/[ \t]$/m.test(value) && !value.endsWith('\n\n');
}

/** Writes a block scalar; folded only where there is nothing to fold, because each line break would have to be written twice. */
function blockText(value: string, old: ScalarStyle, unit: number, depth = ''): string {
  const body = withoutEnd(value, '\n');
  const breaks = value.length - body.length;
  const chomp = breaks === 0 ? '-' : breaks === 1 ? '' : '+';
  const lines = body.split('\n').map((line) => (line === '' ? '' : ' '.repeat(unit) + line));
  return [
    `${old === 'folded' && lines.length === 1 ? '>' : '|'}${depth}${chomp}`,
    ...lines,
    ...Array.from({ length: Math.max(breaks - 1, 0) }, () => ''),
    ...(chomp === '+' ? [''] : []),
  ].join('\n');
}

/** Writes a key. Throws VALUE_INVALID for one that is too long. */
export function writeKey(key: string, isFlow: boolean, quotes: KeyQuotes): string {
  const text = keySource(key, isFlow, quotes);
  if (text.length <= MAX_KEY_CHARS) return text;
  throw new Refusal(
    'VALUE_INVALID',
    `Cannot write this key: it takes ${text.length} characters, and a key of YAML has at most ${MAX_KEY_CHARS}`,
    {},
    { advice: ['Choose a shorter key'] },
  );
}

function keySource(key: string, isFlow: boolean, { style, isAlways }: KeyQuotes): string {
  if (!isAlways && isPlainSafe(key, isFlow)) return key;
  const double = doubleQuoted(key);
  return (style === 'single' || !keepsActions(key, double) ? singleQuoted(key) : undefined) ?? double;
}

const INDICATORS_AT_START = /^[-?:](?:\s|$)|^[,[\]{}#&*!|>'"%@`]/;

/** True if `text`, written plain on one line, is that string for every reader. */
export function isPlainSafe(text: string, isFlow: boolean): boolean {
  if (text === '' || text !== text.trim() || INDICATORS_AT_START.test(text)) return false;
  if (/: |:$| #|\t/.test(text)) return false;
  if (/^(?:---|\.\.\.)/.test(text)) return false;
  if (isFlow && /[?,[\]{}]|^:/.test(text)) return false;
  if (
    /[^\x20-\x7e\u00a1-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]|[\p{Cf}\p{Zs}\p{Zl}\p{Zp}]/u.test(
      text.replaceAll(' ', ''),
    )
  )
    return false;
  return !isTyped(text);
}

/** True if some reader of YAML 1.1 or 1.2 takes the plain scalar for null, a boolean, a number, a date or a merge. */
function isTyped(text: string): boolean {
  if (text.length > LONGEST_TYPED) return /^[-+0-9._:eExob]+$/.test(text);
  return TYPED.some((pattern) => pattern.test(text));
}

/** The longest text that is tested by the patterns below, which must stay cheap; in a longer one only digits and signs count as a number. */
const LONGEST_TYPED = 200;

const TYPED: readonly RegExp[] = [
  /^(?:~|null|Null|NULL|)$/,
  /^(?:y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  // Integers: decimal, binary, octal of both versions, hexadecimal, with the underscores of 1.1.
  /^[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*)$/,
  // Floats, infinities and not-a-number.
  /^[-+]?(?:[0-9][0-9_]*)?\.?[0-9_]*(?:[eE][-+]?[0-9]+)?$/,
  /^[-+]?\.(?:inf|Inf|INF)$/,
  /^\.(?:nan|NaN|NAN)$/,
  // Sexagesimal integers and floats of 1.1.
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/,
  // Dates and times.
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?$/,
  /^(?:<<|=)$/,
];
