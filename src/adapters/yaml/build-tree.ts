// Tokens of `yaml` to the project's own span tree. The tokens must be free of syntax errors; nesting is
// within the depth limit, so recursion is safe.
import type { CST } from 'yaml';
import type {
  DocumentSpans,
  Entry,
  Item,
  MappingNode,
  Properties,
  SequenceNode,
  Span,
  SpanNode,
  Stream,
} from '../tree/span-tree.ts';
import { outerStart } from '../tree/span-tree.ts';
import { blockScalarNode } from './block-scalar.ts';

type Source = CST.SourceToken;

interface PairToken {
  start: Source[];
  key?: CST.Token | null;
  sep?: Source[];
  value?: CST.Token;
}

export function buildTree(text: string, tokens: readonly CST.Token[]): Stream {
  const builder = new TreeBuilder(text);
  for (const token of tokens) builder.take(token);
  return builder.finish();
}

class TreeBuilder {
  readonly #text: string;
  readonly #comments: Span[] = [];
  readonly #documents: DocumentSpans[] = [];
  #tagHandles = new Map<string, string>();
  #current: { start: number; contentStart: number; root: SpanNode } | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  take(token: CST.Token): void {
    switch (token.type) {
      case 'directive': {
        const [name, handle, prefix] = token.source.split(/[ \t]+/);
        if (name === '%TAG' && handle !== undefined && prefix !== undefined)
          this.#tagHandles.set(handle, prefix);
        break;
      }
      case 'document': {
        this.#close(token.offset);
        const marker = token.start.find((part) => part.type === 'doc-start');
        const contentStart = marker === undefined ? token.offset : end(marker);
        const root = this.#node(token.value, token.start, contentStart);
        this.#current = { start: token.offset, contentStart, root };
        break;
      }
      case 'doc-end':
        this.#close(token.offset);
        this.#note(token.end);
        break;
      case 'comment':
        this.#note([token]);
        break;
      default:
    }
  }

  finish(): Stream {
    const text = this.#text;
    this.#close(text.length);
    if (this.#documents.length === 0) {
      const root = emptyScalar(text.length, undefined);
      const bounds = {
        start: 0,
        end: text.length,
        contentStart: text.startsWith('\uFEFF') ? 1 : 0,
        contentEnd: text.length,
      };
      this.#documents.push({ ...bounds, tagHandles: this.#tagHandles, root });
    }
    const comments = this.#comments.sort((a, b) => a.start - b.start);
    return { text, documents: this.#documents, comments };
  }

  #close(at: number): void {
    if (this.#current === undefined) return;
    this.#documents.push({ ...this.#current, end: at, contentEnd: at, tagHandles: this.#tagHandles });
    this.#tagHandles = new Map();
    this.#current = undefined;
  }

  #note(tokens: readonly CST.Token[] | undefined): void {
    for (const token of tokens ?? []) {
      if (token.type === 'comment') this.#comments.push({ start: token.offset, end: end(token) });
    }
  }

  /** `before`: what stands between the node's indicator (which ends at `at`) and the node. */
  #node(token: CST.Token | null | undefined, before: readonly Source[], at: number): SpanNode {
    this.#note(before);
    const properties = this.#properties(before);
    if (!token) return emptyScalar(properties?.end ?? at, properties);
    switch (token.type) {
      case 'alias':
        this.#note(token.end);
        return {
          kind: 'alias',
          name: token.source.slice(1),
          start: token.offset,
          end: end(token),
          properties,
        };
      case 'scalar':
      case 'single-quoted-scalar':
      case 'double-quoted-scalar': {
        this.#note(token.end);
        if (token.type === 'scalar' && token.source === '')
          return emptyScalar(properties?.end ?? at, properties);
        const style =
          token.type === 'scalar' ? 'plain' : token.type === 'single-quoted-scalar' ? 'single' : 'double';
        return { kind: 'scalar', style, block: undefined, start: token.offset, end: end(token), properties };
      }
      case 'block-scalar':
        this.#note(token.props.filter((part) => part.type === 'comment'));
        return blockScalarNode(this.#text, token, properties);
      case 'block-map':
        return this.#blockMapping(token, properties);
      case 'block-seq':
        return this.#blockSequence(token, properties);
      case 'flow-collection':
        return this.#flowCollection(token, properties);
      default:
        throw new Error(`unexpected ${token.type} token in an error-free document`);
    }
  }

  #blockMapping(token: CST.BlockMap, properties: Properties | undefined): MappingNode {
    const entries: Entry[] = [];
    for (const part of token.items) {
      if (isRealPair(part)) entries.push(this.#entry(part));
      else this.#note(part.start);
    }
    const bounds = boundsOf(entries, token.offset);
    return { kind: 'mapping', style: 'block', entries, trailingComma: undefined, properties, ...bounds };
  }

  #entry(part: PairToken): Entry {
    const question = part.start.find((token) => token.type === 'explicit-key-ind');
    const separator = part.sep ?? [];
    const colonIndex = separator.findIndex((token) => token.type === 'map-value-ind');
    const colon = separator[colonIndex];
    const keyAt = question !== undefined ? end(question) : (colon?.offset ?? lastEnd(part.start));
    const key = this.#node(part.key, part.start, keyAt);
    this.#note(separator.slice(0, Math.max(colonIndex, 0)));
    const valueAt = colon === undefined ? key.end : end(colon);
    const value = this.#node(part.value, separator.slice(colonIndex + 1), valueAt);
    const start = question?.offset ?? outerStart(key);
    const colonSpan = colon?.offset;
    return { key, value, explicitKey: question?.offset, colon: colonSpan, start, end: value.end };
  }

  #blockSequence(token: CST.BlockSequence, properties: Properties | undefined): SequenceNode {
    const items: Item[] = [];
    for (const part of token.items) {
      const dash = part.start.find((source) => source.type === 'seq-item-ind');
      if (dash === undefined) {
        this.#note(part.start);
        continue;
      }
      const value = this.#node(part.value, part.start, end(dash));
      items.push({ start: dash.offset, end: value.end, value });
    }
    const bounds = boundsOf(items, token.offset);
    return { kind: 'sequence', style: 'block', items, trailingComma: undefined, properties, ...bounds };
  }

  #flowCollection(token: CST.FlowCollection, properties: Properties | undefined): MappingNode | SequenceNode {
    const isMapping = token.start.type === 'flow-map-start';
    const entries: Entry[] = [];
    const items: Item[] = [];
    let trailingComma: number | undefined;
    for (const part of token.items) {
      trailingComma = undefined;
      if (!isRealPair(part)) {
        this.#note(part.start);
        trailingComma = part.start.find((source) => source.type === 'comma')?.offset;
      } else if (isMapping) {
        entries.push(this.#entry(part));
      } else {
        const value = isPairInSequence(part)
          ? this.#pair(part)
          : this.#node(part.value, part.start, lastEnd(part.start));
        if (!isPairInSequence(part)) this.#note(part.sep);
        items.push({ start: outerStart(value), end: value.end, value });
      }
    }
    this.#note(token.end);
    const close = token.end[0];
    const bounds = { start: token.offset, end: close === undefined ? token.offset + 1 : end(close) };
    if (isMapping) return { kind: 'mapping', style: 'flow', entries, trailingComma, properties, ...bounds };
    return { kind: 'sequence', style: 'flow', items, trailingComma, properties, ...bounds };
  }

  #pair(part: PairToken): MappingNode {
    const entry = this.#entry(part);
    const bounds = { start: entry.start, end: entry.end };
    return {
      kind: 'mapping',
      style: 'pair',
      entries: [entry],
      trailingComma: undefined,
      properties: undefined,
      ...bounds,
    };
  }

  #properties(before: readonly Source[]): Properties | undefined {
    let anchor: Properties['anchor'];
    let tag: Properties['tag'];
    for (const token of before) {
      const span = { start: token.offset, end: end(token) };
      if (token.type === 'anchor') anchor = { ...span, name: token.source.slice(1) };
      if (token.type === 'tag') tag = span;
    }
    const spans = [anchor, tag].filter((span) => span !== undefined);
    if (spans.length === 0) return undefined;
    return {
      anchor,
      tag,
      start: Math.min(...spans.map((span) => span.start)),
      end: Math.max(...spans.map((span) => span.end)),
    };
  }
}

function end(token: { offset: number; source: string }): number {
  return token.offset + token.source.length;
}

function lastEnd(tokens: readonly Source[]): number {
  const last = tokens.at(-1);
  return last === undefined ? 0 : end(last);
}

function emptyScalar(at: number, properties: Properties | undefined): SpanNode {
  return { kind: 'scalar', style: 'empty', block: undefined, start: at, end: at, properties };
}

/** A part without a key, a value or an indicator holds only comments, white space or a trailing comma. */
function isRealPair(part: { start: Source[]; key?: unknown; sep?: Source[]; value?: unknown }): boolean {
  if (part.key || part.value || part.sep !== undefined) return true;
  return part.start.some((token) => ['explicit-key-ind', 'anchor', 'tag'].includes(token.type));
}

function isPairInSequence(part: { start: Source[]; key?: unknown; sep?: Source[] }): boolean {
  if (part.start.some((token) => token.type === 'explicit-key-ind')) return true;
  return part.sep?.some((token) => token.type === 'map-value-ind') ?? false;
}

function boundsOf(parts: readonly Span[], offset: number): Span {
  const first = parts[0];
  const last = parts.at(-1);
  return first === undefined || last === undefined
    ? { start: offset, end: offset }
    : { start: first.start, end: last.end };
}
