// Replaces the value of a node in sections, or of a line of one: in place where it is a line, below its own header where it is
// a table.
import type { Edit } from '../../../security/index.ts';
import { breakAt, lineEnd } from '../../tree/lines.ts';
import type { Located } from '../../tree/locate.ts';
import type { SectionValue } from '../../tree/sections.ts';
import { type Collection, isSectional, type SpanNode, type Stream } from '../../tree/span-tree.ts';
import { joinLines } from '../../tree/whole-lines.ts';
import { pathOf, SectionFile } from './section-lines.ts';
import { joined, lineValue, requireTable } from './section-parts.ts';
import { endsOf, lineInstead, removeStatements, replaced, runsOf } from './section-removal.ts';
import { definitionOf, type Statement } from './statements.ts';
import { isListOfTables, itemLines, listLines, sectionLines, tableLines } from './table-lines.ts';

export function replacePart(stream: Stream, { node, steps }: Located, value: SectionValue): readonly Edit[] {
  if (!isSectional(node)) return [inPlace(stream, node, value)];
  const file = new SectionFile(stream, node);
  const { own, path } = definitionOf(node);
  if (path.length === 0) return [wholeFile(file, node, value)];
  const runs = runsOf(own);
  const isDotted = own.every(({ kind }) => kind === 'entry') && runs.length === 1;
  if (isDotted) return [dottedLines(file, runs[0] ?? [], path.length, value)];
  // After a header, the lines that follow would belong to another table.
  const sections = own[0]?.kind === 'entry' ? undefined : sectionsOf(file, node, steps, value);
  if (sections === undefined) return lineInstead(file, own, path, lineValue(value));
  const [first = [], ...rest] = runs;
  const removed = rest.flatMap((run) => removeStatements(file, run, []));
  return [sectionsInPlace(file, first, sections), ...removed];
}

/** The lines that stand there afterwards; undefined for a value that is one line. */
function sectionsOf(
  file: SectionFile,
  node: Collection,
  steps: Located['steps'],
  value: SectionValue,
): readonly (readonly string[])[] | undefined {
  const keys = file.keySources(pathOf(steps));
  const isLine = !isSectional(value.node) && !value.isTyped;
  if (steps.at(-1)?.kind === 'item') {
    requireTable(value);
    return itemLines(value, keys);
  }
  if (node.kind === 'sequence')
    return isLine || !isListOfTables(value.node) ? undefined : listLines(value.text, value.node, keys);
  if (isLine || value.node.kind !== 'mapping') return undefined;
  return sectionLines(value, keys, node.header !== undefined);
}

/** A header that stays keeps its line. */
function sectionsInPlace(
  file: SectionFile,
  run: readonly Statement[],
  sections: readonly (readonly string[])[],
): Edit {
  const { text } = file;
  const [first, last] = endsOf(run);
  const lines = joined(sections, file.gap(first.keys.length));
  const lineBreak = breakAt(text, first.start);
  const end = lineEnd(text, last.end);
  const isSame = lines[0] === text.slice(first.start, first.end);
  const [start, kept] = isSame ? [lineEnd(text, first.end), lines.slice(1)] : [first.start, lines];
  const insert = joinLines(kept, lineBreak);
  const lead = isSame && kept.length > 0 ? lineBreak : '';
  return { start, end: Math.max(end, start), insert: lead + insert };
}

/** Rewrites `a.b = 1`, which becomes `a = 2` or other lines of the same kind. */
function dottedLines(file: SectionFile, run: readonly Statement[], depth: number, value: SectionValue): Edit {
  const [first] = endsOf(run);
  const keys = first.keys
    .filter((key) => key.depth < depth)
    .map(({ start, end }) => file.text.slice(start, end));
  const name = keys.join('.');
  const { node, text, isTyped } = value;
  const isFlat =
    node.kind === 'mapping' &&
    node.entries.length > 0 &&
    node.entries.every((entry) => entry.value.kind === 'scalar');
  if (!(isTyped && isFlat)) return replaced(run, `${name} = ${lineValue(value)}`);
  const lineBreak = breakAt(file.text, first.start) + file.indent(first);
  const lines = node.entries.map(
    (entry) =>
      `${name}.${text.slice(entry.key.start, entry.key.end)} = ${text.slice(entry.value.start, entry.value.end)}`,
  );
  return replaced(run, lines.join(lineBreak));
}

function wholeFile(file: SectionFile, node: SpanNode, value: SectionValue): Edit {
  const { own, below } = tableLines(value, []);
  const lines = joined([...(own.length > 0 ? [own] : []), ...below], file.gap(1));
  const lineBreak = breakAt(file.text, node.start);
  const insert = joinLines(lines, lineBreak);
  return {
    start: node.start,
    end: node.end,
    insert: node.start === node.end && insert !== '' ? insert + lineBreak : insert,
  };
}

/** The value of a line. Its comment stays, unless the new value brings one. */
function inPlace({ text }: Stream, { start, end }: SpanNode, value: SectionValue): Edit {
  const lineBreak = breakAt(text, start);
  const insert = joinLines([lineValue({ ...value, trailingComment: '' })], lineBreak);
  const stop = lineEnd(text, end);
  const isCommented = /^[ \t]*#/.test(text.slice(end, stop));
  if (value.trailingComment === '') return { start, end, insert };
  return { start, end: isCommented ? stop : end, insert: `${insert} ${value.trailingComment}` };
}
