// Random edits of generated JSONC. What comes out is read by `jsonc-parser` and compared with what the operation does to the
// data; and each comment stays, with the entry that it stood beside, unless that entry goes.
import { isDeepStrictEqual } from 'node:util';
import { createScanner, type ParseError, parse as readJsonc } from 'jsonc-parser';
import { Refusal } from '../../../../src/security/index.ts';
import { type Random, randomFrom } from '../../../harness/random.ts';
import { attempt, type Operation, parse } from '../../editing/attempt.ts';
import { type PlaceInFile, placesIn } from '../../editing/places.ts';
import { generateJsonc } from './generate-jsonc.ts';

export interface RandomEdits {
  readonly done: number;
  /** Refused, by operation and code. */
  readonly refused: Readonly<Record<string, number>>;
  /** The first few, each with its seed. */
  readonly faults: readonly string[];
}

const VALUES = [7, 'new', true, null, [], {}, ['new', 8], { new: { deep: [1] } }] as const;

/** Seeds from `from` on, one edit each. */
export function editRandomly(from: number, count: number): RandomEdits {
  let done = 0;
  const refused: Record<string, number> = {};
  const faults: string[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const random = randomFrom(seed);
    const before = generateJsonc(seed);
    const place = random.pick([...placesIn(parse(before, 'jsonc'))]);
    const operation = random.pick(operationsFor(random, place));
    const outcome = attempt(before, operation, 'jsonc');
    if (outcome instanceof Refusal) {
      const key = `${operation.op} ${outcome.code}`;
      refused[key] = (refused[key] ?? 0) + 1;
      if (outcome.code === 'VERIFICATION_FAILED')
        faults.push(shown(seed, before, operation, outcome.message));
      continue;
    }
    done += 1;
    const fault = faultOf(before, place, operation, outcome.after);
    if (fault !== undefined) faults.push(shown(seed, before, operation, `${fault}\n${outcome.after}`));
  }
  return { done, refused, faults: faults.slice(0, 5) };
}

function shown(seed: number, before: string, operation: Operation, fault: string): string {
  return `seed ${seed}: ${JSON.stringify(operation)}: ${fault}\n--- of\n${before}`;
}

function operationsFor(random: Random, { path, node, part, container }: PlaceInFile): readonly Operation[] {
  const json = random.pick(VALUES);
  const all: Operation[] = [{ op: 'set', path, json }];
  if (node.kind === 'mapping') {
    const key = node.entries[random.below(node.entries.length)]?.name;
    all.push(
      { op: 'insert', path, key: 'new_key', json },
      { op: 'set', path: path === '' ? 'new_key' : `${path}.new_key`, json },
    );
    if (key !== undefined)
      all.push({ op: 'insert', path, key: 'new_key', json, [random.pick(['before', 'after'])]: key });
  }
  if (node.kind === 'sequence')
    all.push(
      { op: 'append', path, json },
      { op: 'insert', path, index: random.below(node.items.length + 1), json },
    );
  if (part === undefined) return [...all, { op: 'comment', path, comment: 'new', place: 'before' }];
  all.push({ op: 'delete', path }, { op: 'delete', path });
  if (container?.kind === 'mapping') all.push({ op: 'rename', path, new_key: 'new_key' });
  for (const place of ['before', 'line_end'] as const)
    all.push({ op: 'comment', path, comment: random.pick(['new', '/* new */', '']), place });
  return all;
}

function faultOf(
  before: string,
  place: PlaceInFile,
  operation: Operation,
  after: string,
): string | undefined {
  const [old, next] = [dataOf(before), dataOf(after)];
  if (old === undefined || next === undefined) return 'jsonc-parser does not read it';
  if (!isDeepStrictEqual(next, expected(old, place, operation))) return 'jsonc-parser reads other data';
  if (/,\s*[}\]]/.test(withoutComments(after)) && !/,\s*[}\]]/.test(withoutComments(before)))
    return 'a trailing comma came in';
  const [gone] = lostComments(before, after, allowedToGo(before, place, operation));
  if (gone !== undefined) return `${gone} is lost, or beside another entry`;
  return undefined;
}

function dataOf(text: string): unknown {
  const errors: ParseError[] = [];
  const data: unknown = readJsonc(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  return errors.length === 0 ? data : undefined;
}

type Data = Record<string, unknown> | unknown[];

/** What the operation makes of the data, by no code of ours. */
function expected(old: unknown, { segments }: PlaceInFile, operation: Operation): unknown {
  const { op, json, key, index, new_key: newKey } = operation;
  if (op === 'comment') return old;
  const root = { root: structuredClone(old) };
  const steps = ['root', ...segments.map((one) => (typeof one === 'object' ? one.key : one))];
  let parent: Data = root;
  for (const step of steps.slice(0, -1)) parent = child(parent, step) as Data;
  const last = steps.at(-1) ?? 'root';
  const target = child(parent, last) as Data;
  if (op === 'set' && operation.path?.endsWith('new_key')) put(target, 'new_key', json);
  else if (op === 'set') put(parent, last, json);
  else if (op === 'delete' && Array.isArray(parent)) parent.splice(Number(last), 1);
  else if (op === 'delete') Reflect.deleteProperty(parent, last);
  else if (op === 'append' && Array.isArray(target)) target.push(json);
  else if (op === 'insert' && Array.isArray(target)) target.splice(index ?? 0, 0, json);
  else if (op === 'insert') put(target, key ?? '', json);
  else if (op === 'rename') {
    Reflect.deleteProperty(parent, last);
    put(parent, newKey ?? '', target);
  }
  return root.root;
}

function child(parent: Data, step: string | number): unknown {
  return Reflect.get(parent, step);
}

function put(parent: Data, step: string | number, value: unknown): void {
  Reflect.set(parent, step, value);
}

interface Place {
  readonly name: string;
  /** The named key or value before it on its line; else the first one on the lines right below. */
  readonly beside: string | undefined;
}

const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const END = 17;

function withoutComments(text: string): string {
  let result = '';
  const scanner = createScanner(text);
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    const source = text.slice(scanner.getTokenOffset(), scanner.getPosition());
    const isComment = kind === LINE_COMMENT || kind === BLOCK_COMMENT;
    result += isComment
      ? source.replaceAll(/[^\r\n]/g, ' ')
      : source.replaceAll(/(?<=").*(?=")/g, (inner) => inner.replaceAll(/[,\]}]/g, '.'));
  }
  return result;
}

function placesOfComments(text: string): readonly Place[] {
  const content = withoutComments(text);
  return [...text.matchAll(/c\d+_/g)].flatMap(({ 0: name, index }) => {
    if (content.slice(index, index + name.length).trim() !== '') return [];
    const start = text.lastIndexOf('\n', index) + 1;
    const isAlone = content.slice(start, index).trim() === '';
    const blank = /^.*\r?\n[ \t]*\r?\n/;
    const below = isAlone && !blank.test(text.slice(index)) ? /\S.*/.exec(content.slice(index))?.[0] : '';
    const line = isAlone ? (below ?? '') : content.slice(start, index);
    const names = line.match(/[kv]\d+_/g);
    return [{ name, beside: isAlone ? names?.[0] : names?.at(-1) }];
  });
}

function lostComments(before: string, after: string, mayGo: ReadonlySet<string>): readonly string[] {
  const now = new Map(placesOfComments(after).map(({ name, beside }) => [name, beside]));
  return placesOfComments(before).flatMap(({ name, beside }) => {
    if (mayGo.has(name)) return [];
    if (!now.has(name)) return [name];
    // What it stood beside may have gone, or got company on its line.
    const there = now.get(name);
    const isBeside = beside === undefined || !after.includes(beside) || (there ?? beside) === beside;
    return isBeside ? [] : [name];
  });
}

/** The names of comments in what is replaced; between the neighbours of what goes; and beside what gets another comment. */
function allowedToGo(
  text: string,
  { node, part, container }: PlaceInFile,
  operation: Operation,
): ReadonlySet<string> {
  const names = (from: number, to: number) => new Set(text.slice(from, to).match(/c\d+_/g) ?? []);
  if (operation.op === 'set' && operation.path?.endsWith('new_key') === true) return new Set();
  if (operation.op === 'set') return names(node.start, node.end);
  const isAround = operation.op === 'delete' || operation.op === 'comment';
  if (!isAround) return new Set();
  if (part === undefined || container === undefined) return names(0, node.start);
  if (container.kind !== 'mapping' && container.kind !== 'sequence') return new Set();
  const parts: readonly { readonly start: number; readonly end: number }[] =
    container.kind === 'mapping' ? container.entries : container.items;
  const index = parts.findIndex(({ start }) => start === part.start);
  const from = parts[index - 1]?.end ?? container.start;
  const to = parts[index + 1]?.start ?? container.end;
  return names(from, to);
}
