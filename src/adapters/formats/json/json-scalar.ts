// A scalar of JSON, whose value is computed when it is first needed.
import type { ScalarNode } from '../../tree/span-tree.ts';

export class JsonScalar implements ScalarNode {
  readonly kind = 'scalar';
  readonly style: 'plain' | 'double';
  readonly start: number;
  readonly end: number;
  readonly #text: string;

  constructor(text: string, style: 'plain' | 'double', start: number, end: number) {
    this.#text = text;
    this.style = style;
    this.start = start;
    this.end = end;
  }

  get properties(): undefined {
    return undefined;
  }

  get block(): undefined {
    return undefined;
  }

  get value(): string {
    const source = this.#text.slice(this.start, this.end);
    if (this.style === 'plain') return source;
    return source.includes('\\') ? String(JSON.parse(source)) : source.slice(1, -1);
  }

  get typedValue(): string | number | boolean | null {
    const { value } = this;
    if (this.style === 'double') return value;
    return literalValue(value);
  }
}

const MAX_NUMBER_CHARS = 400;

/** Returns the value of a valid literal; for a number that JavaScript cannot hold exactly, its source text. */
export function literalValue(source: string): string | number | boolean | null {
  if (source === 'null') return null;
  if (source === 'true' || source === 'false') return source === 'true';
  if (source.length > MAX_NUMBER_CHARS) return source;
  const number = Number(source);
  const isExact = /[.eE]/.test(source) ? Number.isFinite(number) : Number.isSafeInteger(number);
  return isExact ? number : source;
}
