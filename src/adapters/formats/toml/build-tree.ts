// Builds the span tree from the statements of a file: tables are mappings, arrays of tables lists of mappings, dotted keys nested
// mappings, wherever in the file their parts are.
import type { Entry, Item, Span, SpanNode } from '../../tree/span-tree.ts';
import type { Cursor } from './cursor.ts';
import { addToRuns, type Run, Statement, Table, type TablePath, Tables } from './statements.ts';
import { definedTwice } from './values.ts';
import type { TomlScalar } from './write-toml.ts';

/** A table while its statements are read. */
interface OpenTable {
  readonly kind: 'table';
  readonly path: TablePath;
  readonly runs: Run[];
  readonly parts: Map<string, OpenPart>;
  /** What has made it: a header, dotted keys, or only headers of tables in it. */
  madeBy: 'header' | 'dotted keys' | 'others';
  header: Span | undefined;
}

interface OpenList {
  readonly kind: 'list';
  readonly path: TablePath;
  readonly runs: Run[];
  readonly items: OpenTable[];
}

interface OpenPart {
  readonly key: TomlScalar;
  readonly value: OpenTable | OpenList | SpanNode;
  /** Its statement, if it has only one. */
  readonly statement: Statement | undefined;
}

export class TreeBuilder {
  readonly #cursor: Cursor;
  readonly #all: Statement[] = [];
  readonly #root = openTable([], 'header');
  /** The table whose lines are read, with all that is around it, and the index of its header. */
  #table = this.#root;
  #around: readonly (OpenTable | OpenList)[] = [this.#root];
  #section = -1;

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  /** Adds `[a.b]`, or `[[a.b]]` if `isItem`. Throws SYNTAX_INVALID for a table that is already defined. */
  addHeader(keys: readonly TomlScalar[], span: Span, isItem: boolean): void {
    const around: (OpenTable | OpenList)[] = [this.#root];
    let table = this.#root;
    for (const [index, key] of keys.entries()) {
      const isLast = index === keys.length - 1;
      const part = table.parts.get(key.value)?.value ?? this.#add(table, key, isLast && isItem);
      if (part.kind !== 'table' && part.kind !== 'list') throw definedTwice(this.#cursor, key);
      around.push(part);
      if (part.kind === 'list') {
        if (isLast && !isItem) throw definedTwice(this.#cursor, key);
        if (isLast) part.items.push(openTable([...part.path, part.items.length], 'others'));
        const item = part.items.at(-1);
        if (item === undefined) throw new Error('an array of tables has a table');
        around.push(item);
        table = item;
      } else {
        if (isLast && (isItem || part.madeBy !== 'others')) throw definedTwice(this.#cursor, key);
        table = part;
      }
    }
    this.#cursor.requireDepth(table.path.length);
    table.madeBy = 'header';
    table.header = span;
    const index = this.#all.length;
    const kind = isItem ? 'item' : 'table';
    const about = { kind, equals: undefined, index, section: index } as const;
    this.#all.push(new Statement(about, span, table.path, keys));
    for (const one of around) addToRuns(one.runs, index);
    [this.#table, this.#around, this.#section] = [table, around, index];
  }

  /** Adds `a.b = value` to the table of the last header. Throws SYNTAX_INVALID for what is already defined. */
  addEntry(keys: readonly [TomlScalar, ...TomlScalar[]], equals: number, value: SpanNode): void {
    const index = this.#all.length;
    for (const one of this.#around) addToRuns(one.runs, index);
    let table = this.#table;
    for (const key of keys.slice(0, -1)) {
      const part = table.parts.get(key.value)?.value ?? this.#add(table, key, false, 'dotted keys');
      if (part.kind !== 'table' || part.madeBy !== 'dotted keys') throw definedTwice(this.#cursor, key);
      addToRuns(part.runs, index);
      table = part;
    }
    const last = keys.at(-1) ?? keys[0];
    if (table.parts.has(last.value)) throw definedTwice(this.#cursor, last);
    const about = { kind: 'entry', equals, index, section: this.#section } as const;
    const span = { start: keys[0].start, end: value.end };
    const statement = new Statement(about, span, this.#table.path, keys);
    this.#all.push(statement);
    table.parts.set(last.value, { key: last, value, statement });
  }

  get depth(): number {
    return this.#table.path.length;
  }

  build(): Table {
    const at = this.#cursor.text.startsWith('\uFEFF') ? 1 : 0;
    return this.#closeTable(this.#root, at);
  }

  #add(
    { path, parts }: OpenTable,
    key: TomlScalar,
    isList: boolean,
    madeBy: OpenTable['madeBy'] = 'others',
  ): OpenTable | OpenList {
    const own = [...path, key.value];
    const value: OpenTable | OpenList = isList
      ? { kind: 'list', path: own, runs: [], items: [] }
      : openTable(own, madeBy);
    parts.set(key.value, { key, value, statement: undefined });
    return value;
  }

  #closeTable({ runs, path, header, parts }: OpenTable, none = 0): Table {
    const entries: Entry[] = [];
    for (const [name, { key, value: part, statement }] of parts) {
      const value = this.#close(part);
      const { start } = statement ?? value;
      const colon = statement?.equals;
      entries.push({ key, value, name, colon, start, end: value.end });
    }
    return new Table({ path, all: this.#all, runs }, none, header, entries);
  }

  #close(part: OpenPart['value']): SpanNode {
    if (part.kind === 'table') return this.#closeTable(part);
    if (part.kind !== 'list') return part;
    const items = part.items.map((item): Item => {
      const value = this.#closeTable(item);
      return { value, start: value.start, end: value.end };
    });
    return new Tables({ path: part.path, all: this.#all, runs: part.runs }, items);
  }
}

function openTable(path: TablePath, madeBy: OpenTable['madeBy']): OpenTable {
  return { kind: 'table', path, runs: [], parts: new Map(), madeBy, header: undefined };
}
