// Where a value is written, and how its lines are laid out there.
import { columnOf, indentOf, lineStart } from '../tree/lines.ts';
import type { Located, PathStep } from '../tree/locate.ts';
import {
  type Collection,
  contentIndent,
  isBlockCollection,
  isEmpty,
  outerStart,
  partsOf,
  propertiesText,
  type SpanNode,
} from '../tree/span-tree.ts';
import { endsInTag } from '../tree/word-ends.ts';
import { lineIndent } from './columns.ts';
import { isSpread } from './neighbours.ts';
import { lastScalar, type Source, shifted, type Target } from './source.ts';
import { type Style, styleOf } from './style.ts';

export interface Place {
  readonly isFlow: boolean;
  readonly isRoot: boolean;
  /** The end of the `:`, the dash or the `---`, or the start of the node's line. */
  readonly indicatorEnd: number;
  /** The colon that a key without one needs before its first value. */
  readonly missingColon: string;
  /** The column beyond which all lines below the indicator are indented; -1 at the root. */
  readonly parentColumn: number;
  /** The columns of a block below the line of the indicator. */
  readonly mapping: number;
  readonly sequence: number;
  /** The column where a block may begin on the line of its dash. */
  readonly compact: number | undefined;
  /** The column of the text of the block scalar that is replaced. */
  readonly body: number | undefined;
  /** The spaces of one more level. */
  readonly unit: number;
  /** The tabs that further lines begin with, in brackets of a file that is indented by tabs. */
  readonly tabs: string;
}

export function placeOf({ stream: { text }, document }: Target, located: Located): Place {
  const { node, steps } = located;
  const style = styleOf(text, document);
  const step = steps.at(-1);
  const isFlow = steps.some(({ container }) => container.style !== 'block');
  const root: Place = {
    isFlow,
    isRoot: true,
    indicatorEnd: document.contentStart,
    missingColon: '',
    parentColumn: -1,
    mapping: 0,
    sequence: 0,
    compact: undefined,
    body: node.kind === 'scalar' && node.block !== undefined ? contentIndent(text, node.block) : undefined,
    unit: style.unit,
    tabs: '',
  };
  if (step === undefined) return root;
  const indicatorEnd = indicatorEndOf(step, isFlow);
  const place = { ...root, isRoot: false, indicatorEnd, missingColon: missingColon(step) };
  return isFlow
    ? { ...place, ...placeInBrackets(text, located, step, style) }
    : { ...place, ...placeInBlock(text, located, step, indicatorEnd, style) };
}

function indicatorEndOf(step: PathStep, isFlow: boolean): number {
  if (step.kind === 'item') return isFlow ? step.part.start : step.part.start + 1;
  const { colon, key } = step.part;
  return colon === undefined ? key.end : colon + 1;
}

function missingColon(step: PathStep): string {
  if (step.kind === 'item' || step.part.colon !== undefined) return '';
  return ':';
}

function placeInBrackets(text: string, { node, steps }: Located, step: PathStep, style: Style) {
  const block = steps.findLast(({ container }) => container.style === 'block');
  const least = block === undefined ? -1 : columnOf(text, block.part.start);
  const start = outerStart(node);
  return {
    parentColumn: columnInBrackets(text, start, least, style.unit),
    unit: spreadUnit(text, step.container) ?? style.unit,
    tabs: tabsAt(text, start),
  };
}

/** Returns the column of further lines in brackets: that of the first line, but to the right of the block around them. */
export function columnInBrackets(text: string, at: number, least: number, unit: number): number {
  const indent = lineIndent(text, at);
  return indent > least ? indent : least + unit;
}

/** Returns the indentation of the line of `at`; empty if it has no tab. */
export function tabsAt(text: string, at: number): string {
  return /^[ \t]*\t[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? '';
}

function placeInBlock(
  text: string,
  { node, steps }: Located,
  step: PathStep,
  indicatorEnd: number,
  style: Style,
) {
  const parentColumn = columnOf(text, step.part.start);
  const unit = (step.kind === 'entry' ? localUnit(text, step.container, steps) : undefined) ?? style.unit;
  // A block that replaces a block keeps its column; a mapping can never be in the column of its key.
  const old = isBlockCollection(node) ? columnOf(text, node.start) : undefined;
  const below = parentColumn + unit;
  const isBeside = step.kind === 'entry' && style.areListsBeside;
  return {
    parentColumn,
    mapping: old !== undefined && (old > parentColumn || step.kind === 'item') ? old : below,
    sequence: old ?? (isBeside ? parentColumn : below),
    compact: compactColumn(text, node, step, indicatorEnd),
    unit,
  };
}

/** Returns the column where a block may begin behind a dash. */
function compactColumn(
  text: string,
  node: SpanNode,
  step: PathStep,
  indicatorEnd: number,
): number | undefined {
  if (step.kind === 'entry' || node.properties !== undefined) return undefined;
  if (isEmpty(node)) return columnOf(text, indicatorEnd) + 1;
  // After a tab the column is uncertain.
  return /^ +$/.test(text.slice(indicatorEnd, node.start)) ? columnOf(text, node.start) : undefined;
}

/** Returns the columns of one level below a mapping, as its surroundings show. */
function localUnit(text: string, mapping: Collection, steps: Located['steps']): number | undefined {
  const outer = steps.at(-2);
  const own = outer === undefined ? 0 : columnOf(text, mapping.start) - columnOf(text, outer.part.start);
  return own > 0 ? own : indentBelow(text, mapping, ['mapping']);
}

/** Returns the columns of one level near a new part: below the entries of a mapping, or within the items of a list. */
export function unitWithin(text: string, node: Collection): number | undefined {
  if (node.kind === 'mapping') return indentBelow(text, node, ['mapping']);
  for (const { value } of node.items.slice(0, 20)) {
    if (value.kind !== 'mapping' || !isBlockCollection(value)) continue;
    const unit = indentBelow(text, value, ['mapping']) ?? indentBelow(text, value, ['sequence']);
    if (unit !== undefined) return unit;
  }
  return undefined;
}

/** The most entries that are looked at; a pattern may name very many of one mapping. */
const MOST_SHOWING = 100;

function indentBelow(
  text: string,
  mapping: Collection,
  kinds: readonly Collection['kind'][],
): number | undefined {
  const column = columnOf(text, mapping.start);
  for (const { value } of isBlockCollection(mapping) ? partsOf(mapping).slice(0, MOST_SHOWING) : [])
    if (isBlockCollection(value) && kinds.includes(value.kind) && columnOf(text, value.start) > column)
      return columnOf(text, value.start) - column;
  return undefined;
}

/** Returns the indentation of parts on lines of their own in brackets. */
export function spreadUnit(text: string, node: Collection): number | undefined {
  const [first] = partsOf(node);
  if (first === undefined || !isSpread(text, node)) return undefined;
  const unit = lineIndent(text, first.start) - lineIndent(text, node.start);
  return unit > 0 ? unit : undefined;
}

/** A value as text: what is on the line of the indicator, and the whole lines below. */
export interface ValueLines {
  readonly head: string;
  readonly below: readonly string[];
}

export function layOut(source: Source, place: Place): ValueLines {
  const { text, node, behind } = source;
  if (isEmpty(node)) {
    const properties = propertiesText(text, node);
    return { head: place.isFlow && endsInTag(node) ? `${properties} ` : properties, below: [] };
  }
  if (node.kind === 'scalar' && node.block !== undefined) return layOutBlockScalar(source, place);
  if (isBlockCollection(node)) return layOutBlock(source, place);
  const comment = place.isFlow || behind === '' ? '' : ` ${behind}`;
  return { head: continued(text.slice(outerStart(node), node.end), place) + comment, below: [] };
}

function layOutBlockScalar({ text, node }: Source, place: Place): ValueLines {
  const block = node.kind === 'scalar' ? node.block : undefined;
  if (block === undefined) throw new Error('it is a block scalar');
  const { header, bodyStart } = block;
  const head = text.slice(outerStart(node), bodyStart).trimEnd();
  if (node.end <= header.end) return { head, below: [] };
  const own = contentIndent(text, block) ?? 0;
  const parent = Math.max(place.parentColumn, 0);
  // An indentation indicator counts from the parent, so the whole moves with it.
  const hasDigit = /[1-9]/.test(text.slice(header.start, header.end));
  const verbatim = parent + (own === 0 && place.parentColumn >= 0 ? place.unit : own);
  const column = hasDigit ? parent + own : (place.body ?? verbatim);
  return {
    head,
    below: shifted(text.slice(bodyStart, node.end).replace(/\n$/, '').split('\n'), own, column),
  };
}

function layOutBlock({ text, node }: Source, place: Place): ValueLines {
  const properties = propertiesText(text, node);
  const isCompact = place.compact !== undefined && properties === '' && lineStart(text, node.start) === 0;
  const column = isCompact ? (place.compact ?? 0) : node.kind === 'sequence' ? place.sequence : place.mapping;
  const from = properties === '' ? 0 : lineStart(text, node.start);
  const block = lastScalar(node);
  const body = text.slice(from).replace(/\n$/, '');
  // Blanks at the end of a line are text of a block scalar.
  const lines = shifted(
    (block === undefined ? body.trimEnd() : body).split('\n'),
    columnOf(text, node.start),
    column,
  );
  while (block?.chomp !== 'keep' && lines.at(-1) === '') lines.pop();
  return isCompact
    ? { head: (lines[0] ?? '').slice(column), below: lines.slice(1) }
    : { head: text.slice(0, from).trimEnd(), below: lines };
}

/** Returns brackets or quotes with their further lines indented like the parent, in YAML always beyond it. */
export function continued(
  source: string,
  { parentColumn, unit, tabs }: Pick<Place, 'parentColumn' | 'unit' | 'tabs'>,
): string {
  const [first = '', ...lines] = source.split('\n');
  const needsMore = lines.some(
    (line) => line.trim() !== '' && indentOf(line) === 0 && !/^[\]}]+,?$/.test(line.trim()),
  );
  const prefix = tabs || ' '.repeat(Math.max(parentColumn, 0) + (needsMore && parentColumn >= 0 ? unit : 0));
  const width = prefix.startsWith('\t') ? leastIndent(lines) : 0;
  const inner = (line: string) =>
    width === 0 ? line : '\t'.repeat(Math.round(indentOf(line) / width)) + line.trimStart();
  return [first, ...lines.map((line) => (line.trim() === '' ? '' : prefix + inner(line)))].join('\n');
}

/** Returns the least indentation of the indented lines; 0 if there are none. */
function leastIndent(lines: readonly string[]): number {
  const widths = lines.map((line) => (line.trim() === '' ? 0 : indentOf(line))).filter((width) => width > 0);
  return widths.reduce((least, width) => Math.min(least, width), widths[0] ?? 0);
}
