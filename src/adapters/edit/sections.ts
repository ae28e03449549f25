// Writes a table of TOML as text: as lines below headers, as dotted keys, or on one line.
import { type Edit, splice } from '../../security/edits/edit.ts';
import { definitionOf, type TablePath } from '../formats/toml/statements.ts';
import { textInOneLine } from '../formats/toml/write-toml.ts';
import type { Commented } from '../tree/comments.ts';
import { lineEnd, lineStart } from '../tree/lines.ts';
import {
  type Entry,
  isSectional,
  type MappingNode,
  partsOf,
  type SequenceNode,
  type SpanNode,
  walk,
} from '../tree/span-tree.ts';
import { blankLines } from '../tree/whole-lines.ts';
import { parseSource, type Source, type Target } from './source.ts';
import { endsOf, runsOf, TomlLines } from './toml-lines.ts';

export function header(keys: readonly string[], isItem: boolean): string {
  return isItem ? `[[${keys.join('.')}]]` : `[${keys.join('.')}]`;
}

/** Returns the table as sections below these keys, each a list of lines: its own first, then those of the tables in it. */
export function sectionsOf(source: Source, keys: readonly string[], isItem: boolean): string[][] {
  const { node } = source;
  if (isSectional(node)) return [rebased(source, keys, isItem || node.kind === 'sequence')];
  if (node.kind === 'sequence')
    return node.items.flatMap(({ value }) => sectionsOf({ ...source, node: value }, keys, true));
  if (node.kind !== 'mapping') return [];
  const { own, below } = spread(source, node, keys);
  if (own.length === 0 && below.length > 0 && !isItem) return below;
  const [line, more] = own;
  const lines = line !== undefined && more === undefined ? [withComment(line, source.behind)] : own;
  return [[header(keys, isItem), ...lines], ...below];
}

/** Returns each scalar and list as a line, and each table as a section. */
function spread(source: Source, { entries }: MappingNode, keys: readonly string[]) {
  const { text } = source;
  const own: string[] = [];
  const below: string[][] = [];
  for (const entry of entries) {
    const name = text.slice(entry.key.start, entry.key.end);
    const { value: node } = entry;
    if ((isFilledTable(node) && !staysInline(entry, keys)) || isListOfTables(node))
      below.push(...sectionsOf({ ...source, node, behind: '' }, [...keys, name], false));
    else own.push(`${name} = ${inline(text, node)}`);
  }
  return { own, below };
}

function isFilledTable(node: SpanNode): boolean {
  return node.kind === 'mapping' && node.entries.length > 0;
}

export function isListOfTables(node: SpanNode): node is SequenceNode {
  return (
    node.kind === 'sequence' && node.items.length > 0 && node.items.every(({ value }) => isFilledTable(value))
  );
}

function staysInline({ value }: Entry, keys: readonly string[]): boolean {
  return hasShortTables(keys) && partsOfTable(value).every((entry) => !isFilledTable(entry.value));
}

function partsOfTable(node: SpanNode): readonly Entry[] {
  return node.kind === 'mapping' ? node.entries : [];
}

/** True if the tables in this one are usually written on one line each, as dependencies are. */
export function hasShortTables(keys: readonly string[]): boolean {
  return /dependencies['"]?$/.test(keys.at(-1) ?? '');
}

/** Returns the statements of a table with other keys in front, and all comments between them. */
function rebased(source: Source, keys: readonly string[], isItem: boolean): string[] {
  const { text, node } = source;
  const { own, path } = definitionOf(node);
  const edits = own.flatMap((statement): Edit[] => {
    const [top] = statement.keys;
    const rest = statement.keys.filter(({ depth }) => depth >= path.length);
    const [first, last] = [rest[0], rest.at(-1)];
    if (statement.kind === 'entry')
      return top !== undefined && first !== undefined && first !== top
        ? [{ start: top.start, end: first.start, insert: '' }]
        : [];
    const inner = first === undefined || last === undefined ? [] : [text.slice(first.start, last.end)];
    const isArray = first === undefined ? isItem : statement.kind === 'item';
    return [{ start: statement.start, end: statement.end, insert: header([...keys, ...inner], isArray) }];
  });
  const texts = piecesOf(source).map(({ start, end }) => {
    const inside = edits.filter((edit) => edit.start >= start && edit.end <= end);
    return splice(
      text.slice(start, end),
      inside.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
    );
  });
  const lines = dedented(texts.map((one) => one.trimEnd()).join('\n\n'));
  const isHeaded =
    own[0]?.kind !== 'entry' &&
    (!isItem || own[0]?.path.length === path.length + Number(node.kind === 'sequence'));
  return isHeaded && own.length > 0 ? lines : [header(keys, isItem), ...lines];
}

/** Returns the runs of lines that define the node; all but the first with the comments above them. */
function piecesOf({ text, node, comments }: Source) {
  const { own, path } = definitionOf(node);
  if (path.length === 0) return [{ start: 0, end: text.length }];
  const file = new TomlLines({ text, comments }, node);
  return runsOf(own).map((run, index) => {
    const [first, last] = endsOf(run);
    const start = index === 0 ? lineStart(text, first.start) : file.commentStart(first);
    return { start, end: lineEnd(text, last.end) };
  });
}

/** Removes the indentation of the first line from all lines, unless they may be within a multi-line string. */
function dedented(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const indent = /^[ \t]*/.exec(lines[0] ?? '')?.[0] ?? '';
  if (indent === '' || MULTI_LINE.test(text)) return lines;
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()));
}

const MULTI_LINE = /"""|'''/;

/** Indents sections like those around them, and the keys below headers by `step` unless they are indented already. */
export function indented(
  sections: readonly (readonly string[])[],
  indent: string,
  step: string,
): readonly string[][] {
  return sections.map((section) => {
    const top = section.findIndex((line) => line.startsWith('['));
    const below = section.slice(top + 1);
    if (section.some((line) => MULTI_LINE.test(line))) return [...section];
    const isGiven = below.some((line, at) => /^\s*\[/.test(line) || (at === 0 && /^\s/.test(line)));
    const inner = indent + (isGiven ? '' : step);
    return section.map((line, index) => (line === '' ? '' : (index > top ? inner : indent) + line));
  });
}

export function joined(sections: readonly (readonly string[])[], gap: number): string[] {
  return sections.flatMap((lines, index) => (index === 0 ? lines : [...blankLines(gap), ...lines]));
}

export function withComment(line: string, comment: string): string {
  return comment === '' ? line : `${line} ${comment}`;
}

/** Returns the value on one line, without comments. */
export function inline(text: string, node: SpanNode): string {
  if (!isSectional(node)) return text.slice(node.start, node.end);
  if (partsOf(node).length === 0) return node.kind === 'mapping' ? '{}' : '[]';
  if (node.kind === 'sequence')
    return `[${node.items.map(({ value }) => withinBrackets(text, value)).join(', ')}]`;
  const parts = node.entries.map(
    ({ key, value }) => `${text.slice(key.start, key.end)} = ${withinBrackets(text, value)}`,
  );
  return `{ ${parts.join(', ')} }`;
}

/** Returns the value for a place in brackets, with each string on one line, because the lines may be indented. */
export function withinBrackets(text: string, node: SpanNode): string {
  if (isSectional(node)) return inline(text, node);
  const source = text.slice(node.start, node.end);
  if (!MULTI_LINE.test(source)) return source;
  const texts = [...walk(node)].filter(
    (one) => one.kind === 'scalar' && MULTI_LINE.test(text.slice(one.start, one.start + 3)),
  );
  return splice(
    source,
    texts.map((one) => ({
      start: one.start - node.start,
      end: one.end - node.start,
      insert: textInOneLine(one.kind === 'scalar' ? one.value : ''),
    })),
  );
}

/** Returns the dotted keys through tables of one key each, and the value that they lead to with its comment; undefined if there are none. */
export function dottedOf({ text, node, behind }: Source): { keys: string[]; value: string } | undefined {
  const keys: string[] = [];
  let at = node;
  for (
    let [only, more] = partsOfTable(at);
    only !== undefined && more === undefined;
    [only, more] = partsOfTable(at)
  ) {
    keys.push(text.slice(only.key.start, only.key.end));
    at = only.value;
  }
  if (keys.length === 0 || at.kind === 'mapping' || isSectional(at)) return undefined;
  const comment = isSectional(node)
    ? /^[ \t]+#.*/.exec(text.slice(at.end, lineEnd(text, at.end)))?.[0].trim()
    : behind;
  return { keys, value: withComment(text.slice(at.start, at.end), comment ?? '') };
}

/** Returns a table, or a value of one, as it is written in a text, with its comments. */
export function partOfText(commented: Commented, node: SpanNode, head: number, start: number): Source {
  const { text, comments } = commented;
  const line = lineStart(text, start);
  const above = head < line ? text.slice(head, line).split('\n') : [];
  return {
    text,
    node,
    comments,
    above: above.map((one) => one.trim()).filter((one) => one !== ''),
    behind: '',
  };
}

/** Returns the value for a path. If a table was sent with the header that it has in the file, the table below that is meant. */
export function belowOwnHeader(source: Source, path: TablePath): Source {
  const node = path.reduce<SpanNode | undefined>(
    (table, part) => table && onlyTable(table, part),
    source.node,
  );
  return node === undefined ? source : { ...source, node };
}

/** Returns the only part of a table, if it is a table with this name. */
function onlyTable(node: SpanNode, name: string | number): SpanNode | undefined {
  const [only, second] = isSectional(node) ? partsOf(node) : [];
  if (only === undefined || second !== undefined || !isSectional(only.value)) return undefined;
  const isNamed = 'key' in only ? only.name === name : typeof name === 'number';
  return isNamed ? only.value : undefined;
}

/** Nests the value below keys, or as the only item of a list there. */
export function nestedTable(
  target: Target,
  source: Source,
  keys: readonly string[],
  isItem: boolean,
): Source {
  const { text, node, above, behind, given } = source;
  if (isSectional(node)) {
    const lines = joined(sectionsOf(source, ['_', ...keys], isItem), 1);
    const parsed = parseSource(lines.join('\n'), target);
    const [only] = parsed.node.kind === 'mapping' ? parsed.node.entries : [];
    return { ...parsed, node: only?.value ?? parsed.node, above };
  }
  const item = isItem ? `[${withinBrackets(text, node)}]` : withinBrackets(text, node);
  const braces = keys.reduceRight((inner, key) => `{ ${key} = ${inner} }`, item);
  return { ...parseSource(braces, target), above, behind, given, form: 'free' };
}
