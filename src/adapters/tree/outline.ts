// Outlines a node without its values: keys, kinds, sizes and lines, as deep as a budget allows.
import { type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import { visibleLine } from '../../security/text/visible.ts';
import { segmentOf } from './keys.ts';
import { scalarAt } from './locate.ts';
import {
  isCollection,
  isFlowCollection,
  outerStart,
  partsOf,
  type SpanNode,
  type Stream,
} from './span-tree.ts';

interface Row {
  readonly text: string;
  /** The node of the row; undefined for a row that counts the parts after some examples. */
  readonly path: NodePath | undefined;
  /** The number of parts of the node that no row shows. */
  readonly hidden: number;
}

/** How far down rows go, from which depth on a node shows only its first parts, and how long all rows may be. */
interface Extent {
  readonly depth: number;
  readonly wholeDepth: number;
  readonly samples: number;
  readonly maxChars: number;
}

/** The last of them is the first that was too much, where they are longer than they may be. */
interface Rows {
  readonly rows: readonly Row[];
  readonly chars: number;
}

const MAX_CHARS = 4_000;
const MIN_CHARS = 80;
const MAX_DEPTH = 12;
/** The share for examples, which are worth less than a whole level, and come only while the outline is short. */
const SAMPLE_SHARE = 0.4;
/** The most parts for which all are shown; of a larger node, the first ones stand for all. */
const FEW = 8;
const SAMPLES = [5, 3, 2, 1];

/**
 * Outlines as many whole levels of `node` as fit into its share of the budget; at depth 1 the rows themselves are cut. Where
 * the outline is then short, examples show the levels below.
 */
export function outlineOf(stream: Stream, node: SpanNode, path: NodePath, shares = 1): string {
  const maxChars = Math.max(Math.floor(MAX_CHARS / shares), MIN_CHARS);
  const rowsTo = (depth: number, wholeDepth: number, samples: number, most: number): Rows =>
    rowsOf(stream, node, path, { depth, wholeDepth, samples, maxChars: most });
  let best = rowsTo(1, 1, Infinity, maxChars);
  let wholeDepth = 1;
  for (let depth = 2; depth <= MAX_DEPTH; depth++) {
    const deeper = rowsTo(depth, depth, Infinity, maxChars);
    if (deeper.chars > maxChars || deeper.rows.length === best.rows.length) break;
    best = deeper;
    wholeDepth = depth;
  }
  const most = Math.floor(maxChars * SAMPLE_SHARE);
  for (let depth = wholeDepth + 1; depth <= MAX_DEPTH; depth++) {
    let deeper: Rows | undefined;
    for (const samples of SAMPLES) {
      deeper = rowsTo(depth, wholeDepth, samples, most);
      if (deeper.chars <= most) break;
    }
    if (deeper === undefined || deeper.chars > most || deeper.rows.length === best.rows.length) break;
    best = deeper;
  }
  return render(best.rows, maxChars, best.chars > maxChars ? 1 + countOf(node) : best.rows.length);
}

/** Joins the rows that fit; `count` is the number of all rows, shown or not. */
function render(rows: readonly Row[], maxChars: number, count: number): string {
  let chars = 0;
  const end = rows.findIndex(({ text }) => {
    chars += text.length + 1;
    return chars > maxChars;
  });
  const shown = rows.slice(0, end === -1 ? rows.length : end);
  const texts = shown.map(({ text }) => text);
  const left = count - shown.length;
  const emptiest = shown.reduce<Row | undefined>(
    (most, row) => (row.hidden > (most?.hidden ?? 0) ? row : most),
    undefined,
  );
  if (left > 0) texts.push(`… ${left} more here: name one of their keys in "path"`);
  else if (emptiest?.path !== undefined)
    texts.push(
      `… not all is shown: narrow with "path", such as ${JSON.stringify(printNodePath(emptiest.path))}`,
    );
  return texts.join('\n');
}

function rowsOf(stream: Stream, root: SpanNode, rootPath: NodePath, extent: Extent): Rows {
  const rows: Row[] = [];
  let chars = 0;
  visit(root, rootPath, rootPath.length === 0 ? '(root)' : printNodePath(rootPath), 0);
  return { rows, chars };

  function add(depth: number, text: string, path?: NodePath, hidden = 0): void {
    rows.push({ text: `${'  '.repeat(depth)}${text}`, path, hidden });
    chars += 2 * depth + text.length + 1;
  }

  function visit(node: SpanNode, path: NodePath, label: string, depth: number): void {
    const line = depth === 0 ? undefined : oneLine(stream.text, node);
    const count = line === undefined ? countOf(node) : 0;
    const isWhole = depth < extent.wholeDepth || count <= FEW;
    const shown = depth === extent.depth ? 0 : isWhole ? count : Math.min(count, extent.samples);
    add(
      depth,
      `${visibleLine(label)}${line ?? sizeOf(node)} ${linesOf(stream, node, line)}`,
      path,
      count - shown,
    );
    const parts = isCollection(node) ? partsOf(node).slice(0, shown) : [];
    for (const [index, part] of parts.entries()) {
      if (chars > extent.maxChars) return;
      const segment = segmentOf(stream.text, part, index);
      const name = typeof segment === 'number' ? identityOf(part.value) : '';
      visit(part.value, [...path, segment], printNodePath([segment]) + name, depth + 1);
    }
    if (shown > 0 && shown < count) add(depth + 1, `… ${count - shown} more`);
  }
}

/** Returns ` {3}` for a mapping of three keys, ` [2]` for a list; nothing for a value. */
function sizeOf(node: SpanNode): string {
  if (node.kind === 'mapping') return ` {${node.entries.length}}`;
  if (node.kind === 'sequence') return ` [${node.items.length}]`;
  return node.kind === 'alias' ? ' *' : '';
}

/** Returns its first and its last line; with `source`, which is one line, only that. */
function linesOf({ text, lines }: Stream, node: SpanNode, source: string | undefined): string {
  const first = lines.at(outerStart(node));
  const last = lines.at(Math.max(node.end - (text[node.end - 1] === '\n' ? 1 : 0), node.start));
  return first === last || source !== undefined ? `${first}` : `${first}-${last}`;
}

const MAX_ONE_LINE = 60;

/** Returns a short collection in brackets on one line, with a blank before it. */
function oneLine(text: string, node: SpanNode): string | undefined {
  if (!isFlowCollection(node) || node.end - node.start > MAX_ONE_LINE || countOf(node) === 0)
    return undefined;
  const source = text.slice(node.start, node.end);
  return source.includes('\n') ? undefined : ` ${visibleLine(source)}`;
}

const IDENTIFYING = ['name', 'id', 'key', 'alias', 'uses', 'path', 'host', 'image', 'port', 'containerPort'];
const MAX_NAME = 40;

/** Returns the first scalar of an item that tells it apart, as ` name=web`. */
function identityOf(item: SpanNode): string {
  for (const key of IDENTIFYING) {
    const text = scalarAt(item, [key]);
    if (text !== undefined && text !== '' && text.length <= MAX_NAME) return ` ${key}=${text}`;
  }
  return '';
}

function countOf(node: SpanNode): number {
  return isCollection(node) ? partsOf(node).length : 0;
}
