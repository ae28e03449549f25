// Random edits of realistic files. What must come out is computed on what `smol-toml` reads, in a few lines that know nothing
// of the text; and what it reads of the result must be that.
import { readFileSync } from 'node:fs';
import { parse as read, TomlDate, type TomlValue } from 'smol-toml';
import { Refusal } from '../../../../src/security/index.ts';
import { type Random, randomFrom } from '../../../harness/random.ts';
import { attemptOn, type Json, type Operation, parse } from '../../editing/attempt.ts';

const NAMES = ['Cargo.toml', 'pyproject.toml', 'netlify.toml', 'service.toml'] as const;

interface Source {
  readonly name: string;
  readonly text: string;
}

/** Each of them as it is, with CRLF, and without its last line break. */
const SOURCES: readonly Source[] = NAMES.flatMap((name) => {
  const text = readFileSync(new URL(`./corpus/${name}`, import.meta.url), 'utf8');
  return [
    { name, text },
    { name: `${name} with CRLF`, text: text.replaceAll('\n', '\r\n') },
    { name: `${name} cut off`, text: text.trimEnd() },
  ];
});

/** Keys and indexes from the root. */
type Path = readonly (string | number)[];

/** Data that can be changed: each integer, date and string as a text that tells them apart. */
type Data = string | { [key: string]: Data } | Data[];

function dataOf(value: TomlValue): Data {
  if (value instanceof TomlDate) return `date ${value.toISOString()}`;
  if (Array.isArray(value)) return value.map(dataOf);
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, dataOf(part)]));
  return `${typeof value} ${value}`.replaceAll('\r\n', '\n');
}

function readData(text: string): Data {
  return dataOf(read(text, { integersAsBigInt: true }));
}

function dataOfJson(value: Json): Data {
  if (Array.isArray(value)) return value.map(dataOfJson);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, dataOfJson(part)]));
  return typeof value === 'number' && Number.isInteger(value)
    ? `bigint ${value}`
    : `${typeof value} ${value}`;
}

/** In the order of keys, so that the order in the file does not count. */
function inOrder(data: Data): unknown {
  if (Array.isArray(data)) return data.map(inOrder);
  if (typeof data === 'string') return data;
  return Object.entries(data)
    .map(([key, part]): [string, unknown] => [key, inOrder(part)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

interface Found {
  readonly path: Path;
  readonly data: Data;
}

function* everything(data: Data, path: Path = []): Generator<Found> {
  yield { path, data };
  if (typeof data === 'string') return;
  const parts = Array.isArray(data) ? [...data.entries()] : Object.entries(data);
  for (const [key, part] of parts) yield* everything(part, [...path, key]);
}

interface Drawn {
  readonly operation: Operation;
  readonly expected: Data;
}

const VALUES: readonly Json[] = [
  'text',
  'with "quotes" and \\',
  "it's",
  'two\nlines\n',
  'emoji \u{1f600} and \u0007',
  '',
  0,
  -17,
  0.5,
  1e-7,
  true,
  [],
  ['a', 'b'],
  [1, [2]],
  {},
  { x: 1 },
  { name: 'n', list: ['p'], inner: { y: 'z', deep: { on: true } } },
  [{ name: 'one' }, { name: 'two', more: { z: 1 } }],
];
const KEYS = ['added', 'zzz', 'a key', 'dotted.key', 'q"uote', '\u00e4', '9', '-'];

function draw(random: Random, text: string): Drawn {
  const data = readData(text);
  const all = [...everything(data)];
  const { path, data: old } = random.pick(all);
  const value = random.pick(VALUES);
  const key = random.pick(KEYS);
  const at = pathText(path);
  const changed = (change: (root: Data) => void): Data => {
    const copy = structuredClone(data);
    change(copy);
    return copy;
  };
  const last = path.at(-1);
  switch (random.below(9)) {
    case 0:
    case 1:
      if (last === undefined) break;
      return {
        operation: { op: 'set', path: at, json: value },
        expected: changed((root) => put(root, path, dataOfJson(value))),
      };
    case 2:
      if (last === undefined) break;
      return { operation: { op: 'delete', path: at }, expected: changed((root) => take(root, path)) };
    case 3:
      if (typeof last !== 'string') break;
      if (Object.hasOwn(asTable(reach(data, path.slice(0, -1))), key)) break;
      return {
        operation: { op: 'rename', path: at, new_key: key },
        expected: changed((root) => {
          const table = asTable(reach(root, path.slice(0, -1)));
          const kept = table[last];
          delete table[last];
          if (kept !== undefined) table[key] = kept;
        }),
      };
    case 4:
      if (!Array.isArray(old)) break;
      return {
        operation: { op: 'append', path: at, json: value },
        expected: changed((root) => void asList(reach(root, path)).push(dataOfJson(value))),
      };
    case 5: {
      if (!Array.isArray(old)) break;
      const index = random.below(old.length + 1);
      return {
        operation: { op: 'insert', path: at, index, json: value },
        expected: changed((root) => void asList(reach(root, path)).splice(index, 0, dataOfJson(value))),
      };
    }
    case 6: {
      if (typeof old === 'string' || Array.isArray(old) || Object.hasOwn(old, key)) break;
      const neighbour = Object.keys(old)[random.below(Object.keys(old).length + 1)];
      const place =
        neighbour === undefined ? {} : random.below(2) === 0 ? { before: neighbour } : { after: neighbour };
      return {
        operation: { op: 'insert', path: at, key, json: value, ...place },
        expected: changed((root) => {
          asTable(reach(root, path))[key] = dataOfJson(value);
        }),
      };
    }
    case 7: {
      if (typeof old === 'string' || Array.isArray(old) || Object.hasOwn(old, key)) break;
      return {
        operation: { op: 'set', path: pathText([...path, key, 'below', 'it']), json: value },
        expected: changed((root) => {
          asTable(reach(root, path))[key] = { below: { it: dataOfJson(value) } };
        }),
      };
    }
    default:
      if (last === undefined) break;
      return {
        operation: {
          op: 'comment',
          path: at,
          comment: 'said',
          place: random.pick(['before', 'line_end'] as const),
        },
        expected: data,
      };
  }
  return draw(random, text);
}

function pathText(path: Path): string {
  return path.map((part) => (typeof part === 'number' ? `[${part}]` : `[${JSON.stringify(part)}]`)).join('');
}

function reach(root: Data, path: Path): Data {
  return path.reduce<Data>((data, part) => {
    const below = Array.isArray(data) ? data[Number(part)] : asTable(data)[part];
    if (below === undefined) throw new Error('the path was drawn from the data');
    return below;
  }, root);
}

function asTable(data: Data): { [key: string | number]: Data } {
  if (typeof data === 'string' || Array.isArray(data)) throw new Error('a table was drawn');
  return data;
}

function asList(data: Data): Data[] {
  if (!Array.isArray(data)) throw new Error('a list was drawn');
  return data;
}

function put(root: Data, path: Path, value: Data): void {
  const [above, last = ''] = [reach(root, path.slice(0, -1)), path.at(-1)];
  if (Array.isArray(above)) above[Number(last)] = value;
  else asTable(above)[last] = value;
}

function take(root: Data, path: Path): void {
  const [above, last = ''] = [reach(root, path.slice(0, -1)), path.at(-1)];
  if (Array.isArray(above)) above.splice(Number(last), 1);
  else delete asTable(above)[last];
}

interface Tally {
  done: number;
  /** By code, operation and reason. */
  readonly refused: Map<string, number>;
  readonly faults: string[];
  /** One of each kind. */
  readonly examples: Map<string, string>;
}

const LONGEST_CHAIN = 5;
const LONGEST_TEXT = 8_000;

/** So many edits, several in a row on one file, so that later ones meet what earlier ones made. */
export function editRandomly(seed: number, count: number, sources = SOURCES): Tally {
  const random = randomFrom(seed);
  const tally: Tally = { done: 0, refused: new Map(), faults: [], examples: new Map() };
  for (let made = 0; made < count; ) {
    let { text } = random.pick(sources);
    for (let link = random.below(LONGEST_CHAIN) + 1; link > 0 && made < count; link--, made++) {
      const drawn = draw(random, text);
      const after = carryOut(text, drawn, tally);
      if (after !== undefined && after.length < LONGEST_TEXT) text = after;
    }
  }
  return tally;
}

function carryOut(text: string, { operation, expected }: Drawn, tally: Tally): string | undefined {
  const shown = `${JSON.stringify(operation)} on ${text}`;
  try {
    const outcome = attemptOn(parse(text, 'toml'), operation, 'toml');
    if (outcome instanceof Refusal) {
      const kind = `${outcome.code} | ${operation.op} | ${outcome.message.replaceAll(/Cannot \w+( \w+)* \S+:/g, '…:')}`;
      tally.refused.set(kind, (tally.refused.get(kind) ?? 0) + 1);
      if (!tally.examples.has(kind)) tally.examples.set(kind, shown);
      return undefined;
    }
    const { after } = outcome;
    const isRight = JSON.stringify(inOrder(readData(after))) === JSON.stringify(inOrder(expected));
    if (!isRight) tally.faults.push(`other data: ${shown} => ${after}`);
    tally.faults.push(
      ...strayComments(text, after, operation).map((one) => `lost ${one}: ${shown} => ${after}`),
    );
    tally.done += 1;
    return after;
  } catch (error) {
    tally.faults.push(
      `${error instanceof Error ? `${error.message} ${error.stack?.split('\n')[2]}` : error}: ${shown}`,
    );
    return undefined;
  }
}

/** A new key, a new item and another name take no comment away. */
function strayComments(before: string, after: string, { op }: Operation): string[] {
  if (op !== 'rename' && op !== 'append' && op !== 'insert') return [];
  const left = commentsIn(after);
  return commentsIn(before).filter((comment) => {
    const at = left.indexOf(comment);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

function commentsIn(text: string): string[] {
  return parse(text, 'toml').comments.map(({ start, end }) => text.slice(start, end));
}
