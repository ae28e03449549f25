// Parses TOML 1.0 and 1.1 to the span tree, in one pass.

import { unlessRefused } from '../../../security/errors/refusal.ts';
import type { Limits } from '../../../security/policy/policy.ts';
import type { SpanNode, Stream } from '../../tree/span-tree.ts';
import { singleDocument } from '../single-document.ts';
import { TreeBuilder } from './build-tree.ts';
import { Cursor } from './cursor.ts';
import { readKeys, readSign, readValue } from './values.ts';

/** Parses a text. Throws SYNTAX_INVALID at the first error, or LIMIT_EXCEEDED. */
export function parseToml(text: string, limits: Limits): Stream {
  const cursor = new Cursor(text, limits);
  const tree = new TreeBuilder(cursor);
  for (cursor.skipLines(); cursor.char !== ''; cursor.skipLines()) {
    if (cursor.char === '[') readHeader(cursor, tree);
    else readEntry(cursor, tree);
    cursor.endLine();
  }
  return singleDocument(text, tree.build(), cursor.comments);
}

function readHeader(cursor: Cursor, tree: TreeBuilder): void {
  const { at: start } = cursor;
  const isItem = cursor.takes('[[');
  if (!isItem) cursor.takes('[');
  cursor.skipBlanks();
  const keys = readKeys(cursor);
  const close = isItem ? ']]' : ']';
  if (!cursor.takes(close)) throw cursor.invalid(`"${close}" must end the header`);
  tree.addHeader(keys, { start, end: cursor.at }, isItem);
}

function readEntry(cursor: Cursor, tree: TreeBuilder): void {
  const keys = readKeys(cursor);
  const equals = readSign(cursor);
  tree.addEntry(keys, equals, readValue(cursor, tree.depth + keys.length));
}

/** The beginning of a line of a file: a key, or a header. */
const LINE = /^\s*(?:#.*\n\s*)*(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*[.=]|^\s*(?:#.*\n\s*)*\[/;

/** Parses one value, or lines of keys and headers, which make a table. Throws as `parseToml` does. */
export function readTomlFragment(text: string, limits: Limits): Stream {
  const cursor = new Cursor(text, limits);
  cursor.skipBlanks();
  const read = (): SpanNode => {
    const value = readValue(cursor, 1);
    cursor.endLine();
    return value;
  };
  const value = LINE.test(text) ? unlessRefused(read, ['SYNTAX_INVALID']) : read();
  cursor.skipLines();
  return value !== undefined && cursor.char === ''
    ? singleDocument(text, value, cursor.comments)
    : parseToml(text, limits);
}
