// Writes scalars and keys of TOML so that readers of 1.0 accept them, too.
import { Refusal } from '../../../security/errors/refusal.ts';
import type { Format } from '../../tree/format.ts';
import type { ScalarNode, Span } from '../../tree/span-tree.ts';

/** Writes a scalar. Throws VALUE_INVALID for null, which TOML lacks. */
export const writeScalar: Format['writeScalar'] = (value, { style, isFlow, quotes }) => {
  if (value === null)
    throw new Refusal(
      'VALUE_INVALID',
      'Cannot write null: TOML has no null',
      {},
      { advice: ['Delete the key instead, or set another value'] },
    );
  if (typeof value !== 'string') return numberOrBoolean(value);
  const wanted = style === 'single' || style === 'double' ? style : quotes();
  return stringText(value, wanted, !isFlow && value.includes('\n'));
};

/** A number with an exponent, or that is whole, is written as JSON has it. */
function numberOrBoolean(value: number | boolean): string {
  if (Object.is(value, -0)) return '-0.0';
  return JSON.stringify(value);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f\r]/;

function stringText(value: string, quotes: 'single' | 'double', isMultiline: boolean): string {
  const isSpecial = CONTROL.test(value) || DECEPTIVE.test(value);
  if (!isMultiline) {
    const isLiteral = quotes === 'single' && !isSpecial && !/['\n]/.test(value);
    return isLiteral ? `'${value}'` : escaped(value, '"');
  }
  const isLiteral = quotes === 'single' && !isSpecial && !value.includes("'''") && !value.endsWith("'");
  return isLiteral ? `'''\n${value}'''` : `"""\n${escapedLines(value)}"""`;
}

/** Characters that some readers take for line ends, and that people cannot see. */
const DECEPTIVE = /[\u0080-\u009f\p{Cf}\p{Zl}\p{Zp}]/u;
const ESCAPED = /[\u0080-\u009f\u007f\p{Cf}\p{Zl}\p{Zp}]/gu;

function escaped(value: string, quote: string): string {
  return quote + JSON.stringify(value).slice(1, -1).replaceAll(ESCAPED, codePoint) + quote;
}

export function textInOneLine(value: string): string {
  return escaped(value, '"');
}

function codePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

/** Escapes a text of several lines; quotes stay, except for those that would end it. */
function escapedLines(value: string): string {
  const lines = value.split('\n').map((line) => escaped(line, '').replaceAll('\\"', '"'));
  return lines.join('\n').replaceAll('"""', '""\\"').replace(/"$/, '\\"');
}

const BARE = /^[A-Za-z0-9_-]+$/;

export function isBareKey(key: string): boolean {
  return BARE.test(key);
}

export const writeKey: Format['writeKey'] = (key, _isFlow, { style, isAlways }) => {
  if (!isAlways && isBareKey(key)) return key;
  return stringText(key, style, false);
};

/** What a text without quotes is; a key is none of these. */
export type PlainKind = 'integer' | 'float' | 'boolean' | 'date';

/** A scalar of TOML. Nothing is rounded: a date, or a number that JSON cannot hold, is its source text. */
export class TomlScalar implements ScalarNode {
  readonly kind = 'scalar';
  readonly style: 'plain' | 'single' | 'double';
  readonly start: number;
  readonly end: number;
  readonly value: string;
  readonly #plain: PlainKind | undefined;

  constructor(style: TomlScalar['style'], { start, end }: Span, value: string, plain?: PlainKind) {
    this.style = style;
    this.start = start;
    this.end = end;
    this.value = value;
    this.#plain = plain;
  }

  get properties(): undefined {
    return undefined;
  }

  get block(): undefined {
    return undefined;
  }

  get typedValue(): string | number | boolean {
    const { value } = this;
    switch (this.#plain) {
      case 'boolean':
        return value === 'true';
      case 'integer':
      case 'float':
        return numberOf(value, this.#plain) ?? value;
      default:
        return value;
    }
  }
}

/** A number that is longer is hardly exact. */
const MAX_NUMBER_CHARS = 400;

function numberOf(source: string, kind: 'integer' | 'float'): number | undefined {
  if (source.length > MAX_NUMBER_CHARS) return undefined;
  const number = Number(source.replaceAll('_', ''));
  if (kind === 'float') return Number.isFinite(number) ? number : undefined;
  // An integer has no negative zero.
  return Number.isSafeInteger(number) ? number + 0 : undefined;
}
