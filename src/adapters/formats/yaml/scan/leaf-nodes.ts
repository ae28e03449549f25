// Nodes without parts (scalars, aliases), and the anchor and tag before a node.
import type { BlockHeader, Properties, ScalarStyle, SpanNode } from '../../../tree/span-tree.ts';
import { YamlScalar } from '../scalar-value.ts';
import { AMPERSAND, BANG, COLON, CR, END, isFlowIndicator, LF, SPACE, TAB, Unusual } from './chars.ts';
import type { Cursor } from './cursor.ts';
import { ALIAS, type NodeTable } from './node-table.ts';

/** The text and the rows that were read from it. */
export interface Source {
  readonly text: string;
  readonly table: NodeTable;
}

const STYLES: readonly ScalarStyle[] = ['empty', 'plain', 'single', 'double', 'literal', 'folded'];

/** Returns a scalar or an alias. */
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

/** Returns the start of a node with its properties. */
export function outerStartAt(table: NodeTable, row: number): number {
  const detail = table.detail(row);
  const start = detail === 0 ? -1 : table.propertiesStart(detail);
  return start === -1 ? table.start(row) : start;
}

export function isProperty(code: number): boolean {
  return code === AMPERSAND || code === BANG;
}

/** Reads anchor and tag in either order on one line; returns their detail, and leaves the cursor on what follows. */
export function readProperties(cursor: Cursor): number {
  const { codes, end, table } = cursor;
  const detail = table.addDetail();
  while (cursor.at < end && isProperty(codes[cursor.at] ?? END)) {
    const start = cursor.at;
    if (codes[start] === AMPERSAND) {
      if (table.anchorStart(detail) !== -1) throw new Unusual('an anchor or a tag');
      table.setAnchor(detail, start, readName(cursor));
    } else {
      if (table.tagStart(detail) !== -1) throw new Unusual('an anchor or a tag');
      table.setTag(detail, start, readTag(cursor));
    }
    requireGap(cursor);
    cursor.skipSpaces();
  }
  return detail;
}

/** Reads `*name`, without properties. */
export function readAlias(cursor: Cursor, lead: number): number {
  const start = cursor.at;
  const end = readName(cursor);
  cursor.countAlias();
  cursor.table.leaf(ALIAS, start, end, lead, 0);
  return end;
}

/** Reads the name behind `&` or `*`. Other readers disagree about one that ends in a colon. */
function readName(cursor: Cursor): number {
  const { codes, end } = cursor;
  const start = cursor.at + 1;
  let at = start;
  for (; at < end; at++) {
    const code = codes[at] ?? END;
    if (code === SPACE || code === LF || code === CR || code === TAB || isFlowIndicator(code)) break;
    if (code < SPACE) throw new Unusual('a control character');
  }
  if (at === start || codes[at - 1] === COLON) throw new Unusual('an alias');
  cursor.at = at;
  return at;
}

/** The names after `!!` of tags that have rules of their own. */
const PARTICULAR = new Set(['binary', 'omap', 'pairs', 'set', 'timestamp']);

/** Reads `!name` or `!!name`, for which no directive is needed. */
function readTag(cursor: Cursor): number {
  const { codes, text, end } = cursor;
  const isGlobal = codes[cursor.at + 1] === BANG;
  const start = cursor.at + (isGlobal ? 2 : 1);
  let at = start;
  while (at < end && isTagChar(codes[at] ?? END)) at += 1;
  if (at === start || (isGlobal && PARTICULAR.has(text.slice(start, at))))
    throw new Unusual('an anchor or a tag');
  cursor.at = at;
  return at;
}

/** True for letters, digits, and `_`, `-`, `.`, `/`, `:`. */
function isTagChar(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 45 && code <= 58) || code === 95
  );
}

function requireGap(cursor: Cursor): void {
  if (cursor.at >= cursor.end) return;
  const code = cursor.codes[cursor.at] ?? END;
  if (code !== SPACE && code !== LF && code !== CR) throw new Unusual('an anchor or a tag');
}
