// A fragment's text as it must stand at its place: what goes on the line of its indicator, and the lines
// that go below. Relative indentation stays; only the whole moves.
import { columnOf, indentOf, lineStart } from '../tree/lines.ts';
import { contentIndent, endsInTag, isBlockCollection, isEmpty, propertiesText } from '../tree/span-tree.ts';
import { type Fragment, lastBlockScalar } from './fragment.ts';

/** `head` stands after the indicator, `below` are whole lines with their indentation. LF only within `head`. */
export interface Layout {
  readonly head: string;
  readonly below: readonly string[];
}

/**
 * What takes a walk through the document to know is a function. Never a getter: V8 gives each object that is written
 * with one a shape of its own, which holds on to the closure, and so to the text, until all of the memory is searched.
 */
export interface LayoutContext {
  /** Inside `[ ]` or `{ }`: no block style, no comments. */
  readonly isFlow: boolean;
  /** The column that everything below the indicator's line must be indented beyond; -1 at the root. */
  readonly parentColumn: number;
  /** Where a block mapping or sequence below the indicator's line stands. */
  readonly blockColumn: () => { readonly mapping: number; readonly sequence: number };
  /** Where a block collection may begin on the indicator's own line (after a dash); undefined elsewhere. */
  readonly compactColumn: number | undefined;
  /** The content column of the block scalar that is replaced, to stay there. */
  readonly bodyColumn: number | undefined;
  /** Spaces for one level more. */
  readonly unit: () => number;
  /** In flow style: what lines go on with where those of the file are indented by tabs. */
  readonly tabs?: string;
}

/** `fragment` must be in flow style already where the place is in a flow collection: see `toFlowText`. */
export function layOut(fragment: Fragment, place: LayoutContext): Layout {
  const { node, text } = fragment;
  const properties = propertiesText(text, node);
  if (isEmpty(node)) {
    const head = place.isFlow && endsInTag(node) ? `${properties} ` : properties;
    return { head, below: [] };
  }
  if (node.kind === 'scalar' && node.block !== undefined) return layOutBlockScalar(fragment, place);
  if (isBlockCollection(node)) return layOutBlock(fragment, place, properties);
  const start = node.properties?.start ?? node.start;
  const [first = '', ...rest] = text.slice(start, node.end).split('\n');
  const comment = place.isFlow || fragment.trailingComment === '' ? '' : ` ${fragment.trailingComment}`;
  return {
    head: [first, ...indentContinuation(rest, place)].join('\n') + comment,
    below: [],
  };
}

/** Lines of a multi-line flow node keep their indentation, relative to the parent and always beyond it. */
function indentContinuation(lines: readonly string[], place: LayoutContext): string[] {
  if (place.tabs) return lines.map((line) => (line.trim() === '' ? '' : place.tabs + line));
  const parent = Math.max(place.parentColumn, 0);
  const needsMore = lines.some(
    (line) => line.trim() !== '' && indentOf(line) === 0 && !/^[\]}]+,?$/.test(line.trim()),
  );
  const prefix = ' '.repeat(parent + (needsMore && place.parentColumn >= 0 ? place.unit() : 0));
  return lines.map((line) => (line.trim() === '' ? '' : prefix + line));
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
  const body = text.slice(from).replace(/\n$/, '');
  const lines = (lastBlockScalar(node)?.chomp === 'keep' ? body : body.trimEnd())
    .split('\n')
    .map((line) => moveLine(line, own, column));
  if (isCompact) return { head: (lines[0] ?? '').slice(column), below: lines.slice(1) };
  return { head: text.slice(0, from).trimEnd(), below: lines };
}

/** Lines that stand left of the block (comments, continuations) move by as much as they can. */
function moveLine(line: string, from: number, to: number): string {
  if (line.trim() === '' && line.length <= from) return '';
  return ' '.repeat(to) + line.slice(Math.min(from, indentOf(line)));
}
