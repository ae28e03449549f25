// Builds the span tree from the parser's result: tables are mappings, arrays of tables lists of mappings, dotted keys nested
// mappings, wherever in the file their parts are.
import type { AST } from 'toml-eslint-parser';
import type { Limits } from '../../../security/index.ts';
import type { Entry, Item, MappingNode, SequenceNode, Span, SpanNode } from '../../tree/span-tree.ts';
import { type HasRange, ValueBuilder } from './build-value.ts';
import { addToRuns, define, type Run, Statement, type TablePath } from './statements.ts';

/** Builds the tree; `shift` is added to the parser's offsets to get those of the text. Throws LIMIT_EXCEEDED where it is nested too deep. */
export function buildTree(
  text: string,
  { body: [top] }: AST.TOMLProgram,
  shift: number,
  limits: Limits,
): MappingNode {
  return new TreeBuilder(text, shift, limits).root(top);
}

/** A table while its statements are read. */
interface OpenTable {
  readonly kind: 'table';
  readonly path: TablePath;
  readonly runs: Run[];
  readonly parts: Map<string, OpenPart>;
  header: Span | undefined;
}

interface OpenList {
  readonly kind: 'list';
  readonly path: TablePath;
  readonly runs: Run[];
  readonly items: OpenTable[];
}

interface OpenPart {
  readonly key: SpanNode;
  readonly value: OpenTable | OpenList | SpanNode;
  /** The statement of a part that has only one. */
  readonly statement: Statement | undefined;
}

class TreeBuilder {
  readonly #text: string;
  readonly #values: ValueBuilder;
  readonly #all: Statement[] = [];

  constructor(text: string, shift: number, limits: Limits) {
    this.#text = text;
    this.#values = new ValueBuilder(text, shift, limits);
  }

  root(top: AST.TOMLTopLevelTable): MappingNode {
    const root = openTable([]);
    for (const node of top.body) {
      if (node.type === 'TOMLKeyValue') this.#entry(root, node, -1);
      else this.#table(root, node);
    }
    const at = this.#text.startsWith('\uFEFF') ? 1 : 0;
    return this.#closeTable(root, { start: at, end: at });
  }

  #table(root: OpenTable, node: AST.TOMLTable): void {
    const path = node.resolvedKey;
    this.#requireDepth(path.length);
    const keys = node.key.keys.map((key) => this.#values.key(key));
    const index = this.#all.length;
    // The parser's range of a table holds its lines as well.
    const { start } = this.#span(node);
    const span = { start, end: endOfHeader(this.#text, keys.at(-1)?.end ?? 0, node.kind) };
    const kind = node.kind === 'array' ? 'item' : 'table';
    const about = { kind, value: undefined, equals: undefined, index, section: index } as const;
    const statement = new Statement(about, span, path, keys);
    this.#all.push(statement);
    const table = this.#walk(root, path, keys, statement);
    table.header = span;
    for (const entry of node.body) this.#entry(table, entry, index, root);
  }

  /** Adds an entry; `root` is the root of its table, where that is another node. */
  #entry(table: OpenTable, node: AST.TOMLKeyValue, section: number, root = table): void {
    const { path: base } = table;
    const keys = node.key.keys.map((key) => this.#values.key(key));
    const last = keys.at(-1);
    if (last === undefined) throw new Error('a line has a key');
    const depth = base.length + keys.length;
    this.#requireDepth(depth);
    const value = this.#value(node.value, depth);
    const equals = this.#text.indexOf('=', last.end);
    const about = { kind: 'entry', value, equals, index: this.#all.length, section } as const;
    const statement = new Statement(about, this.#span(node), base, keys);
    this.#all.push(statement);
    if (root !== table) this.#note(root, base, statement);
    const above = keys.slice(0, -1).map((key) => key.value);
    const owner = this.#walk(table, above, keys, statement);
    owner.parts.set(last.value, { key: last, value, statement });
  }

  /** Adds the statement to each table on the way down to its own, but not to that one. */
  #note(root: OpenTable, path: TablePath, statement: Statement): void {
    let at: OpenTable | OpenList = root;
    for (const part of path) {
      addToRuns(at.runs, statement.index);
      const below: OpenTable | OpenList | SpanNode | undefined =
        at.kind === 'list' ? at.items.at(Number(part)) : at.parts.get(String(part))?.value;
      if (below === undefined || (below.kind !== 'table' && below.kind !== 'list')) throw lost();
      at = below;
    }
  }

  /** The table at the end of the path, made where it is not there yet. Each on the way gets the statement. */
  #walk(from: OpenTable, path: TablePath, keys: readonly SpanNode[], statement: Statement): OpenTable {
    let at: OpenTable | OpenList = from;
    let key = 0;
    const here = path.length === 0 ? [] : [...from.path];
    addToRuns(at.runs, statement.index);
    for (const [i, part] of path.entries()) {
      here.push(part);
      let below: OpenTable | OpenList | SpanNode | undefined;
      if (at.kind === 'list') {
        below = at.items[Number(part)];
        if (below === undefined) {
          below = openTable([...here]);
          at.items.push(below);
        }
      } else {
        const written: SpanNode | undefined = keys[key++];
        below = at.parts.get(String(part))?.value;
        if (below === undefined && written !== undefined) {
          below = typeof path[i + 1] === 'number' ? openList([...here]) : openTable([...here]);
          at.parts.set(String(part), { key: written, value: below, statement: undefined });
        }
      }
      if (below === undefined || (below.kind !== 'table' && below.kind !== 'list')) throw lost();
      at = below;
      addToRuns(at.runs, statement.index);
    }
    if (at.kind !== 'table') throw lost();
    return at;
  }

  #closeTable(table: OpenTable, none: Span): MappingNode {
    const { runs, path, header } = table;
    const entries = [...table.parts].map(([name, { key, value, statement }]): Entry => {
      if (statement !== undefined && value.kind !== 'table' && value.kind !== 'list')
        return {
          ...{ key, value, name, explicitKey: undefined, colon: statement.equals },
          ...{ start: statement.start, end: value.end },
        };
      const node = this.#close(value);
      return {
        key,
        value: node,
        name,
        explicitKey: undefined,
        colon: undefined,
        start: node.start,
        end: node.end,
      };
    });
    const node: MappingNode = {
      ...{ kind: 'mapping', style: 'sections', entries, trailingComma: undefined, properties: undefined },
      ...{ header, ...this.#placesOf(runs, none) },
    };
    define(node, path, this.#all, runs);
    return node;
  }

  #close(part: OpenPart['value']): SpanNode {
    const none = { start: 0, end: 0 };
    if (part.kind === 'table') return this.#closeTable(part, none);
    if (part.kind !== 'list') return part;
    const items = part.items.map((item): Item => {
      const value = this.#closeTable(item, none);
      return { value, start: value.start, end: value.end };
    });
    const node: SequenceNode = {
      ...{ kind: 'sequence', style: 'sections', items, trailingComma: undefined, properties: undefined },
      ...this.#placesOf(part.runs, none),
    };
    define(node, part.path, this.#all, part.runs);
    return node;
  }

  #value(node: AST.TOMLContentNode, depth: number): SpanNode {
    return this.#values.node(node, depth);
  }

  /** Returns the span from the first statement to the last, and the runs of statements between that belong to it. */
  #placesOf(runs: readonly Run[], none: Span): Span & { readonly pieces: readonly Span[] } {
    const pieces = runs.map(({ first, last }) => ({
      start: this.#all[first]?.start ?? 0,
      end: this.#all[last]?.end ?? 0,
    }));
    return { start: (pieces[0] ?? none).start, end: (pieces.at(-1) ?? none).end, pieces };
  }

  #span(node: HasRange): Span {
    return this.#values.span(node);
  }

  #requireDepth(depth: number): void {
    this.#values.requireDepth(depth);
  }
}

function openTable(path: TablePath): OpenTable {
  return { kind: 'table', path, runs: [], parts: new Map(), header: undefined };
}

function openList(path: TablePath): OpenList {
  return { kind: 'list', path, runs: [], items: [] };
}

function endOfHeader(text: string, from: number, kind: AST.TOMLTable['kind']): number {
  return text.indexOf(kind === 'array' ? ']]' : ']', from) + (kind === 'array' ? 2 : 1);
}

function lost(): Error {
  return new Error('the parser resolves each key to a table');
}
