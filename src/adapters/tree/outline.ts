// The shape of a node without its values: keys, kinds, sizes and lines, as deep as a budget allows.

import { visibleLine } from '../../security/index.ts';
import { keyText } from './key-index.ts';
import { type Lines, linesOf } from './line-index.ts';
import { indexSegment, keySegment, type NodePath, printNodePath } from './node-path.ts';
import { outerStart, type SpanNode, type Stream } from './span-tree.ts';

export interface OutlineNode {
  readonly path: string;
  readonly kind: 'mapping' | 'sequence' | 'scalar' | 'alias';
  readonly line: number;
  readonly end_line: number;
  /** Keys of a mapping, items of a list, characters of a scalar's source. */
  readonly size: number;
}

export interface Outline {
  readonly text: string;
  readonly nodes: readonly OutlineNode[];
  /** Whether something below or beside was left out; the text says how to see it. */
  readonly truncated: boolean;
}

interface Row extends OutlineNode {
  readonly depth: number;
  readonly label: string;
  /** Parts that no row shows. */
  readonly hidden: number;
}

/** Stands behind the examples of a node's parts. */
interface Rest {
  readonly depth: number;
  readonly more: number;
}

/** How far down rows go, and from where on a node shows only its first parts. */
interface Extent {
  readonly depth: number;
  readonly wholeDepth: number;
  readonly samples: number;
  readonly maxRows: number;
}

const MAX_CHARS = 4_000;
const MIN_CHARS = 80;
const MAX_DEPTH = 12;
/** Examples are worth less than a whole level: they come only while the outline is short. */
const SAMPLE_SHARE = 0.4;
/** Of a node with more parts than this, the first of them stand for all. */
const FEW = 8;
const SAMPLES = [5, 3, 2, 1];

/**
 * As many whole levels of `node` as fit their share of the budget; at depth 1 the rows themselves are cut. Where that
 * leaves an outline short, examples show the levels below.
 */
export function outlineOf(stream: Stream, node: SpanNode, path: NodePath, shares = 1): Outline {
  const lines = linesOf(stream);
  const maxChars = Math.max(Math.floor(MAX_CHARS / shares), MIN_CHARS);
  const rowsTo = (extent: Extent) => rowsOf(stream.text, lines, node, path, extent);
  const whole = (depth: number, maxRows: number) =>
    rowsTo({ depth, wholeDepth: depth, samples: Infinity, maxRows });
  // No row is shorter than a character and its break: more rows than characters are not shown.
  let best = whole(1, maxChars);
  let wholeDepth = 1;
  for (let depth = 2; depth <= MAX_DEPTH; depth++) {
    const deeper = whole(depth, maxChars);
    if (deeper.length === best.length || sizeOf(deeper) > maxChars) break;
    best = deeper;
    wholeDepth = depth;
  }
  const maxSampleChars = Math.floor(maxChars * SAMPLE_SHARE);
  for (let depth = wholeDepth + 1; depth <= MAX_DEPTH; depth++) {
    const deeper = SAMPLES.map((samples) =>
      rowsTo({ depth, wholeDepth, samples, maxRows: maxSampleChars }),
    ).find((rows) => sizeOf(rows) <= maxSampleChars);
    if (deeper === undefined || deeper.length === best.length) break;
    best = deeper;
  }
  return render(best, maxChars, best.length > maxChars ? 1 + countOf(node) : best.length);
}

/** `count`: of all rows, whether they are there or not. */
function render(rows: readonly (Row | Rest)[], maxChars: number, count: number): Outline {
  const shown: (Row | Rest)[] = [];
  let chars = 0;
  for (const row of rows) {
    chars += rowText(row).length + 1;
    if (chars > maxChars) break;
    shown.push(row);
  }
  const left = count - shown.length;
  const nodes = shown.filter((row) => 'path' in row);
  const emptiest = nodes.reduce<Row | undefined>(
    (most, row) => (row.hidden > (most?.hidden ?? 0) ? row : most),
    undefined,
  );
  const hints = [
    ...(left > 0 ? [`… ${left} more here: name one of their keys in "path"`] : []),
    ...(emptiest === undefined || left > 0
      ? []
      : [`… not all is shown: narrow with "path", such as ${JSON.stringify(emptiest.path)}`]),
  ];
  return {
    text: [...shown.map(rowText), ...hints].join('\n'),
    nodes: nodes.map(({ path, kind, line, end_line, size }) => ({ path, kind, line, end_line, size })),
    truncated: hints.length > 0,
  };
}

function sizeOf(rows: readonly (Row | Rest)[]): number {
  return rows.reduce((sum, row) => sum + rowText(row).length + 1, 0);
}

/** `key {3} 5-9`: a mapping of three keys on lines 5 to 9; `[2]` a list; nothing but the line for a value. */
function rowText(row: Row | Rest): string {
  const indent = '  '.repeat(row.depth);
  if ('more' in row) return `${indent}… ${row.more} more`;
  const size =
    row.kind === 'mapping'
      ? ` {${row.size}}`
      : row.kind === 'sequence'
        ? ` [${row.size}]`
        : row.kind === 'alias'
          ? ' *'
          : '';
  const lines = row.line === row.end_line ? `${row.line}` : `${row.line}-${row.end_line}`;
  return `${indent}${row.label}${size} ${lines}`;
}

function rowsOf(
  text: string,
  lines: Lines,
  root: SpanNode,
  rootPath: NodePath,
  extent: Extent,
): (Row | Rest)[] {
  const rows: (Row | Rest)[] = [];
  visit(root, rootPath, rootPath.length === 0 ? '(root)' : printNodePath(rootPath), 0);
  return rows;

  function visit(node: SpanNode, path: NodePath, label: string, depth: number): void {
    const count = countOf(node);
    const isWhole = depth < extent.wholeDepth || count <= FEW;
    const shown = depth === extent.depth ? 0 : isWhole ? count : Math.min(count, extent.samples);
    rows.push({
      path: printNodePath(path),
      kind: node.kind,
      line: lines.at(outerStart(node)),
      end_line: lines.at(Math.max(node.end - (text[node.end - 1] === '\n' ? 1 : 0), node.start)),
      size: node.kind === 'scalar' || node.kind === 'alias' ? node.end - node.start : count,
      depth,
      label: visibleLine(label),
      hidden: count - shown,
    });
    for (const part of partsOf(text, node, Math.min(shown, extent.maxRows + 1))) {
      // Too many rows to fit: the rest of them cannot matter.
      if (rows.length > extent.maxRows) return;
      visit(part.node, [...path, part.segment], printNodePath([part.segment]), depth + 1);
    }
    if (shown > 0 && shown < count) rows.push({ depth: depth + 1, more: count - shown });
  }
}

function countOf(node: SpanNode): number {
  if (node.kind === 'mapping') return node.entries.length;
  return node.kind === 'sequence' ? node.items.length : 0;
}

/** The first parts of a collection. */
function partsOf(text: string, node: SpanNode, count: number) {
  if (node.kind === 'mapping') {
    return node.entries.run(0, count).map(({ key, value }) => ({
      node: value,
      segment: keySegment(keyText(text, key) ?? text.slice(key.start, key.end)),
    }));
  }
  return node.kind === 'sequence'
    ? node.items.run(0, count).map(({ value }, index) => ({ node: value, segment: indexSegment(index) }))
    : [];
}
