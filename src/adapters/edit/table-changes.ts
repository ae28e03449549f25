// Replaces tables of TOML and their parts, and removes parts.
import type { Edit } from '../../security/edits/edit.ts';
import { definitionOf, type Statement, type TablePath } from '../formats/toml/statements.ts';
import { breakAt, lineEnd, nextLine, skipBlankLines, skipBlankLinesBack, withoutEnd } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import { isSectional, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { keepingColumn } from './columns.ts';
import {
  dottedOf,
  header,
  indented,
  inline,
  isListOfTables,
  joined,
  sectionsOf,
  withComment,
} from './sections.ts';
import { invalid, type Source } from './source.ts';
import { insertLine, isDotted } from './tables.ts';
import { endsOf, pathOf, runsOf, TomlLines } from './toml-lines.ts';

/** Replaces a table, or the value on a line of one. */
export function replaceInTable(stream: Stream, located: Located, source: Source): Edit[] {
  const { node, steps } = located;
  if (!isSectional(node)) return [lineWith(stream, node, source)];
  const path = pathOf(steps);
  const file = new TomlLines(stream, node);
  if (path.length === 0) return [wholeFile(file, node, source)];
  const { own } = definitionOf(node);
  const [run = [], ...rest] = runsOf(own);
  if (isDotted(node)) return [dottedLines(file, run, path, source)];
  const isItem = steps.at(-1)?.kind === 'item';
  if (own[0]?.kind === 'entry' || !isInSections(node, source, isItem))
    return lineInstead(
      file,
      own,
      path,
      withComment(inline(source.text, source.node), source.behind),
      'comments',
    );
  return [
    sectionsInPlace(file, run, sectionsOf(source, file.keysTo(path), isItem)),
    ...rest.map((one) => removal(file, one)),
  ];
}

function isInSections(node: SpanNode, { node: value, form }: Source, isItem: boolean): boolean {
  if (isItem && value.kind !== 'mapping') throw invalid('an item of an array of tables is a table');
  if (isItem || isSectional(value)) return isItem || value.kind === node.kind;
  return form === 'free' && (node.kind === 'mapping' ? value.kind === 'mapping' : isListOfTables(value));
}

/** Replaces the value of a line. Its comment stays unless the new value brings one. */
function lineWith(stream: Stream, { start, end }: SpanNode, { text, node, behind }: Source): Edit {
  const insert = inline(text, node).replaceAll('\n', breakAt(stream.text, start));
  if (behind === '') return keepingColumn(stream, { start, end, insert });
  const stop = lineEnd(stream.text, end);
  const hasComment = /^[ \t]*#/.test(stream.text.slice(end, stop));
  return { start, end: hasComment ? stop : end, insert: withComment(insert, behind) };
}

function wholeFile(file: TomlLines, { start, end }: SpanNode, source: Source): Edit {
  if (source.node.kind !== 'mapping') throw invalid('the whole of such a file is a table');
  const [top = [], ...below] = sectionsOf({ ...source, behind: '' }, [], false);
  const own = top[0] === header([], false) ? top.slice(1) : top;
  const lineBreak = breakAt(file.text, start);
  const lines = joined(
    [own, ...below].filter((one) => one.length > 0),
    file.gap(1),
  );
  const insert = lines.join('\n').trimEnd().replaceAll('\n', lineBreak);
  return { start, end, insert: start === end && insert !== '' ? insert + lineBreak : insert };
}

/** Replaces what dotted keys make (`a.b = 1`): with dotted keys if each leads to a scalar, else with one value. */
function dottedLines(file: TomlLines, run: readonly Statement[], path: TablePath, source: Source): Edit {
  const [first, last] = endsOf(run);
  const { text, node } = source;
  const lead = file.keysOf(first, path.length).join('.');
  const dotted = source.form === undefined ? undefined : dottedOf(source);
  const entries = node.kind === 'mapping' && source.form === 'free' ? node.entries : [];
  const isFlat = entries.length > 0 && entries.every(({ value }) => value.kind === 'scalar');
  const lines = dotted
    ? [`${[lead, ...dotted.keys].join('.')} = ${dotted.value}`]
    : isFlat
      ? entries.map(
          ({ key, value }) =>
            `${lead}.${text.slice(key.start, key.end)} = ${text.slice(value.start, value.end)}`,
        )
      : [`${lead} = ${withComment(inline(text, node), source.behind)}`];
  const lineBreak = breakAt(file.text, first.start);
  const insert = lines.join(`\n${file.indent(first)}`).replaceAll('\n', lineBreak);
  return { start: first.start, end: last.end, insert };
}

/** Replaces sections. A header that stays the same keeps its line, and so its comment. */
function sectionsInPlace(
  file: TomlLines,
  run: readonly Statement[],
  written: readonly (readonly string[])[],
): Edit {
  const [first, last] = endsOf(run);
  const { text } = file;
  const indent = file.indent(first);
  const keys = first.keys.length;
  const lines = joined(indented(written, indent, file.levelIndent(keys)), file.gap(keys));
  const isSame = lines[0]?.slice(indent.length) === text.slice(first.start, first.end);
  const lineBreak = breakAt(text, first.start);
  const end = lineEnd(text, last.end);
  const insert = (isSame ? lines.slice(1) : lines).join('\n').replaceAll('\n', lineBreak);
  if (!isSame) return { start: first.start, end, insert: insert.slice(indent.length) };
  const start = lineEnd(text, first.end);
  return { start, end: Math.max(end, start), insert: (insert === '' ? '' : lineBreak) + insert };
}

/** Removes every statement of a part. Its container stays, if need be as an empty table or list. */
export function removeFromTable(stream: Stream, { steps }: Located): Edit[] {
  const step = steps.at(-1);
  if (step === undefined) throw invalid('the root cannot go');
  const file = new TomlLines(stream, step.container);
  const path = pathOf(steps);
  const above = path.slice(0, -1);
  const own = file.all.filter((statement) => statement.isWithin(path));
  if (isLeft(file, own, above)) return runsOf(own).map((run) => removal(file, run));
  // The last table of an array leaves an empty list, in the section of the array's parent.
  if (step.kind === 'item') return lineInstead(file, own, above, '[]', 'nothing');
  if (own[0]?.kind === 'entry') return lineInstead(file, own, above, '{}', 'nothing');
  return instead(file, own, [header(file.keysTo(above), false)], 'nothing');
}

/** True if other statements define the path. */
function isLeft({ all }: TomlLines, own: readonly Statement[], path: TablePath): boolean {
  const gone = new Set(own);
  return path.length === 0 || all.some((one) => one.isWithin(path) && !gone.has(one));
}

/** Replaces all statements of the path with one line in the section of its container. */
function lineInstead(
  file: TomlLines,
  own: readonly Statement[],
  path: TablePath,
  value: string,
  stays: Stays,
): Edit[] {
  const [first] = own;
  const above = path.slice(0, -1);
  const [name = ''] = file.keysTo(path).slice(-1);
  const runs = runsOf(own);
  const keys = first?.kind === 'entry' ? file.keysOf(first, path.length) : [];
  const isAlone = !isLeft(file, own, above);
  if (keys.length > 0 && (isAlone || runs.length === 1))
    return instead(file, own, [`${keys.join('.')} = ${value}`], stays);
  if (isAlone) return instead(file, own, [header(file.keysTo(above), false), `${name} = ${value}`], stays);
  const line = insertLine(file, above, { keys: [name], value }, undefined, new Set(own));
  return withLine(
    file,
    runs.map((run) => removal(file, run)),
    line,
  );
}

/** Merges the new line with the removal of lines at the same place, as edits must not overlap. */
function withLine({ text }: TomlLines, removed: readonly Edit[], line: Edit): Edit[] {
  const met = removed.find(({ start, end }) => start < line.start && line.start < end);
  if (met === undefined) return [...removed, line];
  const isCutOff = met.end === text.length && text[met.end - 1] !== '\n';
  const insert = isCutOff ? withoutEnd(line.insert, '\r\n') : line.insert;
  return [...removed.filter((one) => one !== met), { start: line.start, end: met.end, insert }];
}

/** Which comments of replaced statements stay: those around a value, none of a removed part. */
type Stays = 'comments' | 'nothing';

/** Replaces the first run of statements with lines, and removes the others. */
function instead(file: TomlLines, own: readonly Statement[], lines: readonly string[], stays: Stays): Edit[] {
  const [run = [], ...rest] = runsOf(own);
  const [first, last] = endsOf(run);
  const indent = file.indent(first);
  const insert = lines.join(breakAt(file.text, first.start) + indent);
  const isKept = stays === 'comments';
  const start = isKept ? first.start : file.commentStart(first);
  const end = isKept && first === last ? last.end : lineEnd(file.text, last.end);
  return [
    { start, end, insert: start === first.start ? insert : indent + insert },
    ...rest.map((one) => removal(file, one)),
  ];
}

function removal(file: TomlLines, run: readonly Statement[]): Edit {
  const { text, all } = file;
  const [first, last] = endsOf(run);
  const top = text.startsWith('\uFEFF') ? 1 : 0;
  const [start, end] = [file.commentStart(first), nextLine(text, last.end)];
  const [below, above] = [skipBlankLines(text, end), skipBlankLinesBack(text, start)];
  if (below === text.length) {
    // Nothing follows: the blank lines above would end the file.
    const isCutOff = text[end - 1] !== '\n' && above > 0;
    const from = isCutOff ? above - breakAt(text, above - 1).length : above;
    return { start: Math.max(from, top), end: below, insert: '' };
  }
  const isFirst = first.index === first.section + 1 && all[last.index + 1]?.section === first.section;
  const isApart = above < start || start === top || isFirst;
  return { start, end: isApart ? below : end, insert: '' };
}
