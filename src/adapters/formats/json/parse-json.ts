// Strict JSON (RFC 8259) to the span tree, so that a `.json` file goes through the same planners as YAML.
import type { Limits, Problem, Refusal } from '../../../security/index.ts';
import { ParsedDocument } from '../../tree/document.ts';
import { invalidSyntax } from '../../tree/format.ts';
import { keyText } from '../../tree/keys.ts';
import { LineIndex, lineAndColumns } from '../../tree/lines.ts';
import type {
  Entry,
  Item,
  MappingNode,
  ScalarNode,
  SequenceNode,
  SpanNode,
  Stream,
} from '../../tree/span-tree.ts';
import { requireAtMost, requireParsable } from '../../tree/wording.ts';
import { slipAt } from './json-slips.ts';

/** Throws SYNTAX_INVALID at the first error (what follows it cannot be judged), or LIMIT_EXCEEDED. */
export function parseJson(text: string, limits: Limits): Stream {
  requireParsable(text, limits);
  return new JsonParser(text, limits).parse();
}

const ADVICE = [
  'Comments and trailing commas are not JSON: a file that needs them is edited with replace_text',
  'See the errors with config_validate, and have a person mend the file',
];
const QUOTE = 34;
const BACKSLASH = 92;
const FIRST_PRINTABLE = 32;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LITERAL =
  /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![0-9A-Za-z_.+-])|(?:true|false|null)(?![0-9A-Za-z_])/y;

class JsonParser {
  readonly #text: string;
  readonly #limits: Limits;
  #at = 0;
  #nodes = 0;

  constructor(text: string, limits: Limits) {
    this.#text = text;
    this.#limits = limits;
  }

  parse(): Stream {
    const text = this.#text;
    const contentStart = text.startsWith('\uFEFF') ? 1 : 0;
    this.#at = contentStart;
    this.#skipSpace();
    const root = this.#node(0);
    this.#skipSpace();
    if (this.#at < text.length) throw this.#invalid('only white space may follow the value');
    const document = new ParsedDocument(text, {
      start: 0,
      end: text.length,
      contentStart,
      contentEnd: text.length,
      tagHandles: new Map<string, string>(),
      root,
    });
    return { text, lines: new LineIndex(text), documents: [document], comments: [] };
  }

  #node(depth: number): SpanNode {
    this.#nodes += 1;
    requireAtMost(this.#limits.depth, depth, 'nesting', 'levels');
    requireAtMost(this.#limits.tokens, this.#nodes, 'number of values', 'values');
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return this.#string();
      default:
        return this.#literal();
    }
  }

  #literal(): SpanNode {
    const start = this.#at;
    LITERAL.lastIndex = start;
    const match = LITERAL.exec(this.#text);
    if (match === null) {
      throw this.#invalid(
        'a value must stand here: an object, an array, a string, a number, true, false or null',
      );
    }
    this.#at += match[0].length;
    return this.#scalar('plain', start);
  }

  #string(): SpanNode {
    const text = this.#text;
    const start = this.#at;
    for (this.#at += 1; ; this.#at += 1) {
      const code = text.charCodeAt(this.#at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        ESCAPE.lastIndex = this.#at;
        const sequence = ESCAPE.exec(text)?.[0];
        if (sequence === undefined) throw this.#invalid('this escape sequence is not valid in JSON');
        this.#at += sequence.length - 1;
      } else if (Number.isNaN(code)) {
        this.#at = start;
        throw this.#invalid('this string has no end');
      } else if (code < FIRST_PRINTABLE) {
        throw this.#invalid('a control character cannot stand in a JSON string');
      }
    }
    this.#at += 1;
    return this.#scalar('double', start);
  }

  #scalar(style: 'double' | 'plain', start: number): SpanNode {
    return new JsonScalar(this.#text, style, start, this.#at);
  }

  #object(depth: number): MappingNode {
    const start = this.#at;
    const entries: Entry[] = [];
    this.#parts('}', () => {
      if (this.#text[this.#at] !== '"') throw this.#invalid('a key must stand here, in double quotes');
      const key = this.#node(depth + 1);
      this.#skipSpace();
      const colon = this.#at;
      if (this.#text[colon] !== ':') throw this.#invalid('":" must follow the key');
      this.#at += 1;
      this.#skipSpace();
      const value = this.#node(depth + 1);
      const name = keyText(key);
      entries.push({ key, value, name, colon, explicitKey: undefined, start: key.start, end: value.end });
    });
    return {
      kind: 'mapping',
      style: 'flow',
      entries,
      trailingComma: undefined,
      properties: undefined,
      start,
      end: this.#at,
    };
  }

  #array(depth: number): SequenceNode {
    const start = this.#at;
    const items: Item[] = [];
    this.#parts(']', () => {
      const value = this.#node(depth + 1);
      items.push({ value, start: value.start, end: value.end });
    });
    return {
      kind: 'sequence',
      style: 'flow',
      items,
      trailingComma: undefined,
      properties: undefined,
      start,
      end: this.#at,
    };
  }

  #parts(close: string, readPart: () => void): void {
    this.#at += 1;
    this.#skipSpace();
    if (this.#text[this.#at] === close) {
      this.#at += 1;
      return;
    }
    for (;;) {
      readPart();
      this.#skipSpace();
      const char = this.#text[this.#at];
      if (char !== ',' && char !== close) throw this.#invalid(`"," or "${close}" must stand here`);
      this.#at += 1;
      if (char === close) return;
      this.#skipSpace();
    }
  }

  #skipSpace(): void {
    while (' \t\r\n'.includes(this.#text[this.#at] ?? 'x')) this.#at += 1;
  }

  #invalid(message: string): Refusal {
    const [place] = lineAndColumns(this.#text, [this.#at]);
    const slip = slipAt(this.#text, this.#at);
    const problem: Problem = {
      code: 'SYNTAX_INVALID',
      message: slip ?? message,
      line: 1,
      column: 1,
      ...place,
    };
    return invalidSyntax('JSON', [problem], ADVICE);
  }
}

const MAX_NUMBER_CHARS = 400;

class JsonScalar implements ScalarNode {
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
