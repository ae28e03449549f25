// Builds one node of the span tree from its token, and all below it. It collects the comments on the way.
import type { CST } from 'yaml';
import type { Refusal } from '../../../security/index.ts';
import { invalidSyntax } from '../../tree/format.ts';
import { keyText } from '../../tree/keys.ts';
import { lineAndColumn } from '../../tree/lines.ts';
import {
  type Collection,
  type Entry,
  type Item,
  type MappingNode,
  outerStart,
  type Properties,
  type SequenceNode,
  type Span,
  type SpanNode,
} from '../../tree/span-tree.ts';
import { blockScalarNode } from './block-scalar.ts';
import { YamlScalar } from './scalar/scalar-value.ts';
import {
  boundsOf,
  end,
  isPairInSequence,
  isRealPair,
  lastEnd,
  type PairToken,
  propertiesOf,
  type Source,
} from './token-parts.ts';

export class NodeBuilder {
  readonly comments: Span[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  note(tokens: readonly CST.Token[] | undefined): void {
    for (const token of tokens ?? []) {
      if (token.type === 'comment') this.comments.push({ start: token.offset, end: end(token) });
    }
  }

  /** Builds a node; `before` holds the tokens between the node's indicator (which ends at `at`) and the node. */
  node(token: CST.Token | null | undefined, before: readonly Source[], at: number): SpanNode {
    this.note(before);
    const properties = propertiesOf(before);
    if (!token) return this.#emptyScalar(properties?.end ?? at, properties);
    switch (token.type) {
      case 'alias':
        this.note(token.end);
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
        this.note(token.end);
        if (token.type === 'scalar' && token.source === '')
          return this.#emptyScalar(properties?.end ?? at, properties);
        const style =
          token.type === 'scalar' ? 'plain' : token.type === 'single-quoted-scalar' ? 'single' : 'double';
        if (style !== 'plain' && !isClosed(token.source))
          throw this.#invalid('the quote that opens here is never closed', token.offset);
        return new YamlScalar(this.#text, style, { start: token.offset, end: end(token) }, properties);
      }
      case 'block-scalar':
        this.note(token.props.filter((part) => part.type === 'comment'));
        return blockScalarNode(this.#text, token, properties);
      case 'block-map':
        return this.#blockMapping(token, properties);
      case 'block-seq':
        return this.#blockSequence(token, properties);
      case 'flow-collection':
        return this.#flowCollection(token, properties);
      default:
        // Not every error among its tokens is reported by `yaml`.
        throw this.#invalid('this cannot stand here', token.offset);
    }
  }

  #invalid(message: string, offset: number): Refusal {
    return invalidSyntax('YAML', [{ code: 'SYNTAX_INVALID', message, ...lineAndColumn(this.#text, offset) }]);
  }

  #emptyScalar(at: number, properties: Properties | undefined): SpanNode {
    return new YamlScalar(this.#text, 'empty', { start: at, end: at }, properties);
  }

  #blockMapping(token: CST.BlockMap, properties: Properties | undefined): MappingNode {
    const entries: Entry[] = [];
    for (const part of token.items) {
      if (isRealPair(part)) entries.push(this.#entry(part));
      else this.note(part.start);
    }
    return {
      kind: 'mapping',
      style: 'block',
      entries,
      trailingComma: undefined,
      properties,
      ...boundsOf(entries, token.offset),
    };
  }

  #entry(part: PairToken): Entry {
    const question = part.start.find((token) => token.type === 'explicit-key-ind');
    const separator = part.sep ?? [];
    const colonIndex = separator.findIndex((token) => token.type === 'map-value-ind');
    const colon = separator[colonIndex];
    const keyAt = question !== undefined ? end(question) : (colon?.offset ?? lastEnd(part.start));
    const key = this.node(part.key, part.start, keyAt);
    this.note(separator.slice(0, Math.max(colonIndex, 0)));
    const valueAt = colon === undefined ? key.end : end(colon);
    const value = this.node(part.value, separator.slice(colonIndex + 1), valueAt);
    const start = question?.offset ?? outerStart(key);
    const colonSpan = colon?.offset;
    const name = keyText(key);
    return { key, value, name, explicitKey: question?.offset, colon: colonSpan, start, end: value.end };
  }

  #blockSequence(token: CST.BlockSequence, properties: Properties | undefined): SequenceNode {
    const items: Item[] = [];
    for (const part of token.items) {
      const dash = part.start.find((source) => source.type === 'seq-item-ind');
      if (dash === undefined) {
        this.note(part.start);
        continue;
      }
      const value = this.node(part.value, part.start, end(dash));
      items.push({ start: dash.offset, end: value.end, value });
    }
    return {
      kind: 'sequence',
      style: 'block',
      items,
      trailingComma: undefined,
      properties,
      ...boundsOf(items, token.offset),
    };
  }

  #flowCollection(token: CST.FlowCollection, properties: Properties | undefined): Collection {
    const isMapping = token.start.type === 'flow-map-start';
    const entries: Entry[] = [];
    const items: Item[] = [];
    let trailingComma: number | undefined;
    for (const part of token.items) {
      trailingComma = undefined;
      if (!isRealPair(part)) {
        this.note(part.start);
        trailingComma = part.start.find((source) => source.type === 'comma')?.offset;
      } else if (isMapping) {
        entries.push(this.#entry(part));
      } else {
        const isPair = isPairInSequence(part);
        const value = isPair ? this.#pair(part) : this.node(part.value, part.start, lastEnd(part.start));
        if (!isPair) this.note(part.sep);
        items.push({ start: outerStart(value), end: value.end, value });
      }
    }
    this.note(token.end);
    const close = token.end[0];
    const shared = {
      style: 'flow',
      trailingComma,
      properties,
      start: token.offset,
      end: close === undefined ? token.offset + 1 : end(close),
    } as const;
    return isMapping ? { kind: 'mapping', entries, ...shared } : { kind: 'sequence', items, ...shared };
  }

  #pair(part: PairToken): MappingNode {
    const entry = this.#entry(part);
    return {
      kind: 'mapping',
      style: 'pair',
      entries: [entry],
      trailingComma: undefined,
      properties: undefined,
      start: entry.start,
      end: entry.end,
    };
  }
}

/** True if the quote is closed: `yaml` takes an escaped quote at the very end of a text for the closing one. */
function isClosed(source: string): boolean {
  const escapeMark = source.startsWith('"') ? '\\' : "'";
  let at = source.length - 2;
  while (at > 0 && source[at] === escapeMark) at -= 1;
  return source.length > 1 && (source.length - at) % 2 === 0;
}
