// Reads the style that a new part takes from its neighbours: the quotes of keys, blanks in flow collections, and whether parts
// have lines of their own.
import type { Format, KeyQuotes } from '../tree/format.ts';
import { columnOf, indentOf, lineEnd, lineStart } from '../tree/lines.ts';
import {
  type Collection,
  contentIndent,
  type Entry,
  isBlockCollection,
  isEmpty,
  isFlowCollection,
  type MappingNode,
  outerStart,
  partsOf,
  propertiesText,
  type SpanNode,
} from '../tree/span-tree.ts';
import { endsInTag } from '../tree/word-ends.ts';
import { type Fragment, lastBlockScalar } from './fragment.ts';
import type { NewKey } from './intent.ts';

export const AS_NEEDED: KeyQuotes = { style: 'double', isAlways: false };

/** Answers how the first and the last key of the mapping are quoted. If one of them does not need its quotes, quotes are a habit. */
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

/** Answers the key with whether it is written plain, without quotes. */
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
export function beforeColon(text: string, { entries }: MappingNode, index: number, width: number): string {
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
export const BESIDE = 3;

/** Answers the spaces by which the parts of a flow collection over several lines are indented; undefined where that is not known. */
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

/** Answers the indentation before `at` on its line where it holds a tab; '' elsewhere. */
export function tabsAt(text: string, at: number): string {
  return /^[ \t]*\t[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? '';
}

/** The text to write: `head` goes after the indicator, `below` holds whole lines with their indentation. `head` has LF line breaks only. */
export interface Layout {
  readonly head: string;
  readonly below: readonly string[];
}

/**
 * Values that need a walk through the document are functions, never getters: V8 gives each object with a getter its own shape,
 * which keeps the closure, and so the text, in memory.
 */
export interface LayoutContext {
  /** Whether the place is inside `[ ]` or `{ }`, where block style and comments are not possible. */
  readonly isFlow: boolean;
  /** The column that everything below the indicator's line must be indented beyond; -1 at the root. */
  readonly parentColumn: number;
  /** Answers the columns of a block mapping and a block sequence below the line of the indicator. */
  readonly blockColumn: () => { readonly mapping: number; readonly sequence: number };
  /** The column where a block collection may begin on the line of the indicator (after a dash); undefined elsewhere. */
  readonly compactColumn: number | undefined;
  /** The content column of the block scalar that is replaced, to stay there. */
  readonly bodyColumn: number | undefined;
  /** Answers the spaces of one more level. */
  readonly unit: () => number;
  /** The tabs that further lines begin with, in flow style in a file that is indented by tabs. */
  readonly tabs?: string;
}

/**
 * Lays the fragment out at its place: the relative indentation stays. In a flow collection the fragment must already be in flow
 * style; see `toFlowText`.
 */
export function layOut(fragment: Fragment, place: LayoutContext): Layout {
  const { node, text } = fragment;
  const properties = propertiesText(text, node);
  if (isEmpty(node)) {
    const head = place.isFlow && endsInTag(node) ? `${properties} ` : properties;
    return { head, below: [] };
  }
  if (node.kind === 'scalar' && node.block !== undefined) return layOutBlockScalar(fragment, place);
  if (isBlockCollection(node)) return layOutBlock(fragment, place, properties);
  const comment = place.isFlow || fragment.trailingComment === '' ? '' : ` ${fragment.trailingComment}`;
  return { head: indentContinuation(text.slice(outerStart(node), node.end), place) + comment, below: [] };
}

/** Answers all of the fragment as lines of its own. */
export function wholeLines(fragment: Fragment, place: LayoutContext): readonly string[] {
  const { head, below } = layOut(fragment, place);
  return head === '' ? below : [...head.split('\n'), ...below];
}

/** Indents the lines of a flow node over several lines relative to the parent, and always beyond it. */
export function indentContinuation(source: string, place: LayoutContext): string {
  const [first = '', ...lines] = source.split('\n');
  const parent = Math.max(place.parentColumn, 0);
  const needsMore = lines.some(
    (line) => line.trim() !== '' && indentOf(line) === 0 && !/^[\]}]+,?$/.test(line.trim()),
  );
  const prefix = place.tabs || ' '.repeat(parent + (needsMore && place.parentColumn >= 0 ? place.unit() : 0));
  return [first, ...lines.map((line) => (line.trim() === '' ? '' : prefix + line))].join('\n');
}

function layOutBlockScalar(fragment: Fragment, place: LayoutContext): Layout {
  const { node, text } = fragment;
  const block = node.kind === 'scalar' ? node.block : undefined;
  if (block === undefined) throw new Error('not a block scalar');
  const head = text.slice(node.properties?.start ?? node.start, block.bodyStart).trimEnd();
  if (node.end <= block.header.end) return { head, below: [] };
  const body = text.slice(block.bodyStart, node.end).replace(/\n$/, '');
  const hasIndicator = /[1-9]/.test(text.slice(block.header.start, block.header.end));
  const own = contentIndent(text, block) ?? 0;
  const parent = Math.max(place.parentColumn, 0);
  // An indentation indicator counts from the parent, so the whole moves with it.
  const verbatim = parent + (own === 0 && place.parentColumn >= 0 ? place.unit() : own);
  const column = hasIndicator ? parent + own : (place.bodyColumn ?? verbatim);
  return { head, below: body.split('\n').map((line) => moveLine(line, own, column)) };
}

function layOutBlock(fragment: Fragment, place: LayoutContext, properties: string): Layout {
  const { node, text } = fragment;
  const own = columnOf(text, node.start);
  const isCompact =
    place.compactColumn !== undefined && properties === '' && lineStart(text, node.start) === 0;
  const column = isCompact
    ? (place.compactColumn ?? 0)
    : node.kind === 'sequence'
      ? place.blockColumn().sequence
      : place.blockColumn().mapping;
  const from = properties === '' ? 0 : lineStart(text, node.start);
  const block = lastBlockScalar(node);
  const body = text.slice(from).replace(/\n$/, '');
  // Blanks at the end of a line are text of a block scalar.
  const lines = (block === undefined ? body.trimEnd() : body)
    .split('\n')
    .map((line) => moveLine(line, own, column));
  while (block?.chomp !== 'keep' && lines.at(-1) === '') lines.pop();
  if (isCompact) return { head: (lines[0] ?? '').slice(column), below: lines.slice(1) };
  return { head: text.slice(0, from).trimEnd(), below: lines };
}

/** Moves a line from one column to another. A line that stands left of the block (a comment, a continuation) moves as far as it can. */
export function moveLine(line: string, from: number, to: number): string {
  if (line.trim() === '' && line.length <= from) return '';
  return ' '.repeat(to) + line.slice(Math.min(from, indentOf(line)));
}
