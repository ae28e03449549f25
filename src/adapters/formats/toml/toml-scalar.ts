// A scalar of TOML. Nothing is rounded: a number that JSON cannot hold, and a date, comes as its source text.
import type { ScalarNode } from '../../tree/span-tree.ts';

/** What is written without quotes: a number, a boolean, a date or a time. */
export interface Plain {
  readonly kind:
    | 'integer'
    | 'float'
    | 'boolean'
    | 'offset-date-time'
    | 'local-date-time'
    | 'local-date'
    | 'local-time';
  readonly integer?: bigint;
  readonly number?: number;
  readonly isTrue?: boolean;
}

export class TomlScalar implements ScalarNode {
  readonly kind = 'scalar';
  readonly style: 'plain' | 'single' | 'double';
  readonly start: number;
  readonly end: number;
  readonly properties = undefined;
  readonly block = undefined;
  readonly value: string;
  /** Undefined for a string or a key. */
  readonly plain: Plain | undefined;

  constructor(
    style: TomlScalar['style'],
    { start, end }: { readonly start: number; readonly end: number },
    value: string,
    plain: Plain | undefined,
  ) {
    this.style = style;
    this.start = start;
    this.end = end;
    this.value = value;
    this.plain = plain;
  }

  get typedValue(): string | number | boolean {
    const { plain, value } = this;
    if (plain?.isTrue !== undefined) return plain.isTrue;
    if (plain?.integer !== undefined) {
      const number = Number(plain.integer);
      return Number.isSafeInteger(number) ? number : value;
    }
    return plain?.number !== undefined && Number.isFinite(plain.number) ? plain.number : value;
  }
}
