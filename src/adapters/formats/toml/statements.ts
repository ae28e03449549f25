// The statements of a TOML file: its headers and its lines of `key = value`, each with the whole path that it defines, and
// which of them each table is made of.
import type { Span, SpanNode } from '../../tree/span-tree.ts';

/** Keys, and the indexes of the tables of an array that they lead through. */
export type TablePath = readonly (string | number)[];

/** `table`: `[a.b]`. `item`: `[[a.b]]`. `entry`: `a.b = value`. */
export interface Statement extends Span {
  readonly kind: 'table' | 'item' | 'entry';
  /** From the root; that of an item ends in its index. */
  readonly path: TablePath;
  /** The keys that are written in it, and which part of the path each of them is. */
  readonly keys: readonly (Span & { readonly depth: number })[];
  /** Of an entry. */
  readonly value: SpanNode | undefined;
  /** Of an entry: its `=`. */
  readonly equals: number | undefined;
  /** Which one of all it is. */
  readonly index: number;
  /** The index of the header that it stands below; -1 for none. Its own, for a header. */
  readonly section: number;
}

/** What a table, or an array of tables, is made of. */
export interface Definition {
  readonly path: TablePath;
  /** All of the file. */
  readonly all: readonly Statement[];
  /** Those that are about it or what it holds, in order. */
  readonly own: readonly Statement[];
}

const DEFINITIONS = new WeakMap<SpanNode, Definition>();

export function define(node: SpanNode, definition: Definition): void {
  DEFINITIONS.set(node, definition);
}

/** Of a node in sections. */
export function definitionOf(node: SpanNode): Definition {
  const found = DEFINITIONS.get(node);
  if (found === undefined) throw new Error('a table is made of statements');
  return found;
}
