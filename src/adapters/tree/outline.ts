// Outlines a node without its values: keys, kinds, sizes and lines, as deep as a budget allows.
import { visibleLine } from '../../security/index.ts';
import { keyName } from './keys.ts';
import type { LineIndex } from './lines.ts';
import { scalarAt } from './locate.ts';
import { indexSegment, keySegment, type NodePath, printNodePath, type Segment } from './node-path.ts';
import { isFlowCollection, outerStart, type SpanNode, type Stream } from './span-tree.ts';

interface Row {
  readonly path: string;
  readonly kind: SpanNode['kind'];
  readonly line: number;
  readonly endLine: number;
  /** The number of keys of a mapping, or of items of a list. */
  readonly size: number;
  readonly depth: number;
  readonly label: string;
  /** The source of a node on one line, where rows would be longer. */
  readonly source?: string;
  /** The number of parts that no row shows. */
  readonly hidden: number;
}

/** Follows the examples of a node's parts. */
interface Rest {
  readonly depth: number;
  readonly more: number;
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
  readonly rows: readonly (Row | Rest)[];
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
  const { lines } = stream;
  const maxChars = Math.max(Math.floor(MAX_CHARS / shares), MIN_CHARS);
  const rowsTo = (extent: Extent) => rowsOf(stream.text, lines, node, path, extent);
  const whole = (depth: number) => rowsTo({ depth, wholeDepth: depth, samples: Infinity, maxChars });
  let best = whole(1);
  let wholeDepth = 1;
  for (let depth = 2; depth <= MAX_DEPTH; depth++) {
    const deeper = whole(depth);
    if (deeper.chars > maxChars || deeper.rows.length === best.rows.length) break;
    best = deeper;
    wholeDepth = depth;
  }
  const maxSampleChars = Math.floor(maxChars * SAMPLE_SHARE);
  for (let depth = wholeDepth + 1; depth <= MAX_DEPTH; depth++) {
    const deeper = withSamples((samples) => rowsTo({ depth, wholeDepth, samples, maxChars: maxSampleChars }));
    if (deeper === undefined || deeper.rows.length === best.rows.length) break;
    best = deeper;
  }
  return render(best.rows, maxChars, best.chars > maxChars ? 1 + countOf(node) : best.rows.length);

  /** Answers the rows with as many examples as fit. */
  function withSamples(rowsWith: (samples: number) => Rows): Rows | undefined {
    for (const samples of SAMPLES) {
      const found = rowsWith(samples);
      if (found.chars <= maxSampleChars) return found;
    }
    return undefined;
  }
}

/** Writes the rows; `count` is the number of all rows, shown or not. */
function render(rows: readonly (Row | Rest)[], maxChars: number, count: number): string {
  const shown: (Row | Rest)[] = [];
  let chars = 0;
  for (const row of rows) {
    chars += rowText(row).length + 1;
    if (chars > maxChars) break;
    shown.push(row);
  }
  const left = count - shown.length;
  const emptiest = shown
    .filter((row) => 'path' in row)
    .reduce<Row | undefined>((most, row) => (row.hidden > (most?.hidden ?? 0) ? row : most), undefined);
  const hints = [
    ...(left > 0 ? [`… ${left} more here: name one of their keys in "path"`] : []),
    ...(emptiest === undefined || left > 0
      ? []
      : [`… not all is shown: narrow with "path", such as ${JSON.stringify(emptiest.path)}`]),
  ];
  return [...shown.map(rowText), ...hints].join('\n');
}

/** Writes a row: `key {3} 5-9` is a mapping of three keys on lines 5 to 9, `[2]` a list; a value has only its line. */
function rowText(row: Row | Rest): string {
  const indent = '  '.repeat(row.depth);
  if ('more' in row) return `${indent}… ${row.more} more`;
  if (row.source !== undefined) return `${indent}${row.label} ${row.source} ${row.line}`;
  const size =
    row.kind === 'mapping'
      ? ` {${row.size}}`
      : row.kind === 'sequence'
        ? ` [${row.size}]`
        : row.kind === 'alias'
          ? ' *'
          : '';
  const lines = row.line === row.endLine ? `${row.line}` : `${row.line}-${row.endLine}`;
  return `${indent}${row.label}${size} ${lines}`;
}

function rowsOf(text: string, lines: LineIndex, root: SpanNode, rootPath: NodePath, extent: Extent): Rows {
  const rows: (Row | Rest)[] = [];
  let chars = 0;
  visit(root, rootPath, rootPath.length === 0 ? '(root)' : printNodePath(rootPath), 0);
  return { rows, chars };

  function add(row: Row | Rest): void {
    rows.push(row);
    chars += rowText(row).length + 1;
  }

  function visit(node: SpanNode, path: NodePath, label: string, depth: number): void {
    const line = depth === 0 ? undefined : oneLine(text, node);
    const count = line === undefined ? countOf(node) : 0;
    const isWhole = depth < extent.wholeDepth || count <= FEW;
    const shown = depth === extent.depth ? 0 : isWhole ? count : Math.min(count, extent.samples);
    add({
      path: printNodePath(path),
      kind: node.kind,
      line: lines.at(outerStart(node)),
      endLine: lines.at(Math.max(node.end - (text[node.end - 1] === '\n' ? 1 : 0), node.start)),
      size: countOf(node),
      depth,
      label: visibleLine(label),
      ...(line === undefined ? {} : { source: line }),
      hidden: count - shown,
    });
    for (const part of childrenOf(text, node, shown)) {
      if (chars > extent.maxChars) return;
      const name = part.segment.kind === 'index' ? identityOf(part.node) : '';
      visit(part.node, [...path, part.segment], printNodePath([part.segment]) + name, depth + 1);
    }
    if (shown > 0 && shown < count) add({ depth: depth + 1, more: count - shown });
  }
}

const MAX_ONE_LINE = 60;

/** Answers a short collection in brackets on one line. */
function oneLine(text: string, node: SpanNode): string | undefined {
  if (!isFlowCollection(node) || node.end - node.start > MAX_ONE_LINE || countOf(node) === 0)
    return undefined;
  const source = text.slice(node.start, node.end);
  return source.includes('\n') ? undefined : visibleLine(source);
}

const IDENTIFYING = ['name', 'id', 'key', 'alias', 'uses', 'path', 'host', 'image', 'port', 'containerPort'];
const MAX_NAME = 40;

/** Answers the first scalar of an item that tells it apart, as ` name=web`. */
function identityOf(item: SpanNode): string {
  for (const key of IDENTIFYING) {
    const text = scalarAt(item, [keySegment(key)]);
    if (text !== undefined && text !== '' && text.length <= MAX_NAME) return ` ${key}=${text}`;
  }
  return '';
}

function countOf(node: SpanNode): number {
  if (node.kind === 'mapping') return node.entries.length;
  return node.kind === 'sequence' ? node.items.length : 0;
}

/** The first parts of a collection, one by one: nobody knows how many will fit. */
function* childrenOf(
  text: string,
  node: SpanNode,
  count: number,
): Generator<{ node: SpanNode; segment: Segment }> {
  for (let index = 0; index < count; index++) {
    const entry = node.kind === 'mapping' ? node.entries[index] : undefined;
    if (entry !== undefined) {
      const name = keyName(text, entry.key);
      yield { node: entry.value, segment: keySegment(name) };
    }
    const item = node.kind === 'sequence' ? node.items[index] : undefined;
    if (item !== undefined) yield { node: item.value, segment: indexSegment(index) };
  }
}
