// Reads JSON, and JSON with comments, by `jsonc-parser`, which VS Code uses: the second reader, which shares no code with our
// own scan. It is recursive, so the depth of a text is counted first.
import { createScanner, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import type { Limits } from '../../../security/index.ts';
import { invalidSyntax } from '../../tree/format.ts';
import { keyText } from '../../tree/keys.ts';
import { lineAndColumn } from '../../tree/lines.ts';
import type { Entry, Item, ScalarNode, Span, SpanNode, Stream } from '../../tree/span-tree.ts';
import { requireAtMost, requireParsable } from '../../tree/wording.ts';
import { singleDocument } from '../single-document.ts';
import type { Dialect } from './json-mistakes.ts';
import { literalValue } from './json-scalar.ts';

/** Reads JSON. Throws SYNTAX_INVALID at the first error, or LIMIT_EXCEEDED. */
export function readJson(text: string, limits: Limits): Stream {
  return readAs('JSON', text, limits);
}

/** Does the same for JSONC. */
export function readJsonc(text: string, limits: Limits): Stream {
  return readAs('JSONC', text, limits);
}

function readAs(dialect: Dialect, text: string, limits: Limits): Stream {
  requireParsable(text, limits);
  // The length stays the same, so that every offset is the text's own.
  const content = text.replace(/^\uFEFF/, ' ');
  requireWithinLimits(content, limits);
  const { root, comments } = new TreeBuilder(content, dialect).build();
  return singleDocument(text, root, comments);
}

function requireWithinLimits(text: string, limits: Limits): void {
  const scanner = createScanner(text, true);
  let depth = 0;
  let values = 0;
  for (;;) {
    const start = scanner.getPosition();
    scanner.scan();
    const end = scanner.getPosition();
    if (end === start) return;
    const char = text[scanner.getTokenOffset()] ?? '';
    if ('{['.includes(char)) depth += 1;
    else if ('}]'.includes(char)) depth -= 1;
    values += 1;
    requireAtMost(limits.depth, depth, 'nesting', 'levels');
    // Each value has a comma or a colon after it.
    requireAtMost(limits.tokens * 2, values, 'number of tokens', 'tokens');
  }
}

/** A collection that has begun. */
interface Open {
  readonly start: number;
  readonly parts: Part[];
  comma: number | undefined;
  /** The key of the entry that has begun. */
  key: SpanNode | undefined;
  colon: number | undefined;
}

interface Part extends Span {
  readonly key: SpanNode | undefined;
  readonly colon: number | undefined;
  readonly value: SpanNode;
}

class TreeBuilder {
  readonly #text: string;
  readonly #dialect: Dialect;
  readonly #comments: Span[] = [];
  readonly #open: Open[] = [];
  #root: SpanNode | undefined;
  #error: { readonly code: ParseErrorCode; readonly offset: number } | undefined;

  constructor(text: string, dialect: Dialect) {
    this.#text = text;
    this.#dialect = dialect;
  }

  build(): { readonly root: SpanNode; readonly comments: readonly Span[] } {
    const begin = (start: number): void => {
      this.#open.push({ start, parts: [], comma: undefined, key: undefined, colon: undefined });
    };
    visit(
      this.#text,
      {
        onObjectBegin: begin,
        onArrayBegin: begin,
        onObjectProperty: (name, offset, length) => {
          const open = this.#open.at(-1);
          if (open !== undefined) open.key = this.#scalar(name, offset, length);
        },
        onSeparator: (char, offset) => {
          const open = this.#open.at(-1);
          if (open === undefined) return;
          if (char === ',') open.comma = offset;
          else open.colon = offset;
        },
        onLiteralValue: (value, offset, length) => this.#add(this.#scalar(value, offset, length)),
        onObjectEnd: (offset) => this.#close('mapping', offset),
        onArrayEnd: (offset) => this.#close('sequence', offset),
        onComment: (start, length) => this.#comments.push({ start, end: start + length }),
        onError: (code, offset) => {
          this.#error ??= { code, offset };
        },
      },
      { allowTrailingComma: this.#dialect === 'JSONC', disallowComments: this.#dialect === 'JSON' },
    );
    if (this.#error !== undefined) throw this.#invalid(this.#error);
    if (this.#root === undefined) throw new Error('a text without errors has a value');
    return { root: this.#root, comments: this.#comments };
  }

  #close(kind: 'mapping' | 'sequence', offset: number): void {
    const open = this.#open.pop();
    if (open === undefined) return;
    const { start, parts, comma: trailingComma } = open;
    const node = { style: 'flow', trailingComma, properties: undefined, start, end: offset + 1 } as const;
    this.#add(
      kind === 'mapping'
        ? { kind, entries: parts.flatMap(entryOf), ...node }
        : { kind, items: parts.map(itemOf), ...node },
    );
  }

  #add(value: SpanNode): void {
    const open = this.#open.at(-1);
    if (open === undefined) {
      this.#root ??= value;
      return;
    }
    const { key, colon } = open;
    open.parts.push({ key, colon, value, start: (key ?? value).start, end: value.end });
    Object.assign(open, { comma: undefined, key: undefined, colon: undefined });
  }

  #scalar(decoded: unknown, start: number, length: number): ScalarNode {
    const source = this.#text.slice(start, start + length);
    const isText = typeof decoded === 'string';
    return {
      kind: 'scalar',
      style: isText ? 'double' : 'plain',
      value: isText ? decoded : source,
      typedValue: isText ? decoded : literalValue(source),
      ...{ properties: undefined, block: undefined, start, end: start + length },
    };
  }

  #invalid({ code, offset }: { readonly code: ParseErrorCode; readonly offset: number }) {
    const place = lineAndColumn(this.#text, offset);
    const message = `jsonc-parser refuses it: ${printParseErrorCode(code)}`;
    return invalidSyntax(this.#dialect, [{ code: 'SYNTAX_INVALID', message, ...place }]);
  }
}

function entryOf({ key, colon, value, start, end }: Part): Entry[] {
  if (key === undefined) return [];
  return [{ key, value, name: keyText(key), colon, explicitKey: undefined, start, end }];
}

function itemOf({ value, start, end }: Part): Item {
  return { value, start, end };
}
