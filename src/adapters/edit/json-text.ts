// A typed value (the `json` argument) as a YAML fragment in the style of what it replaces.
import { Refusal } from '../../security/index.ts';
import type { Syntax } from '../syntax.ts';
import { withoutEnd } from '../tree/lines.ts';
import type { SpanNode } from '../tree/span-tree.ts';
import { writeKey } from './new-key.ts';
import { isPlainSafe } from './plain-safety.ts';
import { escapeDeceptive, quotedText } from './quoted-text.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface JsonStyle {
  readonly syntax: Syntax;
  readonly isFlow: boolean;
  /** What is replaced; undefined for something new. */
  readonly old: SpanNode | undefined;
  readonly unit: number;
  readonly indentSequences: boolean;
  /** Whether a collection in JSON has its parts on lines of their own. */
  readonly isSpread: boolean;
}

/** Throws VALUE_INVALID for a number that has lost digits on its way through JSON. */
export function jsonText(value: Json, style: JsonStyle): string {
  assertExact(value);
  if (style.syntax.name === 'JSON')
    return escapeDeceptive(JSON.stringify(value, null, style.isSpread ? style.unit : 0), 'JSON');
  const wasFlow =
    style.old !== undefined &&
    (style.old.kind === 'mapping' || style.old.kind === 'sequence') &&
    style.old.style === 'flow';
  if (style.isFlow || wasFlow) return flow(value, style);
  return block(value, style).join('\n');
}

function assertExact(value: Json): void {
  if (
    typeof value === 'number' &&
    (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
  ) {
    throw inexact(
      'a number beyond 2^53 loses digits in json',
      'Send the number as text in "value": it is written exactly as it is',
    );
  }
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw inexact('it holds half of a surrogate pair', 'Send whole characters');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    assertExact(key);
    assertExact(part);
  }
}

function inexact(reason: string, advice: string): Refusal {
  return new Refusal('VALUE_INVALID', `Cannot use this value: ${reason}`, {}, { advice: [advice] });
}

function block(value: Json, style: JsonStyle): string[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item) => {
      const [first = '', ...rest] = block(item, { ...style, old: undefined });
      return [`- ${first}`, ...rest.map((line) => (line === '' ? '' : `  ${line}`))];
    });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, part]) => {
      const name = writeKey(key, false, 'YAML');
      const lines = block(part, { ...style, old: undefined });
      if (!isNonEmptyCollection(part)) return [`${name}: ${lines[0] ?? ''}`, ...lines.slice(1)];
      const indent = Array.isArray(part) && !style.indentSequences ? '' : ' '.repeat(style.unit);
      return [`${name}:`, ...lines.map((line) => (line === '' ? '' : indent + line))];
    });
  }
  return scalar(value, style).split('\n');
}

function isNonEmptyCollection(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function flow(value: Json, style: JsonStyle): string {
  if (Array.isArray(value))
    return `[${value.map((item) => flow(item, { ...style, old: undefined, isFlow: true })).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, part]) => {
      return `${writeKey(key, true, 'YAML')}: ${flow(part, { ...style, old: undefined, isFlow: true })}`;
    });
    return `{${pairs.join(', ')}}`;
  }
  return scalar(value, { ...style, isFlow: true });
}

function scalar(value: Json, style: JsonStyle): string {
  if (typeof value !== 'string')
    return typeof value === 'object' && value !== null
      ? Array.isArray(value)
        ? '[]'
        : '{}'
      : numberOrWord(value);
  const old = style.old?.kind === 'scalar' ? style.old.style : 'plain';
  const isPrintable =
    !/[^\t\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]|[\p{Cf}\p{Zl}\p{Zp}]/u.test(
      value,
    );
  if (old === 'single' && isPrintable && !/[\n\t]/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  if ((old === 'literal' || old === 'folded') && !style.isFlow && isPrintable && fitsLiteral(value))
    return literal(value, style.unit);
  if ((old === 'plain' || old === 'empty') && isPlainSafe(value, style.isFlow)) return value;
  return quotedText(value, 'YAML');
}

function fitsLiteral(value: string): boolean {
  return value.trim() !== '' && !/^\s/.test(value);
}

function literal(value: string, unit: number): string {
  const body = withoutEnd(value, '\n');
  const breaks = value.length - body.length;
  const chomp = breaks === 0 ? '-' : breaks === 1 ? '' : '+';
  const lines = body.split('\n').map((line) => (line === '' ? '' : ' '.repeat(unit) + line));
  return [
    `|${chomp}`,
    ...lines,
    ...Array.from({ length: Math.max(breaks - 1, 0) }, () => ''),
    ...(chomp === '+' ? [''] : []),
  ].join('\n');
}

/** `1e-7` is a number for YAML 1.2 only; with a point it is one for all readers. */
function numberOrWord(value: null | boolean | number): string {
  return String(value).replace(/^(-?[0-9]+)(?=e)/, '$1.0');
}
