// Lays a value out at its place: which of its text stands on the line of the indicator, and which lines stand below.
import { columnOf, indentOf, lineStart } from '../tree/lines.ts';
import { contentIndent, isBlockCollection, isEmpty, outerStart, propertiesText } from '../tree/span-tree.ts';
import { endsInTag } from '../tree/word-ends.ts';
import { type Fragment, lastBlockScalar } from './fragment.ts';

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
  /** Returns the columns of a block mapping and a block sequence below the line of the indicator. */
  readonly blockColumn: () => { readonly mapping: number; readonly sequence: number };
  /** The column where a block collection may begin on the line of the indicator (after a dash); undefined elsewhere. */
  readonly compactColumn: number | undefined;
  /** The content column of the block scalar that is replaced, to stay there. */
  readonly bodyColumn: number | undefined;
  /** Returns the spaces of one more level. */
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

/** Returns all of the fragment as lines of its own. */
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
  const unit = indentUnit(lines);
  const asTabs = (line: string) => '\t'.repeat(Math.round(indentOf(line) / unit)) + line.trimStart();
  const isMixed = prefix.startsWith('\t') && unit > 0;
  return [
    first,
    ...lines.map((line) => (line.trim() === '' ? '' : prefix + (isMixed ? asTabs(line) : line))),
  ].join('\n');
}

/** Returns the least indentation by blanks that a line has; 0 if none has any. */
function indentUnit(lines: readonly string[]): number {
  const widths = lines.map((line) => (line.trim() === '' ? 0 : indentOf(line))).filter((width) => width > 0);
  return widths.reduce((least, width) => Math.min(least, width), widths[0] ?? 0);
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
