// The meaning of a scalar: the string, decoded from its source when it is needed, and its JSON value under the core schema
// (1.2), or that of 1.1 where a file declares it. On one line without escapes the string is the source; all else is unfolded by
// `yaml`.
import { CST } from 'yaml';
import {
  type BlockHeader,
  contentIndent,
  type Properties,
  type ScalarNode,
  type ScalarStyle,
  type Span,
} from '../../tree/span-tree.ts';

/** Returns the text, decoded and unfolded, before any schema: `1.10` is '1.10'. Empty scalars give ''. */
function scalarValue(text: string, node: ScalarNode): string {
  switch (node.style) {
    case 'empty':
      return '';
    case 'literal':
    case 'folded':
      return node.block === undefined ? '' : blockValue(text, node, node.block);
    case 'plain': {
      const source = text.slice(node.start, node.end);
      return source.includes('\n') ? decode('scalar', source) : source;
    }
    case 'single': {
      const source = text.slice(node.start, node.end);
      return source.includes('\n')
        ? decode('single-quoted-scalar', source)
        : source.slice(1, -1).replaceAll("''", "'");
    }
    case 'double': {
      const source = text.slice(node.start, node.end);
      // No regular expression is used: they are slow once prototypes are locked, and a mapping may have
      // thousands of such keys.
      if (!source.includes('\\') && !source.includes('\n')) return source.slice(1, -1);
      const value: unknown = isJson(source) ? JSON.parse(source) : undefined;
      return typeof value === 'string' ? value : decode('double-quoted-scalar', source);
    }
  }
}

const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;

/** True for one line without other escapes than those of JSON: they mean the same here, and JSON is read far faster. */
function isJson(source: string): boolean {
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code < FIRST_PRINTABLE) return false;
    if (code !== BACKSLASH) continue;
    at += 1;
    if (!'"\\/bfnrtu'.includes(source.charAt(at))) return false;
  }
  return true;
}

function decode(type: 'scalar' | 'single-quoted-scalar' | 'double-quoted-scalar', source: string): string {
  return CST.resolveAsScalar({ type, offset: 0, indent: 0, source, end: [] }, true, ignore).value;
}

function blockValue(text: string, { style, end }: ScalarNode, block: BlockHeader): string {
  const literal = style === 'literal' ? literalValue(text, block, end) : undefined;
  if (literal !== undefined) return literal;
  const source = text.slice(block.bodyStart, block.bodyEnd);
  const header: CST.SourceToken = {
    type: 'block-scalar-header',
    offset: 0,
    indent: block.parentColumn,
    source: text.slice(block.header.start, block.header.end),
  };
  const token: CST.BlockScalar = {
    type: 'block-scalar',
    offset: 0,
    indent: block.parentColumn,
    props: [header],
    source,
  };
  const value = CST.resolveAsScalar(token, true, ignore).value;
  // The last line of a text without a final newline has no line break to keep; `yaml` invents one.
  const lastLine = source.slice(source.lastIndexOf('\n') + 1);
  const isCutOff = lastLine.trim() !== '' && block.chomp !== 'strip';
  return isCutOff && value.endsWith('\n') ? value.slice(0, -1) : value;
}

/** The text has been checked for syntax errors as a whole before. */
function ignore(): void {}

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

const MAX_NUMBER_CHARS = 400;

/** Returns the JSON value. Integers beyond 2^53, infinities and not-a-number have none, and are answered as their source text. */
function typedValue(
  value: string,
  isPlain: boolean,
  tag: string | undefined,
): string | number | boolean | null {
  if (tag !== undefined && tag !== '!!int' && tag !== '!!float' && tag !== '!!bool' && tag !== '!!null')
    return value;
  if (!isPlain && tag === undefined) return value;
  if (!mayBeOther(value)) return value;
  if (/^(?:|~|null|Null|NULL)$/.test(value)) return null;
  if (/^(?:true|True|TRUE)$/.test(value)) return true;
  if (/^(?:false|False|FALSE)$/.test(value)) return false;
  if (value.length > MAX_NUMBER_CHARS || !/^[-+.0-9]/.test(value)) return value;
  return resolveNumber(value);
}

/**
 * True if the value may be no string. It looks at the first character, because nearly all values are words, and patterns are
 * slow once prototypes are locked.
 */
function mayBeOther(value: string): boolean {
  return value === '' || '~nNtTfF+-.0123456789'.includes(value.charAt(0));
}

function resolveNumber(value: string): string | number {
  const isNumber =
    /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/.test(value) ||
    /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(value);
  return isNumber ? exactNumber(Number(value.replace(/^\+/, '')), value) : value;
}

/** Returns a number, or its source where JavaScript cannot hold it exactly. */
export function exactNumber(number: number, source: string): string | number {
  const isInteger = /^(?:[-+]?[0-9]+|0[ox][0-9a-fA-F]+)$/.test(source);
  const isExact = isInteger ? Number.isSafeInteger(number) : Number.isFinite(number);
  return isExact && source.length <= MAX_NUMBER_CHARS ? number : source;
}

/**
 * Returns the text of a literal block scalar (`|`) in one piece: `yaml` builds it line by line, which is slow and large for a
 * hundred thousand lines. Undefined for the few shapes that are left to `yaml`: CRLF, no content, no line break at the end.
 */
function literalValue(text: string, block: BlockHeader, contentEnd: number): string | undefined {
  const indent = contentIndent(text, block);
  if (indent === undefined || text[block.bodyEnd - 1] !== '\n') return undefined;
  const lines = text.slice(block.bodyStart, block.chomp === 'keep' ? block.bodyEnd : contentEnd);
  if (lines.includes('\r') || !/[^ \n]/.test(lines)) return undefined;
  const value = indent === 0 ? lines : withoutIndentation(lines, indent);
  return block.chomp === 'clip' ? `${value}\n` : value;
}

/** Removes up to so many spaces from each line, without a regular expression, because those are slow for each line. */
function withoutIndentation(lines: string, indent: number): string {
  const parts: string[] = [];
  for (let start = 0; start < lines.length; ) {
    const lineFeed = lines.indexOf('\n', start);
    const next = lineFeed === -1 ? lines.length : lineFeed + 1;
    let from = start;
    while (from < start + indent && lines[from] === ' ') from += 1;
    parts.push(lines.slice(from, next));
    start = next;
  }
  return parts.join('');
}
