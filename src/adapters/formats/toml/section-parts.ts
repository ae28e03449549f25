// Places new parts of tables: a line goes after the last key of the table's own section, a table below the last one of its
// family, and an item of an array below the last.
import { type Edit, Refusal } from '../../../security/index.ts';
import { columnOf, lineEnd, nextLine } from '../../tree/lines.ts';
import type { Located } from '../../tree/locate.ts';
import type { SectionPart, SectionValue } from '../../tree/sections.ts';
import { type Collection, isSectional, partsOf, type Stream } from '../../tree/span-tree.ts';
import { blankLines, insertLines } from '../../tree/whole-lines.ts';
import { styleOf } from './part-style.ts';
import { isWithin, pathOf, SectionFile } from './section-lines.ts';
import { definitionOf, type Statement, type TablePath } from './statements.ts';
import {
  header,
  inlineText,
  isListOfTables,
  itemLines,
  listLines,
  sectionLines,
  withComment,
} from './table-lines.ts';

export function insertPart(stream: Stream, { node, steps }: Located, part: SectionPart): readonly Edit[] {
  if (!isSectional(node)) throw new Error('only for what stands in sections');
  const file = new SectionFile(stream, node);
  const path = pathOf(steps);
  const keys = file.keySources(path);
  if (node.kind === 'sequence') {
    requireTable(part);
    return [insertSection(file, node, path, keys, part)];
  }
  const [name, ...inner] = part.keys;
  if (name === undefined) throw new Error('a new part of a table has a key');
  const [only, more] = part.isDotted && part.node.kind === 'mapping' ? part.node.entries : [];
  if (only !== undefined && more === undefined && !isSectional(only.value)) {
    const { key, value } = only;
    const line = part.text.slice(value.start, lineEnd(part.text, value.end));
    const names = [...part.keys, part.text.slice(key.start, key.end)];
    return [insertLine(file, path, names, line, placeBeside(file, node, part), part.comments)];
  }
  const style = styleOf(node, path.length, keys, part);
  if (style === 'section') return [insertSection(file, node, path, keys, part)];
  if (inner.length === 0 || style === 'dotted')
    return [insertLine(file, path, part.keys, lineOf(part), placeBeside(file, node, part), part.comments)];
  const value = inlineText(part.text, part.node);
  const braces = inner.reduceRight((text, key) => `{ ${key} = ${text} }`, part.isItem ? `[${value}]` : value);
  const line = withComment(braces, part.trailingComment);
  return [insertLine(file, path, [name], line, placeBeside(file, node, part), part.comments)];
}

/** Returns the value on one line behind its `=`. */
export function lineValue({ text, node, trailingComment }: SectionValue): string {
  const value = isSectional(node) ? inlineText(text, node) : text.slice(node.start, node.end);
  return withComment(value, trailingComment);
}

function insertSection(
  file: SectionFile,
  node: Collection,
  path: TablePath,
  above: readonly string[],
  part: SectionPart,
): Edit {
  const keys = [...above, ...part.keys];
  const [first = [], ...rest] = sectionsOf(part, keys);
  const indent = indentOfSections(file, node, path.length);
  const sections = [[...part.comments, ...first], ...rest].map((section) =>
    file.inPlace(section, indent, keys.length),
  );
  const next = sectionAt(node, part);
  const gap = file.gap(keys.length);
  return next === undefined
    ? appendSections(file, node, sections, gap)
    : putSections(file, next, sections, gap);
}

function sectionsOf(part: SectionPart, keys: readonly string[]): string[][] {
  const { node, text, isTyped, isItem } = part;
  const isTable = isSectional(node) || (isTyped && node.kind === 'mapping');
  if (isItem && (isTable || part.keys.length === 0)) return itemLines(part, keys, part.behindHeader);
  if (isListOfTables(node) && isTyped && !isItem) return listLines(text, node, keys);
  if (!isTable) return [[header(keys.slice(0, -1), false), `${keys.at(-1) ?? ''} = ${lineOf(part)}`]];
  return sectionLines(part, keys, part.behindHeader !== '', part.behindHeader);
}

/** Returns the value as one line, in the brackets of a new list where it is an item. */
function lineOf(part: SectionPart): string {
  if (!part.isItem) return lineValue(part);
  return withComment(`[${inlineText(part.text, part.node)}]`, part.trailingComment);
}

/** Returns the indentation of the headers of the tables in this one. */
function indentOfSections(file: SectionFile, node: Collection, depth: number): string {
  const { own } = definitionOf(node);
  const sibling = own.findLast(({ kind, path }) => kind !== 'entry' && path.length > depth);
  return sibling === undefined ? '' : file.indent(sibling);
}

/** Puts sections below the last section that is about the node. */
function appendSections(
  file: SectionFile,
  node: Collection,
  sections: readonly (readonly string[])[],
  gap: number,
): Edit {
  const { own, path, all } = definitionOf(node);
  const last = path.length === 0 ? all.at(-1) : own.at(-1);
  const at = file.endOfSection(last === undefined ? undefined : file.lastOfSection(last));
  return sectionsAt(file, at, sections, gap);
}

/** Puts sections before the section that this statement begins. */
function putSections(
  file: SectionFile,
  next: Statement,
  sections: readonly (readonly string[])[],
  gap: number,
): Edit {
  return insertLines(file.text, file.head(next), [...joined(sections, gap), ...blankLines(gap)]);
}

/** Puts sections after another one, separated from it and the next one as is usual here. */
function sectionsAt(
  file: SectionFile,
  at: number,
  sections: readonly (readonly string[])[],
  usual: number,
): Edit {
  const { text } = file;
  const isTop = text.slice(0, at).trim().replace('\uFEFF', '') === '';
  const there = text[at - 1] === '\n' || at === 0 ? file.blankLinesAbove(at) : 0;
  const gap = isTop ? [] : blankLines(Math.max(usual - there, 0));
  const isTight = at < text.length && !/^[ \t]*\r?\n/.test(text.slice(at, at + 200));
  return insertLines(file.text, at, [
    ...gap,
    ...joined(sections, usual),
    ...(isTight ? blankLines(usual) : []),
  ]);
}

export function joined(sections: readonly (readonly string[])[], gap: number): string[] {
  return sections.flatMap((lines, i) => (i === 0 ? lines : [...blankLines(gap), ...lines]));
}

/** Returns the header of the section that stands where the new one goes; undefined if there is none. */
function sectionAt(node: Collection, { index }: SectionPart): Statement | undefined {
  const next = partsOf(node)[index]?.value;
  if (next === undefined || !isSectional(next)) return undefined;
  const [first] = definitionOf(next).own;
  return first?.kind === 'entry' ? undefined : first;
}

export function requireTable({ node }: SectionValue): void {
  if (node.kind === 'mapping') return;
  throw new Refusal(
    'VALUE_INVALID',
    'Cannot use this value: an item of an array of tables is a table',
    {},
    { advice: ['Give a table: lines such as name = "x", or a mapping as "json"'] },
  );
}

/** A line beside which a new one goes. */
export interface BesideLine {
  readonly statement: Statement;
  readonly isBefore: boolean;
}

function placeBeside(
  file: SectionFile,
  node: Collection,
  { index, isClose }: SectionPart,
): BesideLine | undefined {
  if (node.kind !== 'mapping' || index >= node.entries.length) return undefined;
  const neighbour = isClose ? node.entries[index - 1] : node.entries[index];
  const statement = file.all.find(({ kind, start }) => kind === 'entry' && start === neighbour?.start);
  return statement === undefined ? undefined : { statement, isBefore: !isClose };
}

/**
 * Inserts `key = value` in the section of the table at the path, which may not exist yet. Several `keys` make a dotted key;
 * `gone` holds statements that are removed.
 */
export function insertLine(
  file: SectionFile,
  path: TablePath,
  keys: readonly string[],
  value: string,
  beside: BesideLine | undefined,
  comments: readonly string[] = [],
  gone: ReadonlySet<Statement> = new Set(),
): Edit {
  const own = file.all.filter((statement) => isWithin(statement, path) && !gone.has(statement));
  const head = own.find((one) => one.kind !== 'entry' && one.path.length === path.length);
  const lines = own.filter(({ kind, section }) => kind === 'entry' && section === (head?.index ?? -1));
  const dotted = own.findLast(
    ({ kind, keys: written }) => kind === 'entry' && (written[0]?.depth ?? 0) < path.length,
  );
  const isRoot = path.length === 0;
  const neighbour = beside?.statement ?? (isRoot || head !== undefined ? lines.at(-1) : dotted);
  if (neighbour !== undefined) {
    const lead = neighbour.keys.flatMap(({ start, end, depth }) =>
      depth < path.length ? [file.text.slice(start, end)] : [],
    );
    const line = styled(file, neighbour, [...lead, ...keys], value);
    const indent = file.indent(neighbour);
    const at = beside?.isBefore ? file.head(neighbour) : nextLine(file.text, neighbour.end);
    return insertLines(file.text, at, [...comments.map((one) => indent + one), line]);
  }
  const line = `${keys.join('.')} = ${value}`;
  if (head !== undefined) {
    const indent = file.indent(head);
    return insertLines(
      file.text,
      nextLine(file.text, head.end),
      [...comments, line].map((one) => indent + one),
    );
  }
  const [first] = own;
  if (first === undefined)
    return sectionsAt(file, file.text.length, [[...comments, line]], gone.size === 0 ? 1 : 0);
  const top = isRoot ? [] : [header(file.keySources(path), false)];
  return insertLines(file.text, file.head(first), [
    ...top,
    ...comments,
    line,
    ...blankLines(Math.max(file.gap(path.length + 1), 1)),
  ]);
}

/** The number of lines on either side that show whether the equals signs are aligned. */
const BESIDE = 4;

/** Writes the line with its `=` in the column of its neighbours, or as tight as they are. For YAML see `gapToColumn`. */
function styled(file: SectionFile, neighbour: Statement, keys: readonly string[], value: string): string {
  const { text } = file;
  const key = file.indent(neighbour) + keys.join('.');
  const others = file.all.filter(
    ({ kind, section, index }) =>
      kind === 'entry' && section === neighbour.section && Math.abs(index - neighbour.index) <= BESIDE,
  );
  const columns = others.map(({ equals = 0 }) => columnOf(text, equals));
  const isShared = new Set(columns).size === 1 && columns.length > 1;
  const isWide = others.some(({ equals = 0 }) => text.slice(equals - 2, equals) === '  ');
  const room = (columns[0] ?? 0) - key.length;
  if (isShared && isWide && room > 0) return `${key}${' '.repeat(room)}= ${value}`;
  const isTight = others.every(
    ({ equals = 0 }) => !/\s/.test(text.charAt(equals - 1) + text.charAt(equals + 1)),
  );
  return isTight ? `${key}=${value}` : `${key} = ${value}`;
}
