// Random edits of templates. No edit begins or ends within an action, what goes and what comes is balanced in itself, and all
// other actions are there as they were: by a reading of actions that shares nothing with the server's.
import type { Edit } from '../../../../src/security/edits/edit.ts';
import { Refusal } from '../../../../src/security/errors/refusal.ts';
import { type Random, randomFrom } from '../../../harness/random.ts';
import { attempt, type Done, type Json, type Operation, parse } from '../../editing/attempt.ts';
import { type PlaceInFile, placesIn } from '../../editing/places.ts';
import { chartTemplate } from './charts.ts';

export interface RandomEdits {
  readonly done: readonly EditedTemplate[];
  /** By operation and code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Each with its seed. */
  readonly faults: readonly string[];
}

export interface EditedTemplate {
  readonly op: Operation['op'];
  readonly before: string;
  readonly edits: readonly Edit[];
  readonly after: string;
}

/** Seeds from `from` on, one edit each. */
export function editRandomly(from: number, count: number): RandomEdits {
  const done: EditedTemplate[] = [];
  const refused: Record<string, number> = {};
  const faults: string[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const random = randomFrom(seed);
    const before = chartTemplate(seed % 1_000);
    const places = [...placesIn(parse(before, 'template'))];
    const place = random.pick(places);
    const operation = operationOn(place, places, random);
    const shown = `${seed}: ${JSON.stringify(operation)} on\n${before}`;
    try {
      const outcome = attempt(before, operation, 'template');
      if (outcome instanceof Refusal) {
        const kind = `${operation.op} ${outcome.code}`;
        refused[kind] = (refused[kind] ?? 0) + 1;
        continue;
      }
      const fault = faultOf(before, outcome, operation);
      if (fault !== undefined) faults.push(`${fault}\n${shown}=>\n${outcome.after}`);
      done.push({ op: operation.op, before, edits: outcome.edits, after: outcome.after });
    } catch (error) {
      faults.push(`${error instanceof Error ? error.stack : error}\n${shown}`);
    }
  }
  return { done, refused, faults };
}

const VALUES: readonly Json[] = ['new', 7, true, ['new'], { new: 1 }, 'two\nlines'];
const FRAGMENTS = [
  '{{ .Values.new }}',
  '"{{ .Values.new }}:1"',
  '{{ .Values.new | quote }}',
  'new: {{ .Values.new }}\nb: 1',
  'plain',
];

/** To each collection of the file. */
function transfersOf(
  doc: number,
  path: string,
  isEntry: boolean,
  others: readonly PlaceInFile[],
): readonly Operation[] {
  const goals =
    path === ''
      ? []
      : others.filter(({ node, path: to }) => 'mapping sequence'.includes(node.kind) && !to.startsWith(path));
  return goals.map(({ node, path: to }, index) => {
    const key = node.kind === 'sequence' || isEntry ? {} : { key: 'moved' };
    return { op: index % 3 === 0 ? 'copy' : 'move', doc, path, to, ...key };
  });
}

function operationOn(
  { doc, path, part }: PlaceInFile,
  others: readonly PlaceInFile[],
  random: Random,
): Operation {
  const there = { doc, path };
  const isRoot = part === undefined;
  const isEntry = part !== undefined && 'key' in part;
  const value = random.below(2) === 0 ? { json: random.pick(VALUES) } : { value: random.pick(FRAGMENTS) };
  const operations: readonly Operation[] = [
    ...(isRoot ? [] : [{ op: 'set', ...there, ...value } as const, { op: 'delete', ...there } as const]),
    ...(isEntry ? [{ op: 'rename', ...there, new_key: 'renamed' } as const] : []),
    { op: 'append', ...there, ...value },
    { op: 'merge', ...there, json: { merged: 1, other: 'x' } },
    { op: 'set', doc, path: path === '' ? 'added' : `${path}.added`, ...value },
    { op: 'insert', ...there, index: 0, ...value },
    { op: 'insert', ...there, key: 'inserted', ...value },
    { op: 'comment', ...there, comment: 'A note.' },
    { op: 'comment', ...there, comment: 'A note.', place: 'line_end' },
    { op: 'move', ...there, to: '' },
    { op: 'copy', ...there, to: '', key: 'copied' },
    ...transfersOf(doc, path, isEntry, others),
  ];
  return random.pick(operations);
}

/** What is wrong with it; undefined where nothing is. */
function faultOf(before: string, { edits, after }: Done, { op }: Operation): string | undefined {
  const actions = actionsOf(before);
  const isCut = (at: number) => actions.some(({ start, end }) => start < at && at < end);
  for (const { start, end, insert } of edits) {
    if (isCut(start) || isCut(end)) return 'an edit cuts into an action';
    if (depthOf(before.slice(start, end)) !== 0) return 'a block loses one of its ends';
    if (depthOf(insert) !== 0) return 'a block comes without one of its ends';
  }
  const outside = actions.filter(
    (action) => !edits.some(({ start, end }) => start <= action.start && action.end <= end),
  );
  const isAdding = ['append', 'insert', 'comment'].includes(op);
  if (isAdding && outside.length < actions.length) return 'an action is gone that nobody asked for';
  const inserted = edits.reduce((count, { insert }) => count + actionsOf(insert).length, 0);
  const result = actionsOf(after);
  if (result.length !== outside.length + inserted) return 'the number of actions is another one';
  let at = 0;
  for (const { text } of result) if (text === outside[at]?.text) at += 1;
  return at < outside.length ? 'an action has changed, or stands elsewhere' : undefined;
}

const ACTION =
  /\{\{-?\s*\/\*[\s\S]*?\*\/\s*-?\}\}|\{\{(?:[^"`'}]|"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)*'|\}(?!\}))*\}\}/g;

function actionsOf(text: string) {
  return Array.from(text.matchAll(ACTION), ({ 0: action, index }) => {
    return { text: action, start: index, end: index + action.length };
  });
}

/** How many blocks are opened and not closed; NaN where one is closed that was not opened. */
function depthOf(text: string): number {
  let depth = 0;
  for (const { text: action } of actionsOf(text)) {
    if (/^\{\{-?\s*(?:if|with|range|define|block)\b/.test(action)) depth += 1;
    if (/^\{\{-?\s*end\b/.test(action)) depth -= 1;
    if (depth < 0) return Number.NaN;
  }
  return depth;
}
