// A scalar of TOML. Nothing is rounded: a date, or a number that JSON cannot hold, is answered as its source text.
import type { ScalarNode, Span } from '../../tree/span-tree.ts';

/** The kinds of values without quotes; a key is none of them. */
export type PlainKind =
  | 'integer'
  | 'float'
  | 'boolean'
  | 'offset-date-time'
  | 'local-date-time'
  | 'local-date'
  | 'local-time';

export class TomlScalar implements ScalarNode {
  readonly kind = 'scalar';
  readonly style: 'plain' | 'single' | 'double';
  readonly start: number;
  readonly end: number;
  readonly value: string;
  /** The kind; undefined for a string or a key. */
  readonly plain: PlainKind | undefined;
  /** The value of a number or a boolean. */
  readonly parsed: bigint | number | boolean | undefined;

  constructor(
    style: TomlScalar['style'],
    { start, end }: Span,
    value: string,
    plain?: PlainKind,
    parsed?: TomlScalar['parsed'],
  ) {
    this.style = style;
    this.start = start;
    this.end = end;
    this.value = value;
    this.plain = plain;
    this.parsed = parsed;
  }

  get properties(): undefined {
    return undefined;
  }

  get block(): undefined {
    return undefined;
  }

  get typedValue(): string | number | boolean {
    const { parsed, value } = this;
    if (typeof parsed === 'boolean') return parsed;
    if (typeof parsed === 'bigint') {
      const number = Number(parsed);
      return Number.isSafeInteger(number) ? number : value;
    }
    return parsed !== undefined && Number.isFinite(parsed) ? parsed : value;
  }
}
