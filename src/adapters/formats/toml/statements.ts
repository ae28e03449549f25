// The statements of a TOML file: its headers and its lines of `key = value`, each with the whole path that it defines, and
// which of them each table is made of.
import type { ScalarNode, Span, SpanNode } from '../../tree/span-tree.ts';

/** Keys, and the indexes of the tables of an array that they lead through. */
export type TablePath = readonly (string | number)[];

/** `table`: `[a.b]`. `item`: `[[a.b]]`. `entry`: `a.b = value`. There are very many: what can be told from the rest is told when somebody asks. */
export class Statement implements Span {
  readonly kind: 'table' | 'item' | 'entry';
  readonly start: number;
  readonly end: number;
  /** Of an entry. */
  readonly value: SpanNode | undefined;
  /** Of an entry: its `=`. */
  readonly equals: number | undefined;
  /** Which one of all it is. */
  readonly index: number;
  /** The index of the header that it stands below; -1 for none. Its own, for a header. */
  readonly section: number;
  /** Of an entry that of the table that it stands in, else its own. */
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

  /** From the root; that of an item ends in its index. */
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

/** What a table, or an array of tables, is made of. */
export interface Definition {
  readonly path: TablePath;
  /** All of the file. */
  readonly all: readonly Statement[];
  /** Those that are about it or what it holds, in order. */
  readonly own: readonly Statement[];
}

/** Statements of a file that stand right behind each other, by the indexes of the first and the last. */
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

/** Of a node in sections. */
export function definitionOf(node: SpanNode): Definition {
  const found = DEFINITIONS.get(node);
  if (found === undefined) throw new Error('a table is made of statements');
  const { path, all, runs } = found;
  return { path, all, own: runs.flatMap(({ first, last }) => all.slice(first, last + 1)) };
}
