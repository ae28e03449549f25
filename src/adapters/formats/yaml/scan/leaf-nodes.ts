// The nodes without children, and what stands before a node, from the rows of a table.
import type { BlockHeader, Properties, ScalarStyle, SpanNode } from '../../../tree/span-tree.ts';
import { YamlScalar } from '../scalar/scalar-value.ts';
import { ALIAS, type NodeTable } from './node-table.ts';

/** The text and the rows that were read from it. */
export interface Source {
  readonly text: string;
  readonly table: NodeTable;
}

const STYLES: readonly ScalarStyle[] = ['empty', 'plain', 'single', 'double', 'literal', 'folded'];

/** A scalar or an alias. */
export function leafAt(source: Source, row: number): SpanNode {
  const { text, table } = source;
  const start = table.start(row);
  const end = table.end(row);
  const kind = table.kind(row);
  const properties = propertiesAt(source, row);
  if (kind === ALIAS) return { kind: 'alias', name: text.slice(start + 1, end), start, end, properties };
  const style = STYLES[kind] ?? 'plain';
  const block = style === 'literal' || style === 'folded' ? blockAt(source, row) : undefined;
  return new YamlScalar(text, style, { start, end }, properties, block);
}

export function propertiesAt({ text, table }: Source, row: number): Properties | undefined {
  const detail = table.detail(row);
  if (detail === 0) return undefined;
  const start = table.propertiesStart(detail);
  if (start === -1) return undefined;
  const anchorStart = table.anchorStart(detail);
  const anchorEnd = table.anchorEnd(detail);
  const tagStart = table.tagStart(detail);
  return {
    anchor:
      anchorStart === -1
        ? undefined
        : { start: anchorStart, end: anchorEnd, name: text.slice(anchorStart + 1, anchorEnd) },
    tag: tagStart === -1 ? undefined : { start: tagStart, end: table.tagEnd(detail) },
    start,
    end: table.propertiesEnd(detail),
  };
}

function blockAt({ text, table }: Source, row: number): BlockHeader {
  const detail = table.detail(row);
  const header = { start: table.start(row), end: table.headerEnd(detail) };
  const source = text.slice(header.start, header.end);
  return {
    header,
    chomp: source.includes('-') ? 'strip' : source.includes('+') ? 'keep' : 'clip',
    bodyStart: table.bodyStart(detail),
    bodyEnd: table.bodyEnd(detail),
    parentColumn: table.parentColumn(detail),
  };
}

/** Of a node with its properties. */
export function outerStartAt(table: NodeTable, row: number): number {
  const detail = table.detail(row);
  const start = detail === 0 ? -1 : table.propertiesStart(detail);
  return start === -1 ? table.start(row) : start;
}
