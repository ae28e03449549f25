// Removes parts from a TOML file: every statement that is about them, with its comments, and the blank lines that separated it.
// The containing table stays, if only as an empty one.
import type { Edit } from '../../../security/index.ts';
import {
  breakAt,
  lineEnd,
  nextLine,
  skipBlankLines,
  skipBlankLinesBack,
  withoutEnd,
} from '../../tree/lines.ts';
import type { Located } from '../../tree/locate.ts';
import { isSectional, type Stream } from '../../tree/span-tree.ts';
import { isWithin, pathOf, SectionFile } from './section-lines.ts';
import { insertLine } from './section-parts.ts';
import type { Statement, TablePath } from './statements.ts';
import { header } from './table-lines.ts';

export function removePart(stream: Stream, { steps }: Located, isMoving: boolean): readonly Edit[] {
  const step = steps.at(-1);
  if (step === undefined || !isSectional(step.container))
    throw new Error('only for parts of what stands in sections');
  const file = new SectionFile(stream, step.container);
  const path = pathOf(steps);
  const own = file.all.filter((statement) => isWithin(statement, path));
  const edits = removeStatements(file, own, pathOf(steps.slice(0, -1)));
  const [first] = own;
  if (!isMoving || first === undefined) return edits;
  // Its comments go with it, and do not stay with what takes its place.
  return edits.map((edit) =>
    edit.start === first.start && own.some(({ end }) => end === edit.end)
      ? {
          start: file.commentStart(first),
          end: lineEnd(file.text, edit.end),
          insert: file.indent(first) + edit.insert,
        }
      : edit,
  );
}

/** Returns the edits; `above` is the path of the containing node, which must still exist afterwards. */
export function removeStatements(
  file: SectionFile,
  own: readonly Statement[],
  above: TablePath,
): readonly Edit[] {
  if (isLeft(file, own, above)) return runsOf(own).map((run) => removal(file, run));
  const [first] = own;
  // The last table of an array leaves an empty list, in the section of what holds the array.
  if (typeof first?.path[above.length] === 'number') return lineInstead(file, own, above, '[]');
  if (first?.kind === 'entry') return lineInstead(file, own, above, '{}');
  return instead(file, own, header(file.keySources(above), false));
}

function isLeft({ all }: SectionFile, own: readonly Statement[], path: TablePath): boolean {
  const gone = new Set(own);
  return path.length === 0 || all.some((one) => isWithin(one, path) && !gone.has(one));
}

/** Replaces all that is about the path by one line in the section of its container, which may have existed by these statements alone. */
export function lineInstead(
  file: SectionFile,
  own: readonly Statement[],
  path: TablePath,
  value: string,
): readonly Edit[] {
  const [first] = own;
  const above = path.slice(0, -1);
  const [name = ''] = file.keySources(path).slice(-1);
  const runs = runsOf(own);
  const written = first?.kind === 'entry' ? first.keys.filter(({ depth }) => depth < path.length) : [];
  const keys = written.map(({ start, end }) => file.text.slice(start, end));
  const isAlone = !isLeft(file, own, above);
  if (keys.length > 0 && (isAlone || runs.length === 1))
    return instead(file, own, `${keys.join('.')} = ${value}`);
  if (!isAlone) {
    const removed = runs.map((run) => removal(file, run));
    return withLine(file, removed, insertLine(file, above, [name], value, undefined, [], new Set(own)));
  }
  const lines = [header(file.keySources(above), false), `${name} = ${value}`];
  return instead(file, own, lines.join(breakAt(file.text, first?.start ?? 0)));
}

/** The new line takes the place of lines that leave right there, and of the end of the file with them. */
function withLine({ text }: SectionFile, removed: readonly Edit[], line: Edit): readonly Edit[] {
  const met = removed.find(({ start, end }) => start < line.start && line.start < end);
  if (met === undefined) return [...removed, line];
  const isCutOff = met.end === text.length && text[met.end - 1] !== '\n';
  const insert = isCutOff ? withoutEnd(line.insert, '\r\n') : line.insert;
  return [...removed.filter((one) => one !== met), { start: line.start, end: met.end, insert }];
}

function instead(file: SectionFile, own: readonly Statement[], text: string): readonly Edit[] {
  const [first = [], ...rest] = runsOf(own);
  return [replaced(first, text), ...rest.map((run) => removal(file, run))];
}

/** Groups statements that directly follow each other. */
export function runsOf(own: readonly Statement[]): Statement[][] {
  const runs: Statement[][] = [];
  for (const statement of own) {
    const run = runs.at(-1);
    if (run?.at(-1)?.index === statement.index - 1) run.push(statement);
    else runs.push([statement]);
  }
  return runs;
}

/** The first and the last statement of a run. */
export function endsOf(run: readonly Statement[]): readonly [Statement, Statement] {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a run has statements');
  return [first, last];
}

export function replaced(run: readonly Statement[], line: string): Edit {
  const [first, last] = endsOf(run);
  return { start: first.start, end: last.end, insert: line };
}

function removal(file: SectionFile, run: readonly Statement[]): Edit {
  const { text } = file;
  const [first, last] = endsOf(run);
  const [start, end] = [file.commentStart(first), nextLine(file.text, last.end)];
  const [below, above] = [skipBlankLines(text, end), skipBlankLinesBack(text, start)];
  if (below === text.length && end <= below) {
    // Nothing follows, so the blank lines above would be at the end of the file.
    const isCutOff = text[end - 1] !== '\n' && above > 0;
    const from = isCutOff ? above - breakAt(text, above - 1).length : above;
    return { start: Math.max(from, startOfText(text)), end: below, insert: '' };
  }
  const isApart = above < start || isFirstOfSection(file, first, last) || start === startOfText(text);
  return { start, end: isApart ? below : end, insert: '' };
}

function startOfText(text: string): number {
  return text.startsWith('\uFEFF') ? 1 : 0;
}

/** True if a header is directly above, and another line of its section follows. */
function isFirstOfSection({ all }: SectionFile, first: Statement, last: Statement): boolean {
  return first.index === first.section + 1 && all[last.index + 1]?.section === first.section;
}
