// The nodes without children, and what stands before a node, from the rows of a skeleton.
import type { BlockHeader, Properties, ScalarStyle, SpanNode } from '../../../tree/span-tree.ts';
import { YamlScalar } from '../yaml-scalar.ts';
import { ALIAS, type Skeleton } from './skeleton.ts';

/** The text and the rows that were read from it. */
export interface Source {
  readonly text: string;
  readonly skeleton: Skeleton;
}

const STYLES: readonly ScalarStyle[] = ['empty', 'plain', 'single', 'double', 'literal', 'folded'];

/** A scalar or an alias. */
export function leafAt(source: Source, row: number): SpanNode {
  const { text, skeleton } = source;
  const start = skeleton.start(row);
  const end = skeleton.end(row);
  const kind = skeleton.kind(row);
  const properties = propertiesAt(source, row);
  if (kind === ALIAS) return { kind: 'alias', name: text.slice(start + 1, end), start, end, properties };
  const style = STYLES[kind] ?? 'plain';
  const block = style === 'literal' || style === 'folded' ? blockAt(source, row) : undefined;
  return new YamlScalar(text, style, { start, end }, properties, block);
}

export function propertiesAt({ text, skeleton }: Source, row: number): Properties | undefined {
  const detail = skeleton.detail(row);
  if (detail === 0) return undefined;
  const start = skeleton.propertiesStart(detail);
  if (start === -1) return undefined;
  const anchorStart = skeleton.anchorStart(detail);
  const anchorEnd = skeleton.anchorEnd(detail);
  const tagStart = skeleton.tagStart(detail);
  return {
    anchor:
      anchorStart === -1
        ? undefined
        : { start: anchorStart, end: anchorEnd, name: text.slice(anchorStart + 1, anchorEnd) },
    tag: tagStart === -1 ? undefined : { start: tagStart, end: skeleton.tagEnd(detail) },
    start,
    end: skeleton.propertiesEnd(detail),
  };
}

function blockAt({ text, skeleton }: Source, row: number): BlockHeader {
  const detail = skeleton.detail(row);
  const header = { start: skeleton.start(row), end: skeleton.headerEnd(detail) };
  const source = text.slice(header.start, header.end);
  return {
    header,
    chomp: source.includes('-') ? 'strip' : source.includes('+') ? 'keep' : 'clip',
    bodyStart: skeleton.bodyStart(detail),
    bodyEnd: skeleton.bodyEnd(detail),
    parentColumn: skeleton.parentColumn(detail),
  };
}

/** Of a node with its properties. */
export function outerStartAt(skeleton: Skeleton, row: number): number {
  const detail = skeleton.detail(row);
  const start = detail === 0 ? -1 : skeleton.propertiesStart(detail);
  return start === -1 ? skeleton.start(row) : start;
}
