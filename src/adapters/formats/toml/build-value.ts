// Builds nodes for what follows a `=`: scalars, arrays, and tables in braces with all that dotted keys make in them.
import type { AST } from 'toml-eslint-parser';
import type { Limits } from '../../../security/index.ts';
import type { Entry, Item, MappingNode, Span, SpanNode } from '../../tree/span-tree.ts';
import { requireAtMost } from '../../tree/wording.ts';
import { TomlScalar } from './toml-scalar.ts';

type WrittenKey = AST.TOMLBare | AST.TOMLQuoted;

export interface HasRange {
  readonly range: readonly [number, number];
}

/** Builds values; `shift` is added to the parser's offsets to get those of the text. */
export class ValueBuilder {
  readonly #text: string;
  readonly #shift: number;
  readonly #limits: Limits;

  constructor(text: string, shift: number, limits: Limits) {
    this.#text = text;
    this.#shift = shift;
    this.#limits = limits;
  }

  node(node: AST.TOMLContentNode, depth: number): SpanNode {
    this.requireDepth(depth);
    const span = this.span(node);
    if (node.type === 'TOMLArray') {
      const items = node.elements.map((element): Item => {
        const value = this.node(element, depth + 1);
        return { value, start: value.start, end: value.end };
      });
      const trailingComma = this.#trailingComma(items.at(-1), span);
      return { kind: 'sequence', style: 'flow', items, trailingComma, properties: undefined, ...span };
    }
    if (node.type === 'TOMLInlineTable') return this.#inlineTable(node, span, depth);
    if (node.kind === 'string')
      return new TomlScalar(node.style === 'basic' ? 'double' : 'single', span, node.value);
    const source = this.#text.slice(span.start, span.end);
    const { kind } = node;
    if (kind === 'integer') return new TomlScalar('plain', span, source, kind, node.bigint);
    if (kind === 'float' || kind === 'boolean')
      return new TomlScalar('plain', span, source, kind, node.value);
    return new TomlScalar('plain', span, source, kind);
  }

  #inlineTable(node: AST.TOMLInlineTable, span: Span, depth: number): MappingNode {
    const table: OpenInline = { entries: [], below: new Map() };
    for (const { key, value, range } of node.body) {
      const colon = this.#text.indexOf('=', this.span(key).end);
      const end = range[1] + this.#shift;
      const last = { value: this.node(value, depth + key.keys.length), colon, end };
      this.#addInline(table, key.keys, last);
    }
    const entries = closeInline(table);
    const trailingComma = this.#trailingComma(entries.at(-1), span);
    return { kind: 'mapping', style: 'flow', entries, trailingComma, properties: undefined, ...span };
  }

  /** A dotted key within braces is a mapping without any of its own. */
  #addInline(table: OpenInline, keys: AST.TOMLKey['keys'], { value, colon, end }: InlineValue): void {
    let at = table;
    for (const [i, key] of keys.entries()) {
      const name = nameOf(key);
      const shared = { key: this.key(key), name, explicitKey: undefined, start: this.span(key).start, end };
      if (i === keys.length - 1) {
        at.entries.push({ ...shared, value, colon });
        return;
      }
      const child = at.below.get(name) ?? { entries: [], below: new Map<string, OpenInline>() };
      // Its value is made later, when all of it is known.
      if (!at.below.has(name)) at.entries.push({ ...shared, value: shared.key, colon: undefined });
      at.below.set(name, child);
      at = child;
    }
  }

  key(key: WrittenKey): TomlScalar {
    const style = key.type === 'TOMLBare' ? 'plain' : key.style === 'basic' ? 'double' : 'single';
    return new TomlScalar(style, this.span(key), nameOf(key));
  }

  #trailingComma(last: Span | undefined, { end }: Span): number | undefined {
    if (last === undefined) return undefined;
    const rest = this.#text
      .slice(last.end, end - 1)
      .replaceAll(/#.*/g, (comment) => ' '.repeat(comment.length));
    const comma = rest.indexOf(',');
    return comma === -1 ? undefined : last.end + comma;
  }

  span({ range: [start, end] }: HasRange): Span {
    return { start: start + this.#shift, end: end + this.#shift };
  }

  requireDepth(depth: number): void {
    requireAtMost(this.#limits.depth, depth, 'nesting', 'levels');
  }
}

/** A table in braces, or one that dotted keys in it make. */
interface OpenInline {
  readonly entries: MutableEntry[];
  readonly below: Map<string, OpenInline>;
}

interface InlineValue {
  readonly value: SpanNode;
  readonly colon: number;
  readonly end: number;
}

function closeInline({ entries, below }: OpenInline): readonly Entry[] {
  for (const entry of entries) {
    const open = below.get(entry.name ?? '');
    if (open === undefined || entry.colon !== undefined) continue;
    const inner = closeInline(open);
    const [first, last] = [inner[0] ?? entry, inner.at(-1) ?? entry];
    const span = { start: first.start, end: last.end };
    const shared = { trailingComma: undefined, properties: undefined, ...span };
    Object.assign(entry, {
      value: { kind: 'mapping', style: 'pair', entries: inner, ...shared } satisfies MappingNode,
      end: last.end,
    });
  }
  return entries;
}

type MutableEntry = { -readonly [Field in keyof Entry]: Entry[Field] };

function nameOf(key: WrittenKey): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}
