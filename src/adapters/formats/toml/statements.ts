// The statements of a TOML file: its headers and its lines of `key = value`, each with the whole path that it defines, and the
// statements that make up each table.
import type { ScalarNode, Span, SpanNode } from '../../tree/span-tree.ts';

/** The keys of a path, and the indexes of the tables of an array on the way. */
export type TablePath = readonly (string | number)[];

/**
 * A statement: `table` is `[a.b]`, `item` is `[[a.b]]`, `entry` is `a.b = value`. There are very many, so all that can be
 * derived is computed on demand.
 */
export class Statement implements Span {
  readonly kind: 'table' | 'item' | 'entry';
  readonly start: number;
  readonly end: number;
  /** The value of an entry. */
  readonly value: SpanNode | undefined;
  /** The offset of the `=` of an entry. */
  readonly equals: number | undefined;
  /** Its index in all statements. */
  readonly index: number;
  /** The index of the header that it stands below; -1 for none. Its own, for a header. */
  readonly section: number;
  /** For an entry, the path of its table; for a header, its own path. */
  readonly #base: TablePath;
  readonly #keys: readonly ScalarNode[];

  constructor(
    {
      kind,
      value,
      equals,
      index,
      section,
    }: Pick<Statement, 'kind' | 'value' | 'equals' | 'index' | 'section'>,
    { start, end }: Span,
    base: TablePath,
    keys: readonly ScalarNode[],
  ) {
    this.kind = kind;
    this.start = start;
    this.end = end;
    this.value = value;
    this.equals = equals;
    this.index = index;
    this.section = section;
    this.#base = base;
    this.#keys = keys;
  }

  /** The path from the root; that of an item ends in its index. */
  get path(): TablePath {
    return this.kind === 'entry' ? [...this.#base, ...this.#keys.map(({ value }) => value)] : this.#base;
  }

  /** The keys that are written in it, and which part of the path each of them is. */
  get keys(): readonly (Span & { readonly depth: number })[] {
    const isEntry = this.kind === 'entry';
    const depths = this.#base.flatMap((part, depth) => (typeof part === 'string' ? [depth] : []));
    return this.#keys.map(({ start, end }, i) => {
      return { start, end, depth: isEntry ? this.#base.length + i : (depths[i] ?? 0) };
    });
  }
}

/** The statements of a table, or of an array of tables. */
export interface Definition {
  readonly path: TablePath;
  /** All statements of the file. */
  readonly all: readonly Statement[];
  /** The statements about it or its contents, in order. */
  readonly own: readonly Statement[];
}

/** Statements of a file that directly follow each other, by the indexes of the first and the last. */
export interface Run {
  readonly first: number;
  last: number;
}

/** A statement goes with each table on the way to it: as a run, so that deep tables of many lines cost no list of them each. */
export function addToRuns(runs: Run[], index: number): void {
  const run = runs.at(-1);
  if (run !== undefined && run.last >= index - 1) run.last = index;
  else runs.push({ first: index, last: index });
}

const DEFINITIONS = new WeakMap<SpanNode, Omit<Definition, 'own'> & { readonly runs: readonly Run[] }>();

export function define(
  node: SpanNode,
  path: TablePath,
  all: readonly Statement[],
  runs: readonly Run[],
): void {
  DEFINITIONS.set(node, { path, all, runs });
}

/** Returns the statements of a node in sections. */
export function definitionOf(node: SpanNode): Definition {
  const found = DEFINITIONS.get(node);
  if (found === undefined) throw new Error('a table is made of statements');
  const { path, all, runs } = found;
  return { path, all, own: runs.flatMap(({ first, last }) => all.slice(first, last + 1)) };
}
