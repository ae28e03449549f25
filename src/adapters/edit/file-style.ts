// The style that new parts take from what stands beside them: the quotes of keys, blanks in flow collections, and whether
// their parts stand on lines of their own.
import type { Format, KeyQuotes } from '../tree/format.ts';
import { indentOf, lineEnd, lineStart } from '../tree/lines.ts';
import {
  type Collection,
  type Entry,
  isEmpty,
  isFlowCollection,
  outerStart,
  partsOf,
  type SpanNode,
  walk,
} from '../tree/span-tree.ts';
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

/** Whether the parts of a flow collection stand on lines of their own; undefined where it has none. */
export function isMultiline(text: string, node: SpanNode): boolean | undefined {
  if (!isFlowCollection(node)) return undefined;
  const first = partsOf(node)[0];
  return first === undefined ? undefined : text.slice(node.start, first.start).includes('\n');
}

/** How far the parts of a flow collection over several lines are indented. */
export function multilineUnit(text: string, node: Collection): number | undefined {
  const first = partsOf(node)[0];
  if (first === undefined || isMultiline(text, node) !== true) return undefined;
  const unit = lineIndent(text, first.start) - lineIndent(text, node.start);
  return unit > 0 ? unit : undefined;
}

export function lineIndent(text: string, at: number): number {
  const line = lineStart(text, at);
  return indentOf(text.slice(line, lineEnd(text, line)));
}

/** What the line begins with, where that is tabs; '' elsewhere. */
export function tabsAt(text: string, at: number): string {
  return /^[ \t]*\t[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? '';
}

/** What stands behind the commas and colons of a file in flow style, as far as its first one tells; undefined without one. */
export function gapIn(text: string, root: SpanNode): string | undefined {
  for (const node of walk(root)) {
    const entry = node.kind === 'mapping' ? node.entries[0] : undefined;
    if (entry !== undefined) return isTight(entry) ? '' : ' ';
    const [first, second] = node.kind === 'sequence' ? node.items.slice(0, 2) : [];
    const gap = first && second && /^,( *)\S/.exec(text.slice(first.end, second.start + 1))?.[1];
    if (gap !== undefined) return gap;
  }
  return undefined;
}
