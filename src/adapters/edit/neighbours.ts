// The style of a new part's neighbours, which it follows: order, quotes, blanks around signs, columns, and lines of their own.
import type { KeyQuotes } from '../tree/format.ts';
import type { Json } from '../tree/json.ts';
import { columnOf } from '../tree/lines.ts';
import {
  type Collection,
  type Entry,
  type Item,
  isBlockCollection,
  isCollection,
  isEmpty,
  isFlowCollection,
  type MappingNode,
  outerStart,
  partsOf,
  type SpanNode,
} from '../tree/span-tree.ts';

export type Part = Entry | Item;

/** True for brackets whose parts have lines of their own. */
export function isSpread(text: string, node: SpanNode): boolean {
  if (!isFlowCollection(node)) return false;
  const [first] = partsOf(node);
  return first !== undefined && text.slice(node.start, first.start).includes('\n');
}

/** Returns the padding inside the brackets of a collection on one line. */
export function padOf(text: string, node: SpanNode): string {
  const isOnLine = isFlowCollection(node) && partsOf(node).length > 0 && !isSpread(text, node);
  return isOnLine && text[node.start + 1] === ' ' ? ' ' : '';
}

/** True if no white space is between colon and value (`"key":value`). */
function isTight({ colon, value }: Entry): boolean {
  return colon !== undefined && !isEmpty(value) && outerStart(value) === colon + 1;
}

/** Returns the blanks after the commas in brackets; `usual` if they have one item. */
export function commaGap(text: string, node: Collection, usual: string): string {
  const [first, second] = partsOf(node);
  if (first === undefined) return ' ';
  if (second !== undefined) return /^,( *)$/.exec(text.slice(first.end, second.start))?.[1] ?? ' ';
  return 'key' in first ? (isTight(first) ? '' : ' ') : usual;
}

/** Returns the blanks after the colons in brackets: none if the last entry has none and the key is quoted. */
export function signGap(node: Collection, isQuoted: boolean): string {
  const last = node.kind === 'mapping' && node.style !== 'block' ? node.entries.at(-1) : undefined;
  return isQuoted && last !== undefined && isTight(last) ? '' : ' ';
}

/** Returns the blanks after the first comma or colon in brackets; undefined if there is none. */
export function gapOf(text: string, node: Collection): string | undefined {
  if (!isFlowCollection(node) && node.style !== 'pair') return undefined;
  const [first, second] = partsOf(node);
  if (first !== undefined && 'key' in first) return isTight(first) ? '' : ' ';
  return first && second && /^,( *)\S/.exec(text.slice(first.end, second.start + 1))?.[1];
}

/** Returns the parts around an index, the nearest first. */
export function beside(node: Collection, index: number, most = 20): readonly Part[] {
  const parts = partsOf(node);
  return [...parts.slice(Math.max(index - most, 0), index).reverse(), ...parts.slice(index, index + most)];
}

/** Returns the nearest value of the same kind, as a model for the quotes or brackets of a new part. */
export function modelFor(
  value: Json,
  node: Collection,
  index: number,
  isPlain: (text: string) => boolean,
): SpanNode | undefined {
  const alike = beside(node, index)
    .map((part) => part.value)
    .filter((other) => isOfKind(value, other));
  const [nearest] = alike;
  if (typeof value !== 'string' || node.kind === 'sequence') return modelOf(value, nearest);
  // Quotes are a habit if all values have them and one does not need them.
  const isHabit =
    alike.every((one) => quotesOf(one) !== undefined) &&
    alike.some((one) => one.kind === 'scalar' && isPlain(one.value));
  return isHabit || value.includes('\n') ? modelOf(value, nearest) : undefined;
}

/** Returns the node if it shows a style for the value; a block scalar does so for text of several lines only. */
export function modelOf(value: Json, node: SpanNode | undefined): SpanNode | undefined {
  if (node?.kind !== 'scalar') return node && isTooFlat(value, node) ? undefined : node;
  if (quotesOf(node) !== undefined) return node;
  if (value === null) return node.typedValue === null ? node : undefined;
  const isOfLines = typeof value === 'string' && value.trimEnd().includes('\n');
  return node.block !== undefined && isOfLines ? node : undefined;
}

/** True if the node is of the same kind as the value, and not an empty collection. */
export function isOfKind(value: Json, other: SpanNode): boolean {
  if (value === null) return other.kind === 'scalar' && other.typedValue === null;
  if (typeof value === 'string') return other.kind === 'scalar' && typeof other.typedValue === 'string';
  if (typeof value !== 'object' || !isCollection(other) || partsOf(other).length === 0) return false;
  return Array.isArray(value) === (other.kind === 'sequence') && !isTooFlat(value, other);
}

/** True if the node has only scalars in its brackets, while the value holds collections. */
function isTooFlat(value: Json, node: SpanNode): boolean {
  if (typeof value !== 'object' || value === null || !isFlowCollection(node)) return false;
  const isDeep = Object.values(value).some((part) => typeof part === 'object' && part !== null);
  const parts = partsOf(node);
  return isDeep && parts.length > 0 && !parts.some((part) => isCollection(part.value));
}

/** Returns the quotes of a mapping's first and last key. They are a habit if one of these keys does not need them. */
export function keyQuotes(
  text: string,
  node: SpanNode | undefined,
  isPlainKey: (key: string) => boolean,
): KeyQuotes {
  const [first, last] = node?.kind === 'mapping' ? [node.entries[0], node.entries.at(-1)] : [];
  if (node?.kind !== 'mapping' || first === undefined || last === undefined) return AS_NEEDED;
  const [before, behind] = [quotesOf(first.key), quotesOf(last.key)];
  const isEach = before === behind && (first !== last || node.style === 'flow');
  const isHabit = [first.key, last.key].some(({ start, end }) => isPlainKey(text.slice(start + 1, end - 1)));
  const style = behind ?? before;
  return style === undefined ? AS_NEEDED : { style, isAlways: isEach && isHabit };
}

const AS_NEEDED: KeyQuotes = { style: 'double', isAlways: false };

export function quotesOf(node: SpanNode): KeyQuotes['style'] | undefined {
  if (node.kind !== 'scalar') return undefined;
  return node.style === 'single' || node.style === 'double' ? node.style : undefined;
}

/** The number of entries on either side that are looked at for aligned colons or values. */
const BESIDE = 3;

/** Returns the blanks before the colon of a key of this width: as many as its neighbours have, or up to their column. */
export function colonGap(text: string, node: Collection, index: number, width: number): string {
  if (node.kind !== 'mapping') return '';
  const near = node.entries
    .slice(Math.max(index - BESIDE, 0), index + BESIDE)
    .flatMap(({ start, key, colon }) =>
      colon === undefined || key.kind !== 'scalar' || isEmpty(key)
        ? []
        : [{ start, blank: colon - key.end, colon }],
    );
  const [first, second] = near;
  if (first === undefined || near.some(({ blank }) => blank === 0)) return '';
  if (near.every(({ blank }) => blank === first.blank)) return ' '.repeat(first.blank);
  const column = columnOf(text, first.colon);
  const isShared = second !== undefined && near.every(({ colon }) => columnOf(text, colon) === column);
  return ' '.repeat(Math.max(isShared ? column - columnOf(text, first.start) - width : 1, 1));
}

/** Returns the blanks that align a value with its neighbours; one blank if they are not aligned. */
export function gapToColumn(text: string, node: Collection, index: number, width: number): string {
  if (node.kind !== 'mapping' || node.style !== 'block') return ' ';
  const near = node.entries
    .slice(Math.max(index - BESIDE, 0), index + BESIDE)
    .filter((entry) => !text.slice(entry.start, outerStart(entry.value)).includes('\n'));
  const columns = new Set(near.map(({ value }) => columnOf(text, outerStart(value))));
  const [column = 0] = columns;
  const isWide = near.some(({ colon, value }) => colon !== undefined && outerStart(value) > colon + 2);
  const room = column - columnOf(text, node.start) - width;
  return near.length > 1 && columns.size === 1 && isWide && room > 0 ? ' '.repeat(room) : ' ';
}

/** Returns the blanks after the dashes of a list. */
export function dashGap(text: string, node: Collection): string {
  const last = partsOf(node).at(-1);
  return last === undefined
    ? ' '
    : (/^ +(?=\S)/.exec(text.slice(last.start + 1, last.start + 40))?.[0] ?? ' ');
}

/** Returns the indentation of a list's last block below its dash, if the dash is alone on its line. */
export function indentBelowDash(text: string, node: Collection): number | undefined {
  if (node.kind !== 'sequence' || node.style !== 'block') return undefined;
  const last = node.items.findLast(({ value }) => isBlockCollection(value));
  if (last === undefined || last.value.properties !== undefined) return undefined;
  const isAlone = /^[ \t]*\r?\n/.test(text.slice(last.start + 1, last.start + 40));
  return isAlone ? columnOf(text, last.value.start) - columnOf(text, last.start) : undefined;
}

/** Fewer keys may be sorted by chance. */
const MANY_SORTED = 5;
const ORDERS: readonly ((name: string) => string)[] = [(name) => name, (name) => name.toLowerCase()];

/**
 * Returns the index of a new key for which no place was given: in order if all keys, or those after the last blank line, are
 * sorted; otherwise the last.
 */
export function usualIndex(text: string, { entries }: MappingNode, key: string): number {
  const lastGroup = entries.findLastIndex(({ start }, at) => {
    const before = entries[at - 1];
    return before !== undefined && /\n[ \t]*\r?\n/.test(text.slice(before.end, start));
  });
  return sortedIndex(entries, 0, key) ?? sortedIndex(entries, lastGroup, key) ?? entries.length;
}

/** Returns the index among the keys from `from` on; undefined if they are not sorted, or are in branches of a template. */
function sortedIndex(entries: readonly Entry[], from: number, key: string): number | undefined {
  const names = entries
    .slice(Math.max(from, 0))
    .map(({ name, branch }) => (branch === undefined ? name : undefined));
  if (names.length < MANY_SORTED) return undefined;
  for (const order of ORDERS) {
    const ordered = names.map((name) => (name === undefined ? undefined : order(name)));
    const isSorted = ordered.every(
      (name, at) => name !== undefined && (at === 0 || (ordered[at - 1] ?? '') < name),
    );
    if (!isSorted) continue;
    const index = ordered.findIndex((name) => (name ?? '') > order(key));
    return index === -1 ? entries.length : Math.max(from, 0) + index;
  }
  return undefined;
}
