// From what the parser found to the span tree: tables are mappings, arrays of tables lists of mappings, dotted keys nested
// mappings, wherever in the file their parts stand.
import type { AST } from 'toml-eslint-parser';
import type { Limits } from '../../../security/index.ts';
import type { Entry, Item, MappingNode, SequenceNode, Span, SpanNode } from '../../tree/span-tree.ts';
import { requireAtMost } from '../../tree/wording.ts';
import { define, type Statement, type TablePath } from './statements.ts';
import { TomlScalar } from './toml-scalar.ts';

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
  readonly #shift: number;
  readonly #limits: Limits;
  readonly #all: Statement[] = [];

  constructor(text: string, shift: number, limits: Limits) {
    this.#text = text;
    this.#shift = shift;
    this.#limits = limits;
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
    owner.parts.set(nameOf(last), { key: this.#key(last), value, statement });
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
    keys: readonly (AST.TOMLBare | AST.TOMLQuoted)[],
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
        const written: AST.TOMLBare | AST.TOMLQuoted | undefined = keys[key++];
        below = at.parts.get(String(part))?.value;
        if (below === undefined && written !== undefined) {
          below = typeof path[i + 1] === 'number' ? openList([...here]) : openTable([...here]);
          at.parts.set(String(part), { key: this.#key(written), value: below, statement: undefined });
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
    this.#requireDepth(depth);
    const span = this.#span(node);
    if (node.type === 'TOMLArray') {
      const items = node.elements.map((element): Item => {
        const value = this.#value(element, depth + 1);
        return { value, start: value.start, end: value.end };
      });
      const trailingComma = this.#trailingComma(items.at(-1), span);
      return { kind: 'sequence', style: 'flow', items, trailingComma, properties: undefined, ...span };
    }
    if (node.type === 'TOMLInlineTable') return this.#inlineTable(node, span, depth);
    if (node.kind === 'string')
      return new TomlScalar(node.style === 'basic' ? 'double' : 'single', span, node.value, undefined);
    const source = this.#text.slice(span.start, span.end);
    const { kind } = node;
    if (kind === 'integer') return new TomlScalar('plain', span, source, { kind, integer: node.bigint });
    if (kind === 'float') return new TomlScalar('plain', span, source, { kind, number: node.value });
    if (kind === 'boolean') return new TomlScalar('plain', span, source, { kind, isTrue: node.value });
    return new TomlScalar('plain', span, source, { kind });
  }

  #inlineTable(node: AST.TOMLInlineTable, span: Span, depth: number): MappingNode {
    const table: OpenInline = { entries: [], below: new Map() };
    for (const { key, value, range } of node.body) {
      const colon = this.#text.indexOf('=', this.#span(key).end);
      const end = range[1] + this.#shift;
      const last = { value: this.#value(value, depth + key.keys.length), colon, end };
      this.#addInline(table, key.keys, last);
    }
    const entries = closeInline(table);
    const trailingComma = this.#trailingComma(entries.at(-1), span);
    return { kind: 'mapping', style: 'flow', entries, trailingComma, properties: undefined, ...span };
  }

  /** A dotted key within braces is a mapping without any of its own. */
  #addInline(table: OpenInline, keys: AST.TOMLKey['keys'], { value, colon, end }: InlineValue): void {
    let at = table;
    for (const [i, key] of keys.entries()) {
      const name = nameOf(key);
      const shared = { key: this.#key(key), name, explicitKey: undefined, start: this.#span(key).start, end };
      if (i === keys.length - 1) {
        at.entries.push({ ...shared, value, colon });
        return;
      }
      const there = at.below.get(name) ?? { entries: [], below: new Map<string, OpenInline>() };
      // Its value is made when all of it is known.
      if (!at.below.has(name)) at.entries.push({ ...shared, value: shared.key, colon: undefined });
      at.below.set(name, there);
      at = there;
    }
  }

  #key(key: AST.TOMLBare | AST.TOMLQuoted): TomlScalar {
    const style = key.type === 'TOMLBare' ? 'plain' : key.style === 'basic' ? 'double' : 'single';
    return new TomlScalar(style, this.#span(key), nameOf(key), undefined);
  }

  #trailingComma(last: Span | undefined, { end }: Span): number | undefined {
    if (last === undefined) return undefined;
    const rest = this.#text
      .slice(last.end, end - 1)
      .replaceAll(/#.*/g, (comment) => ' '.repeat(comment.length));
    const comma = rest.indexOf(',');
    return comma === -1 ? undefined : last.end + comma;
  }

  #span({ range: [start, end] }: { readonly range: readonly [number, number] }): Span {
    return { start: start + this.#shift, end: end + this.#shift };
  }

  #requireDepth(depth: number): void {
    requireAtMost(this.#limits.depth, depth, 'nesting', 'levels');
  }
}

/** A table in braces, or one that dotted keys in it make. */
interface OpenInline {
  readonly entries: MutableEntry[];
  readonly below: Map<string, OpenInline>;
}

interface InlineValue {
  readonly value: SpanNode;
  readonly colon: number;
  readonly end: number;
}

function closeInline({ entries, below }: OpenInline): readonly Entry[] {
  for (const entry of entries) {
    const open = below.get(entry.name ?? '');
    if (open === undefined || entry.colon !== undefined) continue;
    const inner = closeInline(open);
    const [first, last] = [inner[0] ?? entry, inner.at(-1) ?? entry];
    const span = { start: first.start, end: last.end };
    const shared = { trailingComma: undefined, properties: undefined, ...span };
    Object.assign(entry, {
      value: { kind: 'mapping', style: 'pair', entries: inner, ...shared } satisfies MappingNode,
      end: last.end,
    });
  }
  return entries;
}

type MutableEntry = { -readonly [Field in keyof Entry]: Entry[Field] };

function openTable(path: TablePath): OpenTable {
  return { kind: 'table', path, own: [], parts: new Map(), header: undefined };
}

function openList(path: TablePath): OpenList {
  return { kind: 'list', path, own: [], items: [] };
}

function nameOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
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
