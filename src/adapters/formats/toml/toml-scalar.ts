// A scalar of TOML. Nothing is rounded: a number that JSON cannot hold, and a date, comes as its source text.
import type { ScalarNode, Span } from '../../tree/span-tree.ts';

/** What is written without quotes; a key is none of them. */
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
  /** Undefined for a string or a key. */
  readonly plain: PlainKind | undefined;
  /** What a number or a boolean is. */
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
