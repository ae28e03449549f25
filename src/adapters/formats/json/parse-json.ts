// Parses JSON (RFC 8259) to the span tree, so that a `.json` file goes through the same planners as YAML; and on request JSON
// with comments and a comma after the last entry.

import type { Problem, Refusal } from '../../../security/errors/refusal.ts';
import type { Limits } from '../../../security/policy/policy.ts';
import { invalidSyntax } from '../../tree/format.ts';
import { keyText } from '../../tree/keys.ts';
import { lineAndColumns, lineEnd } from '../../tree/lines.ts';
import type { Entry, Item, MappingNode, SequenceNode, Span, SpanNode, Stream } from '../../tree/span-tree.ts';
import { requireAtMost, requireParsable } from '../../tree/wording.ts';
import { singleDocument } from '../single-document.ts';
import { JsonScalar } from './json-scalar.ts';

/** Parses JSON. Throws SYNTAX_INVALID at the first error (what follows it cannot be judged), or LIMIT_EXCEEDED. */
export function parseJson(text: string, limits: Limits): Stream {
  return parseAs('JSON', text, limits);
}

/** Parses JSON with comments: what `jsonc-parser` accepts, except for white space and line ends on which readers differ. */
export function parseJsonc(text: string, limits: Limits): Stream {
  return parseAs('JSONC', text, limits);
}

function parseAs(dialect: Dialect, text: string, limits: Limits): Stream {
  requireParsable(text, limits);
  return new JsonParser(text, limits, dialect).parse();
}

const ADVICE = ['See the errors with config_validate, and have a person mend the file'];
const BLANKS = ' \t\r\n';
/** Characters that end a line for some readers, and are part of a comment for others. */
const UNCLEAR_END = /[\r\u2028\u2029]/;
const QUOTE = 34;
const BACKSLASH = 92;
const FIRST_PRINTABLE = 32;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LITERAL =
  /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![0-9A-Za-z_.+-])|(?:true|false|null)(?![0-9A-Za-z_])/y;

class JsonParser {
  readonly #text: string;
  readonly #limits: Limits;
  readonly #dialect: Dialect;
  readonly #comments: Span[] = [];
  #at = 0;
  #nodes = 0;

  constructor(text: string, limits: Limits, dialect: Dialect) {
    this.#text = text;
    this.#limits = limits;
    this.#dialect = dialect;
  }

  parse(): Stream {
    const text = this.#text;
    this.#at = text.startsWith('\uFEFF') ? 1 : 0;
    this.#skipSpace();
    if (text.trim() === '')
      throw this.#invalid('the file is empty (replace_text with old_text "" gives it its first text)');
    const root = this.#node(0);
    this.#skipSpace();
    if (this.#at < text.length) throw this.#invalid('only white space may follow the value');
    return singleDocument(text, root, this.#comments);
  }

  #node(depth: number): SpanNode {
    requireAtMost(this.#limits.depth, depth, 'nesting', 'levels');
    this.#count();
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

  #count(): void {
    this.#nodes += 1;
    requireAtMost(this.#limits.tokens, this.#nodes, 'number of values and comments', 'values');
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
    const trailingComma = this.#parts('}', () => {
      if (this.#text[this.#at] !== '"') throw this.#invalid('a key must stand here, in double quotes');
      const key = this.#node(depth + 1);
      this.#skipSpace();
      const colon = this.#at;
      if (this.#text[colon] !== ':') throw this.#invalid('":" must follow the key');
      this.#at += 1;
      this.#skipSpace();
      const value = this.#node(depth + 1);
      const name = keyText(key);
      entries.push({ key, value, name, colon, start: key.start, end: value.end });
    });
    return {
      kind: 'mapping',
      style: 'flow',
      entries,
      trailingComma,
      properties: undefined,
      start,
      end: this.#at,
    };
  }

  #array(depth: number): SequenceNode {
    const start = this.#at;
    const items: Item[] = [];
    const trailingComma = this.#parts(']', () => {
      const value = this.#node(depth + 1);
      items.push({ value, start: value.start, end: value.end });
    });
    return {
      kind: 'sequence',
      style: 'flow',
      items,
      trailingComma,
      properties: undefined,
      start,
      end: this.#at,
    };
  }

  /** Returns where a comma stands after the last part. */
  #parts(close: string, readPart: () => void): number | undefined {
    this.#at += 1;
    this.#skipSpace();
    let comma: number | undefined;
    const mayClose = () => comma === undefined || this.#dialect === 'JSONC';
    while (this.#text[this.#at] !== close || !mayClose()) {
      readPart();
      this.#skipSpace();
      const char = this.#text[this.#at];
      if (char !== ',' && char !== close) throw this.#invalid(`"," or "${close}" must stand here`);
      comma = char === ',' ? this.#at : undefined;
      if (char === close) break;
      this.#at += 1;
      this.#skipSpace();
    }
    this.#at += 1;
    return comma;
  }

  #skipSpace(): void {
    for (;;) {
      while (BLANKS.includes(this.#text[this.#at] ?? 'x')) this.#at += 1;
      if (this.#dialect === 'JSON' || this.#text[this.#at] !== '/') return;
      const end = this.#endOfComment();
      this.#count();
      this.#comments.push({ start: this.#at, end });
      this.#at = end;
    }
  }

  #endOfComment(): number {
    const [text, start] = [this.#text, this.#at];
    if (text[start + 1] === '*') {
      const close = text.indexOf('*/', start + 2);
      if (close === -1) throw this.#invalid('this comment has no end: */ is missing');
      return close + 2;
    }
    if (text[start + 1] !== '/') throw this.#invalid('a comment begins with // or /*');
    const end = lineEnd(text, start);
    if (UNCLEAR_END.test(text.slice(start, end)))
      throw this.#invalid('this comment holds what some readers take for the end of a line (CR, LS or PS)');
    return end;
  }

  #invalid(message: string): Refusal {
    const [place] = lineAndColumns(this.#text, [this.#at]);
    const mistake = mistakeAt(this.#text, this.#at, this.#dialect);
    const problem: Problem = {
      code: 'SYNTAX_INVALID',
      message: mistake ?? message,
      line: 1,
      column: 1,
      ...place,
    };
    return invalidSyntax(this.#dialect, [problem], ADVICE);
  }
}

/** The dialect: `JSONC` has comments, and allows a comma after the last entry. */
export type Dialect = 'JSON' | 'JSONC';

type Mistake = readonly [RegExp, string];

const COMMENTS: Mistake = [/\/[/*]/y, 'this is JSON with comments, which JSON does not have'];
const MISTAKES: readonly Mistake[] = [
  [/#/y, 'JSON has no comments that begin with #'],
  [/'/y, 'JSON has double quotes, and no single ones: use "'],
  [/[“”‘’]/y, 'typographic quotes (“ ”, ‘ ’) are none for JSON: use "'],
  [
    /<{7}(?= |$)/my,
    'a merge conflict begins here: keep one side, and remove the lines with <<<<<<<, ======= and >>>>>>>',
  ],
  [/\{[{%]/y, 'a template ({{ … }} or {% … %}) stands here, which is no JSON until it is filled in'],
];

/** Describes the mistake without a word of the file; undefined if it is not a usual one. */
function mistakeAt(text: string, at: number, dialect: Dialect): string | undefined {
  let before = at - 1;
  while (' \t\r\n'.includes(text[before] ?? 'x')) before -= 1;
  if (dialect === 'JSON' && text[before] === ',' && (text[at] === '}' || text[at] === ']'))
    return 'a comma stands before this bracket: after the last entry JSON has none';
  const mistakes = dialect === 'JSON' ? [COMMENTS, ...MISTAKES] : MISTAKES;
  return mistakes.find(([pattern]) => {
    pattern.lastIndex = text.startsWith('{{', before) ? before : at;
    return pattern.test(text);
  })?.[1];
}
