// Writes a value as lines of a table. A value given as lines is kept, below headers with its whole path; one given as data gets
// lines of its own, with a section for each table in it.
import { splice } from '../../../security/index.ts';
import { lineEnd } from '../../tree/lines.ts';
import {
  type Entry,
  isSectional,
  type MappingNode,
  partsOf,
  type SequenceNode,
  type SpanNode,
  walk,
} from '../../tree/span-tree.ts';
import { definitionOf } from './statements.ts';
import { textInOneLine } from './write-toml.ts';

/** Sections one below the other, each of whole lines. */
export interface TableLines {
  /** The lines of the table itself, below its header. */
  readonly own: readonly string[];
  /** The lines of the tables in it, with their headers. */
  readonly below: readonly (readonly string[])[];
}

type Given = { readonly text: string; readonly node: SpanNode };

/** Writes the table; `keys` are those of its path, as they are written. */
export function tableLines({ text, node }: Given, keys: readonly string[]): TableLines {
  if (node.kind !== 'mapping') throw new Error('only a mapping is a table');
  return isSectional(node) ? asGiven(text, node, keys) : spread(text, node, keys);
}

/** Keeps the given lines, with the path before each header. */
function asGiven(text: string, node: MappingNode, keys: readonly string[]): TableLines {
  const { all } = definitionOf(node);
  const headers = all.filter(({ kind }) => kind !== 'entry');
  let at = 0;
  const pieces: string[] = [];
  for (const { keys: written } of headers) {
    const start = written[0]?.start ?? 0;
    pieces.push(text.slice(at, start), keys.map((key) => `${key}.`).join(''));
    at = start;
  }
  pieces.push(text.slice(at));
  const lines = pieces.join('').trimEnd().split('\n');
  const first = headers[0];
  // Comments directly above the first header belong to it.
  const lineOfHeader = first === undefined ? lines.length : text.slice(0, first.start).split('\n').length - 1;
  let top = lineOfHeader;
  while (top > 0 && (lines[top - 1] ?? '').trimStart().startsWith('#')) top -= 1;
  const own = lines.slice(0, top);
  while (own.at(-1)?.trim() === '') own.pop();
  const below = lines.slice(top);
  return { own, below: below.length === 0 ? [] : [below] };
}

/** Writes each scalar and list on a line of its own, and each table in a section of its own. */
function spread(text: string, node: MappingNode, keys: readonly string[]): TableLines {
  const own: string[] = [];
  const below: string[][] = [];
  for (const entry of node.entries) {
    const name = text.slice(entry.key.start, entry.key.end);
    const path = [...keys, name];
    if (isTable(entry.value) && !staysInline(entry, keys)) {
      below.push(...sectionLines({ text, node: entry.value }, path, false));
    } else if (isListOfTables(entry.value)) below.push(...listLines(text, entry.value, path));
    else own.push(`${name} = ${text.slice(entry.value.start, entry.value.end)}`);
  }
  return { own, below };
}

/** Writes a table with its header, which may be left out where it would stand above nothing but headers. */
export function sectionLines(
  given: Given,
  keys: readonly string[],
  isHeaderNeeded: boolean,
  behindHeader = '',
): string[][] {
  const { own, below } = tableLines(given, keys);
  const isHeaderOnly = own.length === 0 && below.length > 0 && !isHeaderNeeded;
  const all = below.map((lines) => [...lines]);
  return isHeaderOnly ? all : [[withComment(header(keys, false), behindHeader), ...own], ...all];
}

/** Writes a list of tables as an array of tables. */
export function listLines(text: string, { items }: SequenceNode, keys: readonly string[]): string[][] {
  return items.flatMap(({ value }) => itemLines({ text, node: value }, keys));
}

/** Writes one table of an array, with its header and the comment after that. */
export function itemLines(given: Given, keys: readonly string[], behindHeader = ''): string[][] {
  const { own, below } = tableLines(given, keys);
  return [[withComment(header(keys, true), behindHeader), ...own], ...below.map((lines) => [...lines])];
}

export function header(keys: readonly string[], isItem: boolean): string {
  return isItem ? `[[${keys.join('.')}]]` : `[${keys.join('.')}]`;
}

export function withComment(line: string, comment: string): string {
  return comment === '' ? line : `${line} ${comment}`;
}

function isTable(node: SpanNode): node is MappingNode {
  return node.kind === 'mapping' && node.entries.length > 0;
}

/** Tables of dependencies usually have one line for each. */
function staysInline({ value }: Entry, keys: readonly string[]): boolean {
  const isSmall = value.kind === 'mapping' && value.entries.every((entry) => !isTable(entry.value));
  return isSmall && isOfLines(keys);
}

/** True if the tables in this one are usually short, whatever is beside them. */
export function isOfLines(keys: readonly string[]): boolean {
  return /dependencies['"]?$/.test(keys.at(-1) ?? '');
}

export function isListOfTables(node: SpanNode): node is SequenceNode {
  return node.kind === 'sequence' && node.items.length > 0 && node.items.every(({ value }) => isTable(value));
}

/** Writes a table's lines as braces with the same data, and each text on one line. Comments are left out. */
export function inlineText(text: string, node: SpanNode): string {
  if (!isSectional(node)) return withTextsInOneLine(text, node);
  if (partsOf(node).length === 0) return node.kind === 'mapping' ? '{}' : '[]';
  if (node.kind === 'sequence')
    return `[${node.items.map(({ value }) => inlineText(text, value)).join(', ')}]`;
  const parts = node.entries.map(
    ({ key, value }) => `${text.slice(key.start, key.end)} = ${inlineText(text, value)}`,
  );
  return `{ ${parts.join(', ')} }`;
}

/** Writes each text on one line: its lines would be indented with those of the brackets around it. */
function withTextsInOneLine(text: string, node: SpanNode): string {
  const source = text.slice(node.start, node.end);
  if (!/"""|'{3}/.test(source)) return source;
  const edits = [...walk(node)].flatMap((one) =>
    one.kind === 'scalar' && /^(?:"""|'{3})/.test(text.slice(one.start, one.start + 3))
      ? [{ start: one.start - node.start, end: one.end - node.start, insert: textInOneLine(one.value) }]
      : [],
  );
  return splice(source, edits);
}

/** Returns a table as a text of its own: without its header, and without the keys that lead to it. */
export function relativeText(text: string, node: SpanNode): string {
  if (!isSectional(node)) return text.slice(node.start, node.end);
  if (node.kind === 'sequence') return inlineText(text, node);
  const { path, own } = definitionOf(node);
  const depth = path.length;
  const gone: { start: number; end: number }[] = [];
  for (const { kind, keys, start, end, path: full } of own) {
    if (kind !== 'entry' && full.length === depth) {
      const stop = lineEnd(text, end);
      gone.push({ start, end: Math.min(stop + 1, text.length) });
      continue;
    }
    const first = keys.find((key) => key.depth >= depth);
    const [top] = keys;
    if (top !== undefined && first !== undefined && first.start > top.start)
      gone.push({ start: top.start, end: first.start });
  }
  const pieces = (node.pieces ?? []).map((piece) => {
    let at = piece.start;
    let kept = '';
    for (const { start, end } of gone.filter((one) => one.start >= piece.start && one.start < piece.end)) {
      kept += text.slice(at, start);
      at = Math.min(end, Math.max(piece.end, at));
    }
    // The comment behind its last line goes with it.
    const rest = text.slice(piece.end, lineEnd(text, piece.end));
    const comment = at <= piece.end && /^[ \t]+#/.test(rest) && at !== piece.end ? rest : '';
    return kept + text.slice(at, piece.end) + comment;
  });
  const lines = pieces
    .filter((piece) => piece.trim() !== '')
    .join('\n\n')
    .replaceAll('\r\n', '\n');
  const [only] = node.entries;
  // A header alone, such as `["x"]`, could be read as a list.
  return only !== undefined && /^\[.*$/.test(lines.trim())
    ? `${text.slice(only.key.start, only.key.end)} = ${inlineText(text, only.value)}`
    : lines;
}
