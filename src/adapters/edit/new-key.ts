// The quotes of a new key: those that its neighbours have.
import type { Format, KeyQuotes } from '../tree/format.ts';
import { type Entry, isEmpty, outerStart, type SpanNode } from '../tree/span-tree.ts';
import type { NewKey } from './intent.ts';

export const AS_NEEDED: KeyQuotes = { style: 'double', isAlways: false };

/** As the first and the last key of the mapping tell: quotes that one of them could do without are a habit. */
export function keyQuotesOf(format: Format, text: string, node: SpanNode | undefined): KeyQuotes {
  if (node?.kind !== 'mapping') return AS_NEEDED;
  const [first, last] = [node.entries[0], node.entries.at(-1)];
  if (first === undefined || last === undefined) return AS_NEEDED;
  const [before, style = before] = [quotesOf(first.key), quotesOf(last.key)];
  if (style === undefined) return AS_NEEDED;
  const isEach = before === quotesOf(last.key) && (first !== last || node.style === 'flow');
  const isHabit = [first, last].some(({ key }) =>
    format.isPlainKey(text.slice(key.start + 1, key.end - 1), true),
  );
  return { style, isAlways: isEach && isHabit };
}

export function quotesOf(key: SpanNode): KeyQuotes['style'] | undefined {
  if (key.kind !== 'scalar') return undefined;
  return key.style === 'single' || key.style === 'double' ? key.style : undefined;
}

/** What is written is its own text, or in quotes. */
export function newKey(format: Format, text: string, isFlow: boolean, quotes = AS_NEEDED): NewKey {
  return { text, isPlain: format.writeKey(text, isFlow, quotes) === text };
}

/** `"key":value`, as in a file without any white space. */
export function isTight({ colon, value }: Entry): boolean {
  return colon !== undefined && !isEmpty(value) && outerStart(value) === colon + 1;
}
