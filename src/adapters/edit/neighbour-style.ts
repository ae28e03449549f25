// Reads how the parts of one collection are written, which a new part of it follows: quotes of keys, blanks around signs, columns
// that values share, and whether parts have lines of their own. `document-style.ts` is for what has no such neighbour.
import type { Format, KeyQuotes } from '../tree/format.ts';
import { columnOf, indentOf, lineEnd, lineStart } from '../tree/lines.ts';
import {
  type Collection,
  type Entry,
  isBlockCollection,
  isEmpty,
  isFlowCollection,
  type MappingNode,
  outerStart,
  partsOf,
  type SpanNode,
} from '../tree/span-tree.ts';
import type { NewKey } from './intent.ts';

export const AS_NEEDED: KeyQuotes = { style: 'double', isAlways: false };

/** Returns how the first and the last key of the mapping are quoted. If one of them does not need its quotes, quotes are a habit. */
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

/** Returns the key with whether it is written plain, without quotes. */
export function newKey(format: Format, text: string, isFlow: boolean, quotes = AS_NEEDED): NewKey {
  return { text, isPlain: keySource(format, text, isFlow, quotes) === text };
}

/** A new key as it is written. One that merges does so without quotes only. */
export function keySource(format: Format, text: string, isFlow: boolean, quotes = AS_NEEDED): string {
  return text === format.mergeKey ? text : format.writeKey(text, isFlow, quotes);
}

/** Whether the value follows its colon at once (`"key":value`), as in a file without white space. */
export function isTight({ colon, value }: Entry): boolean {
  return colon !== undefined && !isEmpty(value) && outerStart(value) === colon + 1;
}

/** Whether the parts of a flow collection stand on lines of their own; undefined for an empty one and for other nodes. */
export function isMultiline(text: string, node: SpanNode): boolean | undefined {
  if (!isFlowCollection(node)) return undefined;
  const first = partsOf(node)[0];
  return first === undefined ? undefined : text.slice(node.start, first.start).includes('\n');
}

/** The blank that stands within the brackets of a flow collection on one line. */
export function padWithin(text: string, node: SpanNode): string {
  return isMultiline(text, node) === false && text[node.start + 1] === ' ' ? ' ' : '';
}

/** A key with the sign behind it: `key:` and its gap, or `key = ` with a gap on both sides. */
export function withSign({ layout }: Format, key: string, gap: string, beforeColon = ''): string {
  return layout === 'sections' ? `${key}${gap}=${gap}` : `${key}${beforeColon}:${gap}`;
}

/** The blanks before the colon of a key with this width, which keep it in the column of the colons beside it where they share one. */
export function blanksBeforeColon(
  text: string,
  { entries }: MappingNode,
  index: number,
  width: number,
): string {
  const beside = entries
    .slice(Math.max(index - BESIDE, 0), index + BESIDE)
    .flatMap(({ start, key, colon, explicitKey }) =>
      colon === undefined || explicitKey !== undefined || key.kind !== 'scalar' || isEmpty(key)
        ? []
        : [{ start, blank: colon - key.end, colon }],
    );
  const [first, second] = beside;
  if (first === undefined || beside.some(({ blank }) => blank === 0)) return '';
  if (beside.every(({ blank }) => blank === first.blank)) return ' '.repeat(first.blank);
  const isShared =
    second !== undefined &&
    beside.every(({ colon }) => columnOf(text, colon) === columnOf(text, first.colon));
  return ' '.repeat(
    Math.max(isShared ? columnOf(text, first.colon) - columnOf(text, first.start) - width : 1, 1),
  );
}

/** The number of entries on either side that show whether their signs or values share a column. */
const BESIDE = 3;

/** Returns the spaces by which the parts of a flow collection over several lines are indented; undefined if that is not known. */
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

/** Returns the indentation before `at` on its line where it holds a tab; '' elsewhere. */
export function tabsAt(text: string, at: number): string {
  return /^[ \t]*\t[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? '';
}

/** The gap that the last part of `node` has; `isQuoted`: without quotes the colon of a key needs its space. */
export function indicatorGap(text: string, node: SpanNode, isQuoted: boolean): string {
  const last = node.kind === 'sequence' ? node.items.at(-1) : undefined;
  if (last !== undefined) return /^ +(?=\S)/.exec(text.slice(last.start + 1, last.start + 40))?.[0] ?? ' ';
  const sibling = node.kind === 'mapping' && node.style !== 'block' ? node.entries.at(-1) : undefined;
  return isQuoted && sibling !== undefined && isTight(sibling) ? '' : ' ';
}

/** By how much the last block in the list is indented below its dash, where that is alone on its line. */
export function stepBelowDash(text: string, node: SpanNode): number | undefined {
  if (node.kind !== 'sequence' || node.style !== 'block') return undefined;
  const last = node.items.findLast(({ value }) => isBlockCollection(value));
  if (last === undefined || !/^[ \t]*\r?\n/.test(text.slice(last.start + 1, last.start + 40)))
    return undefined;
  return last.value.properties === undefined
    ? columnOf(text, last.value.start) - columnOf(text, last.start)
    : undefined;
}

/** The gap that brings a value to the column of those beside it; undefined if they share none. `width`: of the key. */
export function gapToColumn(
  text: string,
  { style, start, entries }: MappingNode,
  index: number,
  width: number,
): string | undefined {
  const beside = entries
    .slice(Math.max(index - BESIDE, 0), index + BESIDE)
    .filter((entry) => !text.slice(entry.start, outerStart(entry.value)).includes('\n'));
  const [first, second] = beside.map(({ value }) => columnOf(text, outerStart(value)));
  const isShared = beside.every(({ value }) => columnOf(text, outerStart(value)) === first);
  const isWide = beside.some(({ colon, value }) => colon !== undefined && outerStart(value) > colon + 2);
  if (style !== 'block' || first === undefined || second === undefined || !isShared || !isWide)
    return undefined;
  const room = first - columnOf(text, start) - width;
  return room > 0 ? ' '.repeat(room) : undefined;
}

/** Returns the blanks behind the commas of brackets; `usual` answers those of the document, for brackets with one part. */
export function commaGap(text: string, node: Collection, usual: () => string): string {
  const [first, second] = partsOf(node).slice(0, 2);
  if (first === undefined) return ' ';
  if (second !== undefined) return /^,( *)$/.exec(text.slice(first.end, second.start))?.[1] ?? ' ';
  return 'key' in first ? (isTight(first) ? '' : ' ') : usual();
}
