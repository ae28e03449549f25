// A scalar of a JSON text, which is decoded when somebody asks for its value.
import type { ScalarNode } from '../../tree/span-tree.ts';

const MAX_NUMBER_CHARS = 400;

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
    if (value === 'null') return null;
    if (value === 'true' || value === 'false') return value === 'true';
    if (value.length > MAX_NUMBER_CHARS) return value;
    const number = Number(value);
    const isExact = /[.eE]/.test(value) ? Number.isFinite(number) : Number.isSafeInteger(number);
    return isExact ? number : value;
  }
}
