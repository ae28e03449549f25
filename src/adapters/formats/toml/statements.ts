// The statements of a TOML file: its headers and its lines of `key = value`, each with the whole path that it defines, and the
// statements that make up each table.
import type {
  Entry,
  Item,
  MappingNode,
  ScalarNode,
  SequenceNode,
  Span,
  SpanNode,
} from '../../tree/span-tree.ts';

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
    { kind, equals, index, section }: Pick<Statement, 'kind' | 'equals' | 'index' | 'section'>,
    { start, end }: Span,
    base: TablePath,
    keys: readonly ScalarNode[],
  ) {
    this.kind = kind;
    this.start = start;
    this.end = end;
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

  /** True if it is about the table at the path, or what is in it. */
  isWithin(above: TablePath): boolean {
    const keys = this.kind === 'entry' ? this.#keys : [];
    const { length } = this.#base;
    return above.every((part, at) => (at < length ? this.#base[at] : keys[at - length]?.value) === part);
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

/** The statements that make up a table, or an array of tables. */
export interface Definition {
  readonly path: TablePath;
  /** All statements of the file. */
  readonly all: readonly Statement[];
  /** Those that are about it or its contents. */
  readonly runs: readonly Run[];
}

class InSections implements Definition {
  readonly style = 'sections';
  readonly path: TablePath;
  readonly all: readonly Statement[];
  readonly runs: readonly Run[];
  readonly start: number;
  readonly end: number;

  constructor({ path, all, runs }: Definition, none: number) {
    this.path = path;
    this.all = all;
    this.runs = runs;
    this.start = all[runs[0]?.first ?? -1]?.start ?? none;
    this.end = all[runs.at(-1)?.last ?? -1]?.end ?? none;
  }

  /** The statements about it or its contents, in order. */
  get own(): readonly Statement[] {
    return this.runs.flatMap(({ first, last }) => this.all.slice(first, last + 1));
  }

  get pieces(): readonly Span[] {
    return this.runs.map(({ first, last }) => ({
      start: this.all[first]?.start ?? 0,
      end: this.all[last]?.end ?? 0,
    }));
  }

  get properties(): undefined {
    return undefined;
  }

  get trailingComma(): undefined {
    return undefined;
  }
}

/** A table by headers or dotted keys; the file itself is one. */
export class Table extends InSections implements MappingNode {
  readonly kind = 'mapping';
  readonly header: Span | undefined;
  readonly entries: readonly Entry[];

  /** `none` is where it is if no statement makes it. */
  constructor(definition: Definition, none: number, header: Span | undefined, entries: readonly Entry[]) {
    super(definition, none);
    this.header = header;
    this.entries = entries;
  }
}

/** An array of tables, by headers `[[a]]`. */
export class Tables extends InSections implements SequenceNode {
  readonly kind = 'sequence';
  readonly items: readonly Item[];

  constructor(definition: Definition, items: readonly Item[]) {
    super(definition, 0);
    this.items = items;
  }
}

/** Returns the statements of a node in sections. */
export function definitionOf(node: SpanNode): Pick<InSections, 'path' | 'all' | 'own'> {
  if (!(node instanceof InSections)) throw new Error('a table is made of statements');
  return node;
}
