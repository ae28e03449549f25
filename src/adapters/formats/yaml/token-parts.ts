// Small questions about the tokens of `yaml`.
import type { CST } from 'yaml';
import type { Properties, Span } from '../../tree/span-tree.ts';

export type Source = CST.SourceToken;

/** A pair or an item; `yaml` has one shape for both. */
export interface PairToken {
  start: Source[];
  key?: CST.Token | null;
  sep?: Source[];
  value?: CST.Token;
}

/** Returns anchor and tag among the tokens before a node. */
export function propertiesOf(before: readonly Source[]): Properties | undefined {
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

export function end(token: { offset: number; source: string }): number {
  return token.offset + token.source.length;
}

export function lastEnd(tokens: readonly Source[]): number {
  const last = tokens.at(-1);
  return last === undefined ? 0 : end(last);
}

/** A part without a key, a value or an indicator holds only comments, white space or a trailing comma. */
export function isRealPair(part: PairToken): boolean {
  if (part.key || part.value || part.sep !== undefined) return true;
  return part.start.some((token) => ['explicit-key-ind', 'anchor', 'tag'].includes(token.type));
}

export function isPairInSequence(part: PairToken): boolean {
  if (part.start.some((token) => token.type === 'explicit-key-ind')) return true;
  return part.sep?.some((token) => token.type === 'map-value-ind') ?? false;
}

export function boundsOf(parts: readonly Span[], offset: number): Span {
  const first = parts[0];
  const last = parts.at(-1);
  return first === undefined || last === undefined
    ? { start: offset, end: offset }
    : { start: first.start, end: last.end };
}
