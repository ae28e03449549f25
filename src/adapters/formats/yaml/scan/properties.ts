// What stands before a node or in place of it by name: anchors, tags and aliases.
import { AMPERSAND, BANG, COLON, CR, END, isFlowIndicator, LF, SPACE, TAB } from './chars.ts';
import type { Cursor } from './cursor.ts';
import { FallbackToReference } from './fallback.ts';
import { ALIAS } from './node-table.ts';

export function isProperty(code: number): boolean {
  return code === AMPERSAND || code === BANG;
}

/** Anchor and tag in either order on one line; answers their detail and leaves the cursor on what follows. */
export function readProperties(cursor: Cursor): number {
  const { codes, end, table } = cursor;
  const detail = table.addDetail();
  while (cursor.at < end && isProperty(codes[cursor.at] ?? END)) {
    const start = cursor.at;
    if (codes[start] === AMPERSAND) {
      if (table.anchorStart(detail) !== -1) throw new FallbackToReference('property');
      table.setAnchor(detail, start, readName(cursor));
    } else {
      if (table.tagStart(detail) !== -1) throw new FallbackToReference('property');
      table.setTag(detail, start, readTag(cursor));
    }
    requireGap(cursor);
    cursor.skipSpaces();
  }
  return detail;
}

/** `*name`, without properties. */
export function readAlias(cursor: Cursor, lead: number): number {
  const start = cursor.at;
  const end = readName(cursor);
  cursor.countAlias();
  cursor.table.leaf(ALIAS, start, end, lead, 0);
  return end;
}

/** The name behind `&` or `*`. One that ends in a colon is read differently by others. */
function readName(cursor: Cursor): number {
  const { codes, end } = cursor;
  const start = cursor.at + 1;
  let at = start;
  for (; at < end; at++) {
    const code = codes[at] ?? END;
    if (code === SPACE || code === LF || code === CR || code === TAB || isFlowIndicator(code)) break;
    if (code < SPACE) throw new FallbackToReference('control character');
  }
  if (at === start || codes[at - 1] === COLON) throw new FallbackToReference('alias');
  cursor.at = at;
  return at;
}

/** Behind `!!`: these have rules of their own for what they tag. */
const PARTICULAR = new Set(['binary', 'merge', 'omap', 'pairs', 'set', 'timestamp']);

/** `!name` or `!!name`: what no directive can be missing for. */
function readTag(cursor: Cursor): number {
  const { codes, text, end } = cursor;
  const isGlobal = codes[cursor.at + 1] === BANG;
  const start = cursor.at + (isGlobal ? 2 : 1);
  let at = start;
  while (at < end && isTagChar(codes[at] ?? END)) at += 1;
  if (at === start || (isGlobal && PARTICULAR.has(text.slice(start, at))))
    throw new FallbackToReference('property');
  cursor.at = at;
  return at;
}

/** Letters, `_`, and from `-` to `:` the digits, `.` and `/`. */
function isTagChar(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 45 && code <= 58) || code === 95
  );
}

function requireGap(cursor: Cursor): void {
  if (cursor.at >= cursor.end) return;
  const code = cursor.codes[cursor.at] ?? END;
  if (code !== SPACE && code !== LF && code !== CR) throw new FallbackToReference('property');
}
