// The shape of a node without its values: keys, kinds, sizes and lines, as deep as a budget allows.

import { visibleLine } from '../../security/index.ts';
import { LineIndex } from './line-index.ts';
import { keyText } from './locate.ts';
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
  readonly hidden: number;
}

const MAX_CHARS = 4_000;
const MIN_CHARS = 80;
const MAX_DEPTH = 12;

/** The deepest outline of `node` that fits its share of the budget; at depth 1 the rows themselves are cut. */
export function outlineOf(stream: Stream, node: SpanNode, path: NodePath, shares = 1): Outline {
  const lines = new LineIndex(stream.text);
  const maxChars = Math.max(Math.floor(MAX_CHARS / shares), MIN_CHARS);
  let best = rowsOf(stream.text, lines, node, path, 1);
  for (let depth = 2; depth <= MAX_DEPTH; depth++) {
    const deeper = rowsOf(stream.text, lines, node, path, depth);
    if (deeper.length === best.length || sizeOf(deeper) > maxChars) break;
    best = deeper;
  }
  return render(best, maxChars);
}

function render(rows: readonly Row[], maxChars: number): Outline {
  const shown: Row[] = [];
  let chars = 0;
  for (const row of rows) {
    chars += rowText(row).length + 1;
    if (chars > maxChars) break;
    shown.push(row);
  }
  const left = rows.length - shown.length;
  const deepest = shown.find((row) => row.hidden > 0);
  const hints = [
    ...(left > 0 ? [`… ${left} more here: name one of their keys in "path"`] : []),
    ...(deepest === undefined
      ? []
      : [`… deeper levels are left out: narrow with "path", such as ${JSON.stringify(deepest.path)}`]),
  ];
  return {
    text: [...shown.map(rowText), ...hints].join('\n'),
    nodes: shown.map(({ path, kind, line, end_line, size }) => ({ path, kind, line, end_line, size })),
    truncated: hints.length > 0,
  };
}

function sizeOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + rowText(row).length + 1, 0);
}

/** `key {3} 5-9`: a mapping of three keys on lines 5 to 9; `[2]` a list; nothing but the line for a value. */
function rowText(row: Row): string {
  const size =
    row.kind === 'mapping'
      ? ` {${row.size}}`
      : row.kind === 'sequence'
        ? ` [${row.size}]`
        : row.kind === 'alias'
          ? ' *'
          : '';
  const lines = row.line === row.end_line ? `${row.line}` : `${row.line}-${row.end_line}`;
  return `${'  '.repeat(row.depth)}${row.label}${size} ${lines}`;
}

function rowsOf(text: string, lines: LineIndex, root: SpanNode, rootPath: NodePath, maxDepth: number): Row[] {
  const rows: Row[] = [];
  visit(root, rootPath, rootPath.length === 0 ? '(root)' : printNodePath(rootPath), 0);
  return rows;

  function visit(node: SpanNode, path: NodePath, label: string, depth: number): void {
    const parts = partsOf(text, node);
    const size = node.kind === 'scalar' || node.kind === 'alias' ? node.end - node.start : parts.length;
    const line = lines.at(outerStart(node));
    const endLine = lines.at(Math.max(node.end - (text[node.end - 1] === '\n' ? 1 : 0), node.start));
    const hidden = depth === maxDepth ? parts.length : 0;
    rows.push({
      path: printNodePath(path),
      kind: node.kind,
      line,
      end_line: endLine,
      size,
      depth,
      label: visibleLine(label),
      hidden,
    });
    if (depth === maxDepth) return;
    for (const part of parts)
      visit(part.node, [...path, part.segment], printNodePath([part.segment]), depth + 1);
  }
}

function partsOf(text: string, node: SpanNode) {
  if (node.kind === 'mapping') {
    return node.entries.map(({ key, value }) => ({
      node: value,
      segment: keySegment(keyText(text, key) ?? text.slice(key.start, key.end)),
    }));
  }
  return node.kind === 'sequence'
    ? node.items.map(({ value }, index) => ({ node: value, segment: indexSegment(index) }))
    : [];
}
