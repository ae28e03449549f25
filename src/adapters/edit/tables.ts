// Tables of TOML: lines of keys below headers, anywhere in the file. Brackets are left to the other layouts.
import type { Edit } from '../../security/edits/edit.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { definitionOf, type Statement, type TablePath } from '../formats/toml/statements.ts';
import { trailingText } from '../tree/comments.ts';
import { columnOf, nextLine } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import {
  type Collection,
  isCollection,
  isFlowCollection,
  isSectional,
  partsOf,
  type Span,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { blankLines, insertLines } from '../tree/whole-lines.ts';
import {
  dottedOf,
  hasShortTables,
  header,
  indented,
  inline,
  isListOfTables,
  joined,
  partOfText,
  sectionsOf,
  withComment,
} from './sections.ts';
import type { Source } from './source.ts';
import { pathOf, runsOf, TomlLines } from './toml-lines.ts';

/** A new part of a table; `name` is its key as it is written, undefined for a table of an array. */
export interface TablePart {
  readonly name: string | undefined;
  readonly source: Source;
  readonly index: number;
  /** True if it goes directly after the part before. */
  readonly isClose: boolean;
}

/** Writes a new part of a table as a line, as dotted keys or as sections, like most of its neighbours. */
export function insertInTable(stream: Stream, { node, steps }: Located, part: TablePart): Edit[] {
  if (!isSectional(node)) throw new Error('only for what stands in sections');
  const file = new TomlLines(stream, node);
  const path = pathOf(steps);
  const above = file.keysTo(path);
  const { name, source } = part;
  if (name === undefined) requireTable(source);
  const form = name === undefined ? 'sections' : formOf(node, above, source);
  if (form === 'sections')
    return [
      insertSections(
        file,
        node,
        part,
        sectionsOf(source, [...above, ...(name === undefined ? [] : [name])], name === undefined),
        above.length,
      ),
    ];
  const dotted = form === 'dotted' ? dottedOf(source) : undefined;
  const keys = [name ?? '', ...(dotted?.keys ?? [])];
  const value = dotted?.value ?? lineValue(source);
  return [insertLine(file, path, { keys, value, comments: source.above }, lineBeside(file, node, part))];
}

function requireTable({ node }: Source): void {
  if (node.kind === 'mapping') return;
  throw new Refusal(
    'VALUE_INVALID',
    'Cannot use this value: an item of an array of tables is a table',
    {},
    { advice: ['Give a table: lines such as name = "x", or a mapping as "json"'] },
  );
}

function lineValue({ text, node, behind }: Source): string {
  return withComment(inline(text, node), behind);
}

type Form = 'line' | 'dotted' | 'sections';

function formOf(node: Collection, above: readonly string[], source: Source): Form {
  const { node: value, form } = source;
  if (form === 'dotted' && dottedOf(source) !== undefined) return 'dotted';
  if (isSectional(value)) return 'sections';
  if (form !== 'free' || !(value.kind === 'mapping' || isListOfTables(value))) return 'line';
  return usualForm(node, above, value);
}

/** The most keys of a table that is written on one line. */
const FEW = 3;

/** Returns the form of most tables in this one, or the usual one of its kind. */
function usualForm(node: Collection, above: readonly string[], value: SpanNode): Form {
  const parts = node.kind === 'mapping' ? node.entries : [];
  const count = (form: Form) => parts.filter((part) => formIn(part.value) === form).length;
  const [line, dotted, sections] = [count('line'), count('dotted'), count('sections')];
  if (line + dotted + sections > 0)
    return sections > Math.max(line, dotted) ? 'sections' : dotted > line ? 'dotted' : 'line';
  if (above.length === 0) return 'sections';
  if (hasShortTables(above)) return 'line';
  const isImplicit = !parts.some(({ colon }) => colon !== undefined);
  return isImplicit || !isShort(value) ? 'sections' : 'line';
}

function formIn(node: SpanNode): Form | undefined {
  if (isSectional(node))
    return definitionOf(node).own.some(({ kind }) => kind !== 'entry') ? 'sections' : 'dotted';
  return isFlowCollection(node) && node.kind === 'mapping' ? 'line' : undefined;
}

function isShort(value: SpanNode): boolean {
  if (value.kind !== 'mapping') return true;
  const [only, more] = value.entries;
  if (only?.value.kind === 'mapping' && more === undefined) return isShort(only.value);
  return (
    value.entries.length <= FEW &&
    value.entries.every((entry) => !isCollection(entry.value) || partsOf(entry.value).length === 0)
  );
}

function insertSections(
  file: TomlLines,
  node: Collection,
  { source, index }: TablePart,
  written: readonly (readonly string[])[],
  depth: number,
): Edit {
  const { own, path, all } = definitionOf(node);
  const [first = [], ...rest] = written;
  const keys = depth + Number(node.kind === 'mapping');
  const sibling = own.findLast(({ kind, path: one }) => kind !== 'entry' && one.length > path.length);
  const indent = sibling === undefined ? '' : file.indent(sibling);
  const sections = indented([[...source.above, ...first], ...rest], indent, file.levelIndent(keys));
  const gap = file.gap(keys);
  const next = partsOf(node)[index]?.value;
  const [before] = next !== undefined && isSectional(next) ? definitionOf(next).own : [];
  if (before !== undefined && before.kind !== 'entry')
    return insertLines(file.text, file.head(before), [...joined(sections, gap), ...blankLines(gap)]);
  const last = path.length === 0 ? all.at(-1) : own.at(-1);
  return sectionsAt(file, file.endOfSection(last), sections, gap);
}

/** Inserts sections with the usual number of blank lines above and below. */
function sectionsAt(
  file: TomlLines,
  at: number,
  sections: readonly (readonly string[])[],
  gap: number,
): Edit {
  const { text } = file;
  const isTop = text.slice(0, at).replace('\uFEFF', '').trim() === '';
  const there = text[at - 1] === '\n' || at === 0 ? file.blankLinesAbove(at) : 0;
  const isTight = at < text.length && !/^[ \t]*\r?\n/.test(text.slice(at, at + 200));
  const above = isTop ? 0 : Math.max(gap - there, 0);
  return insertLines(file.text, at, [
    ...blankLines(above),
    ...joined(sections, gap),
    ...blankLines(isTight ? gap : 0),
  ]);
}

/** A line next to which another one goes. */
interface BesideLine {
  readonly statement: Statement;
  readonly isBefore: boolean;
}

function lineBeside(
  file: TomlLines,
  node: Collection,
  { index, isClose }: TablePart,
): BesideLine | undefined {
  if (node.kind !== 'mapping' || index >= node.entries.length) return undefined;
  const neighbour = node.entries[isClose ? index - 1 : index];
  const statement = file.all.find(({ kind, start }) => kind === 'entry' && start === neighbour?.start);
  return statement && { statement, isBefore: !isClose };
}

interface NewLine {
  readonly keys: readonly string[];
  readonly value: string;
  readonly comments?: readonly string[];
}

/** Inserts a line into the section of the table at the path, which may have to be made. `gone` are statements that are removed. */
export function insertLine(
  file: TomlLines,
  path: TablePath,
  { keys, value, comments = [] }: NewLine,
  beside: BesideLine | undefined,
  gone: ReadonlySet<Statement> = new Set(),
): Edit {
  const own = file.all.filter((statement) => statement.isWithin(path) && !gone.has(statement));
  const head = own.find((one) => one.kind !== 'entry' && one.path.length === path.length);
  const lines = own.filter(({ kind, section }) => kind === 'entry' && section === (head?.index ?? -1));
  const dotted = own.findLast(({ kind, keys: [top] }) => kind === 'entry' && (top?.depth ?? 0) < path.length);
  const isRoot = path.length === 0;
  const near = beside?.statement ?? (isRoot || head !== undefined ? lines.at(-1) : dotted);
  if (near !== undefined) {
    const at = beside?.isBefore === true ? file.head(near) : nextLine(file.text, near.end);
    return insertLines(file.text, at, [
      ...comments.map((one) => file.indent(near) + one),
      signed(file, near, [...file.keysOf(near, path.length), ...keys].join('.'), value),
    ]);
  }
  const line = `${keys.join('.')} = ${value}`;
  if (head !== undefined)
    return insertLines(
      file.text,
      nextLine(file.text, head.end),
      [...comments, line].map((one) => file.indent(head) + one),
    );
  const [first] = own;
  if (first === undefined)
    return sectionsAt(file, file.text.length, [[...comments, line]], gone.size === 0 ? 1 : 0);
  const top = isRoot ? [] : [header(file.keysTo(path), false)];
  const gap = Math.max(file.gap(path.length + 1), 1);
  return insertLines(file.text, file.head(first), [...top, ...comments, line, ...blankLines(gap)]);
}

/** The number of lines on either side that are looked at for aligned signs. */
const BESIDE = 4;

/** Returns the line with its sign aligned with its neighbours', or without blanks if they have none. */
function signed(file: TomlLines, near: Statement, name: string, value: string): string {
  const { text } = file;
  const key = file.indent(near) + name;
  const others = file.all.filter(
    ({ kind, section, index }) =>
      kind === 'entry' && section === near.section && Math.abs(index - near.index) <= BESIDE,
  );
  const columns = new Set(others.map(({ equals = 0 }) => columnOf(text, equals)));
  const [column = 0] = columns;
  const isWide = others.some(({ equals = 0 }) => text.slice(equals - 2, equals) === '  ');
  if (columns.size === 1 && others.length > 1 && isWide && column > key.length)
    return `${key.padEnd(column)}= ${value}`;
  const isTight = others.every(
    ({ equals = 0 }) => !/\s/.test(text.charAt(equals - 1) + text.charAt(equals + 1)),
  );
  return isTight ? `${key}=${value}` : `${key} = ${value}`;
}

/** Returns a part of a table, or a table of an array, as a source with its comments. */
export function takenFromTable(stream: Stream, { node, steps }: Located): Source {
  const step = steps.at(-1);
  if (step === undefined) throw new Error('the root stays');
  const [first] = isSectional(node) ? definitionOf(node).own : [];
  const file = new TomlLines(stream, step.container);
  const statement = first ?? file.all.find(({ start }) => start === step.part.start);
  if (statement === undefined) throw new Error('a part of a table is a statement');
  const taken = partOfText(stream, node, file.commentStart(statement), statement.start);
  if (!isSectional(node)) return { ...taken, behind: trailingText(stream, node).trim() };
  return { ...taken, form: isDotted(node) ? 'dotted' : undefined };
}

/** True for a table that consecutive dotted keys make. */
export function isDotted(node: Collection & { readonly style: 'sections' }): boolean {
  const { own } = definitionOf(node);
  return own.every(({ kind }) => kind === 'entry') && runsOf(own).length === 1;
}

/** Returns every span where the key of a part is written. */
export function keyPlaces({ steps }: Located): readonly Span[] {
  const step = steps.at(-1);
  const path = pathOf(steps);
  return step === undefined
    ? []
    : definitionOf(step.container)
        .own.filter((one) => one.isWithin(path))
        .flatMap(({ keys }) => keys.filter(({ depth }) => depth === path.length - 1));
}

/** Returns where a table is commented: at its header or its dotted keys; undefined if it has neither. */
export function placeOfTable({ node, steps }: Located): Span | undefined {
  if (!isSectional(node)) return undefined;
  return node.header ?? (steps.length > 0 && isDotted(node) ? node.pieces?.[0] : undefined);
}
