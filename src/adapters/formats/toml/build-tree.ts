// From what the parser found to the span tree: tables are mappings, arrays of tables lists of mappings, dotted keys nested
// mappings, wherever in the file their parts stand.
import type { AST } from 'toml-eslint-parser';
import type { Limits } from '../../../security/index.ts';
import type { Entry, Item, MappingNode, SequenceNode, Span, SpanNode } from '../../tree/span-tree.ts';
import { type HasRange, nameOf, ValueBuilder, type WrittenKey } from './build-value.ts';
import { define, type Statement, type TablePath } from './statements.ts';

/** `shift`: by how much the offsets of the parser are behind those of the text. Throws LIMIT_EXCEEDED for what is nested too deep. */
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
  readonly own: Statement[];
  readonly parts: Map<string, OpenPart>;
  header: Span | undefined;
}

interface OpenList {
  readonly kind: 'list';
  readonly path: TablePath;
  readonly own: Statement[];
  readonly items: OpenTable[];
}

interface OpenPart {
  readonly key: SpanNode;
  readonly value: OpenTable | OpenList | SpanNode;
  /** Of a part that is one statement. */
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
    const depths = path.flatMap((part, depth) => (typeof part === 'string' ? [depth] : []));
    const keys = node.key.keys.map((key, i) => ({ ...this.#span(key), depth: depths[i] ?? 0 }));
    const index = this.#all.length;
    // The parser's range of a table holds its lines as well.
    const span = {
      start: this.#span(node).start,
      end: endOfHeader(this.#text, keys.at(-1)?.end ?? 0, node.kind),
    };
    const kind = node.kind === 'array' ? 'item' : 'table';
    const statement = {
      ...span,
      kind,
      path,
      keys,
      value: undefined,
      equals: undefined,
      index,
      section: index,
    } as const;
    this.#all.push(statement);
    const table = this.#walk(root, path, node.key.keys, statement, 0);
    table.header = span;
    for (const entry of node.body) this.#entry(table, entry, index, root);
  }

  /** `root`: of the table where that is not the root itself. */
  #entry(table: OpenTable, node: AST.TOMLKeyValue, section: number, root = table): void {
    const { path: base } = table;
    const names = node.key.keys.map(nameOf);
    const path = [...base, ...names];
    this.#requireDepth(path.length);
    const value = this.#value(node.value, path.length);
    const statement: Statement = {
      ...this.#span(node),
      kind: 'entry',
      path,
      keys: node.key.keys.map((key, i) => ({ ...this.#span(key), depth: base.length + i })),
      value,
      equals: this.#text.indexOf('=', this.#span(node.key).end),
      index: this.#all.length,
      section,
    };
    this.#all.push(statement);
    if (root !== table) this.#note(root, base, statement);
    const owner = this.#walk(table, names.slice(0, -1), node.key.keys, statement, 0);
    const last = node.key.keys.at(-1);
    if (last === undefined) throw new Error('a line has a key');
    owner.parts.set(nameOf(last), { key: this.#values.key(last), value, statement });
  }

  /** Notes the statement with each table on the way down to the one that it is in, but for that one. */
  #note(root: OpenTable, path: TablePath, statement: Statement): void {
    let at: OpenTable | OpenList = root;
    for (const part of path) {
      at.own.push(statement);
      const below: OpenTable | OpenList | SpanNode | undefined =
        at.kind === 'list' ? at.items.at(Number(part)) : at.parts.get(String(part))?.value;
      if (below === undefined || (below.kind !== 'table' && below.kind !== 'list')) throw lost();
      at = below;
    }
  }

  /** The table at the end of the path, made where it is not there yet. Each on the way gets the statement. */
  #walk(
    from: OpenTable,
    path: TablePath,
    keys: readonly WrittenKey[],
    statement: Statement,
    depth: number,
  ): OpenTable {
    let at: OpenTable | OpenList = from;
    let key = depth;
    const here = [...from.path];
    at.own.push(statement);
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
        const written: WrittenKey | undefined = keys[key++];
        below = at.parts.get(String(part))?.value;
        if (below === undefined && written !== undefined) {
          below = typeof path[i + 1] === 'number' ? openList([...here]) : openTable([...here]);
          at.parts.set(String(part), { key: this.#values.key(written), value: below, statement: undefined });
        }
      }
      if (below === undefined || (below.kind !== 'table' && below.kind !== 'list')) throw lost();
      at = below;
      at.own.push(statement);
    }
    if (at.kind !== 'table') throw lost();
    return at;
  }

  #closeTable(table: OpenTable, none: Span): MappingNode {
    const { own, path, header } = table;
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
      ...{ header, ...placesOf(own, none) },
    };
    define(node, { path, all: this.#all, own });
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
      ...placesOf(part.own, none),
    };
    define(node, { path: part.path, all: this.#all, own: part.own });
    return node;
  }

  #value(node: AST.TOMLContentNode, depth: number): SpanNode {
    return this.#values.node(node, depth);
  }

  #span(node: HasRange): Span {
    return this.#values.span(node);
  }

  #requireDepth(depth: number): void {
    this.#values.requireDepth(depth);
  }
}

function openTable(path: TablePath): OpenTable {
  return { kind: 'table', path, own: [], parts: new Map(), header: undefined };
}

function openList(path: TablePath): OpenList {
  return { kind: 'list', path, own: [], items: [] };
}

function endOfHeader(text: string, from: number, kind: AST.TOMLTable['kind']): number {
  return text.indexOf(kind === 'array' ? ']]' : ']', from) + (kind === 'array' ? 2 : 1);
}

/** From the first statement to the last, and the runs of statements in between that are its own. */
function placesOf(own: readonly Statement[], none: Span): Span & { readonly pieces: readonly Span[] } {
  const pieces: { start: number; end: number; last: number }[] = [];
  for (const { start, end, index } of own) {
    const run = pieces.at(-1);
    if (run?.last === index - 1) Object.assign(run, { end, last: index });
    else pieces.push({ start, end, last: index });
  }
  const [first, last] = [pieces[0] ?? none, pieces.at(-1) ?? none];
  return { start: first.start, end: last.end, pieces: pieces.map(({ start, end }) => ({ start, end })) };
}

function lost(): Error {
  return new Error('the parser resolves each key to a table');
}
