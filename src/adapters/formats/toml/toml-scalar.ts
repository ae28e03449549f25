// A scalar of TOML. Nothing is rounded: a date, or a number that JSON cannot hold, is answered as its source text.
import type { ScalarNode, Span } from '../../tree/span-tree.ts';

/** What a text without quotes is; a key is none of these. */
export type PlainKind = 'integer' | 'float' | 'boolean' | 'date';

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
