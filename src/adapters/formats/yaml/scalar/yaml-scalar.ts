// A scalar of a YAML text, which is decoded when somebody asks for its value.
import type { BlockHeader, Properties, ScalarNode, ScalarStyle, Span } from '../../../tree/span-tree.ts';
import { typedValue } from './core-schema.ts';
import { scalarValue } from './scalar-value.ts';

export class YamlScalar implements ScalarNode {
  readonly kind = 'scalar';
  readonly style: ScalarStyle;
  readonly start: number;
  readonly end: number;
  readonly properties: Properties | undefined;
  readonly block: BlockHeader | undefined;
  readonly #text: string;

  constructor(
    text: string,
    style: ScalarStyle,
    { start, end }: Span,
    properties: Properties | undefined,
    block?: BlockHeader,
  ) {
    this.#text = text;
    this.style = style;
    this.start = start;
    this.end = end;
    this.properties = properties;
    this.block = block;
  }

  get value(): string {
    return scalarValue(this.#text, this);
  }

  get typedValue(): string | number | boolean | null {
    const isPlain = this.style === 'plain' || this.style === 'empty';
    const tag = this.properties?.tag;
    return typedValue(this.value, isPlain, tag && this.#text.slice(tag.start, tag.end));
  }
}
