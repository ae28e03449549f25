// Which paths of a rule name a path of the data, and how surely: by keys in whatever spelling, by indexes from either end, by
// what an item says before or after, and by what comes or goes in front.
import { expect, it } from 'vitest';
import { readPolicy } from '../../../src/adapters/index.ts';
import type { DataPath, Found, Json, LeafChange } from '../../../src/security/index.ts';
import { matchPath, textOf } from '../../../src/security/policy/match-path.ts';
import { dataOf } from './json-facts.ts';

/** A value that readers take differently. */
const UNCLEAR = 'unclear!';

interface Row {
  readonly why: string;
  readonly rule: string;
  readonly at: DataPath;
  readonly before?: Json;
  readonly after?: Json;
  readonly change?: Partial<LeafChange>;
  /** Each: the depth, `?` where it is perhaps only, `!` where the values say nothing. */
  readonly is: readonly string[];
}

const C = (...names: readonly Json[]) => ({ c: names.map((name) => ({ name, x: 1 })) });

const ROWS: readonly Row[] = [
  { why: 'a key', rule: 'a', at: ['a'], is: ['1'] },
  { why: 'a node below it', rule: 'a', at: ['a', 'b'], is: ['1'] },
  { why: 'two keys', rule: 'a.b', at: ['a', 'b', 0], is: ['2'] },
  { why: 'another key', rule: 'a', at: ['b'], is: [] },
  { why: 'a node above it', rule: 'a.b', at: ['a'], is: [] },
  { why: 'a key as an index', rule: '["0"]', at: [0], is: [] },
  { why: 'digits as an index', rule: 'a.0', at: ['a', 0], is: ['2'] },
  { why: 'digits as a key', rule: 'a.0', at: ['a', '0'], is: ['2'] },
  { why: 'a key with dots', rule: 'a.b.io/c.d', at: ['a', 'b.io/c', 'd'], is: ['3?'] },
  { why: 'a key with dots and digits', rule: 'a.1.2', at: ['a', '1.2'], is: ['2?'] },
  { why: 'a key with dots, in quotes', rule: 'a["b"].c', at: ['a', 'b.c'], is: [] },
  { why: 'a leading dot as the root', rule: '.a.b', at: ['a', 'b'], is: ['2'] },
  { why: 'a leading dot as a part of the key', rule: '.a.b', at: ['.a', 'b'], is: ['2?'] },
  { why: 'a leading dot and others of one key', rule: '.a.b.c', at: ['.a.b', 'c'], is: ['2?'] },
  { why: 'a key with a leading dot, without it', rule: 'a.b', at: ['.a', 'b'], is: [] },
  { why: 'another key with dots', rule: 'a.b.c', at: ['a', 'b.d'], is: [] },
  { why: 'an octal number', rule: '["80"]', at: ['0120'], is: ['1?'] },
  { why: 'a number in base 60', rule: '["80"]', at: ['1:20'], is: ['1?'] },
  { why: 'a letter for a boolean', rule: '["true"]', at: ['y'], is: ['1?'] },
  { why: 'blanks around a key', rule: 'a', at: ['a\u00a0'], is: ['1?'] },
  {
    why: 'a node above it, below which anything may stand',
    rule: 'a.b',
    at: ['a'],
    change: { isOpen: true },
    is: ['1?!'],
  },
  { why: 'the node itself', rule: 'a', at: ['a'], change: { isOpen: true }, is: ['1'] },
  {
    why: 'an item whose name is a number',
    rule: 'c[name=1.10].x',
    at: ['c', 0, 'x'],
    before: C(1.1),
    after: C(1.1),
    is: ['3?'],
  },
  { why: 'another case', rule: 'a.b', at: ['A', 'b'], is: ['2?'] },
  { why: 'another case further down', rule: 'a.b', at: ['a', 'B', 'c'], is: ['2?'] },
  { why: 'the same number', rule: '["80"]', at: ['0x50'], is: ['1?'] },
  { why: 'the same number as well', rule: '["-8"]', at: ['-0_8.0'], is: ['1?'] },
  { why: 'the same boolean', rule: 'on', at: ['True'], is: ['1?'] },
  { why: 'another boolean', rule: 'on', at: ['off'], is: [] },
  { why: 'the same null', rule: '["null"]', at: ['~'], is: ['1?'] },
  { why: 'another number', rule: '["80"]', at: ['8'], is: [] },
  { why: 'a version that is no number', rule: '["1.0.0"]', at: ['1.0'], is: [] },
  { why: 'another form of Unicode', rule: 'caf\u00e9', at: ['cafe\u0301'], is: ['1?'] },
  { why: 'the same form', rule: 'caf\u00e9', at: ['caf\u00e9'], is: ['1'] },
  { why: 'another spelling of a number', rule: '["0x50"]', at: ['80'], is: ['1?'] },
  { why: 'digits in groups', rule: '["1_000"]', at: ['1000'], is: ['1?'] },
  { why: 'a number with its sign', rule: '["+5"]', at: ['5'], is: ['1?'] },
  { why: 'a number below nothing', rule: '["-5"]', at: ['-5.0'], is: ['1?'] },
  { why: 'another sign', rule: '["-5"]', at: ['5'], is: [] },
  { why: 'another number', rule: '["0x50"]', at: ['50'], is: [] },
  { why: 'a number that begins with its point', rule: '[".5"]', at: ['0.5'], is: ['1?'] },
  { why: 'no number', rule: '[""]', at: ['0'], is: [] },
  { why: 'two keys that begin as numbers', rule: '["5x"]', at: ['5y'], is: [] },
  { why: 'any key', rule: '*', at: ['a'], is: ['1'] },
  { why: 'any key, an item too', rule: 'a.*', at: ['a', 0], is: ['2'] },
  { why: 'any item', rule: 'a[*].b', at: ['a', 3, 'b'], is: ['3'] },
  { why: 'any item, and no key', rule: 'a[*]', at: ['a', 'b'], is: [] },
  { why: 'every depth alone', rule: '**', at: ['a', 'b'], is: ['2'] },
  { why: 'every depth below', rule: 'a.**', at: ['a', 'b', 'c'], is: ['3'] },
  { why: 'every depth of a key', rule: '**.b', at: ['a', 'b'], is: ['2'] },
  { why: 'every depth, also none', rule: '**.b', at: ['b'], is: ['1'] },
  { why: 'every depth, twice there', rule: '**.b', at: ['b', 'b'], is: ['1', '2'] },
  { why: 'every depth between', rule: 'a.**.b', at: ['a', 'x', 'y', 'b'], is: ['4'] },
  { why: 'every depth twice', rule: '**.a.**.b', at: ['x', 'a', 'b'], is: ['3'] },
  { why: 'every depth, nowhere', rule: '**.b', at: ['a', 'c'], is: [] },
  { why: 'every depth twice at the end', rule: '**.**', at: ['a', 'b'], is: ['2'] },
  {
    why: 'every depth of a vague change',
    rule: '**.b',
    at: ['a'],
    change: { isVague: true },
    is: ['1?!'],
  },
  { why: 'a vague change above', rule: 'a.b', at: ['a'], change: { isVague: true }, is: ['1?!'] },
  { why: 'a vague change at the node', rule: 'a', at: ['a'], change: { isVague: true }, is: ['1?!'] },
  { why: 'a vague change beside it', rule: 'b', at: ['a'], change: { isVague: true }, is: [] },
  { why: 'a vague change of another case', rule: 'a', at: ['A'], change: { isVague: true }, is: ['1?!'] },
  { why: 'an index', rule: '[1]', at: [1], before: [1, 2], after: [1, 3], is: ['1'] },
  { why: 'another index', rule: '[1]', at: [0], before: [1, 2], after: [0, 2], is: [] },
  { why: 'an index below', rule: 'a[1].b', at: ['a', 1, 'b'], is: ['3'] },
  { why: 'an index that is a key', rule: 'a[1]', at: ['a', '1'], is: [] },
  { why: 'digits that are a key', rule: '/a/1', at: ['a', '1'], is: ['2'] },
  { why: 'digits that are an index', rule: '/a/1', at: ['a', 1], is: ['2'] },
  { why: 'digits that are another index', rule: '/a/1', at: ['a', 2], is: [] },
  { why: 'digits that are another key', rule: '/a/1', at: ['a', '2'], is: [] },
  {
    why: 'the last item before and after',
    rule: 'a[-1]',
    at: ['a', 1],
    before: { a: [1, 2] },
    after: { a: [1, 3] },
    is: ['2'],
  },
  {
    why: 'the last item before',
    rule: 'a[-1]',
    at: ['a', 1],
    before: { a: [1, 2] },
    after: { a: [1, 3, 4] },
    is: ['2'],
  },
  {
    why: 'the last item after',
    rule: 'a[-1]',
    at: ['a', 2],
    before: { a: [1, 2] },
    after: { a: [1, 2, 4] },
    is: ['2'],
  },
  {
    why: 'the first item, and not the last',
    rule: 'a[-1]',
    at: ['a', 0],
    before: { a: [1, 2] },
    after: { a: [0, 2] },
    is: [],
  },
  {
    why: 'the last of what is no list',
    rule: 'a[-1]',
    at: ['a', 0],
    before: { a: 'b' },
    after: { a: {} },
    is: ['1?!'],
  },
  { why: 'the last where there is no document', rule: 'a[-1]', at: ['a', 0], after: { a: [1] }, is: ['2'] },
  { why: 'the last where there will be none', rule: 'a[-1]', at: ['a', 0], before: { a: [1] }, is: ['2'] },
  {
    why: 'the last of a list that cannot be told',
    rule: 'a[-1]',
    at: ['a', 0],
    before: { a: UNCLEAR },
    after: { a: UNCLEAR },
    is: ['1?!'],
  },
  { why: 'the first of two from the end', rule: '[-2]', at: [0], before: [1, 2], after: [0, 2], is: ['1'] },
  {
    why: 'the first index, by which nothing shifts',
    rule: '[0]',
    at: [0],
    before: [1],
    after: [2],
    is: ['1'],
  },
  { why: 'an item that comes in front', rule: 'a[2]', at: ['a', 0], change: { shifting: [1] }, is: ['1?!'] },
  {
    why: 'an item that comes there',
    rule: 'a[2]',
    at: ['a', 2],
    change: { shifting: [1] },
    is: ['2', '1?!'],
  },
  { why: 'an item that comes behind', rule: 'a[2]', at: ['a', 3], change: { shifting: [1] }, is: [] },
  {
    why: 'an item that comes anywhere, from the end',
    rule: 'a[-1]',
    at: ['a', 0],
    change: { shifting: [1] },
    is: ['1?!'],
  },
  {
    why: 'an item of another list that comes in front',
    rule: 'a[2]',
    at: ['a', 0],
    change: { shifting: [0] },
    is: [],
  },
  { why: 'an item that comes behind the first', rule: '[0]', at: [1], change: { shifting: [0] }, is: [] },
  {
    why: 'an item by its name',
    rule: 'c[name=w].x',
    at: ['c', 0, 'x'],
    before: C('w'),
    after: C('w'),
    is: ['3'],
  },
  {
    why: 'another item',
    rule: 'c[name=w].x',
    at: ['c', 0, 'x'],
    before: C('v', 'w'),
    after: C('v', 'w'),
    is: [],
  },
  {
    why: 'an item by its name before',
    rule: 'c[name=w].x',
    at: ['c', 0, 'x'],
    before: C('w'),
    after: C('v'),
    is: ['3'],
  },
  {
    why: 'an item by its name after',
    rule: 'c[name=w].x',
    at: ['c', 0, 'x'],
    before: C('v'),
    after: C('w'),
    is: ['3'],
  },
  {
    why: 'an item that loses its name',
    rule: 'c[name=w].x',
    at: ['c', 0, 'name'],
    before: C('w'),
    after: C('v'),
    is: ['2?!'],
  },
  {
    why: 'an item that gets its name',
    rule: 'c[name=w].x',
    at: ['c', 0, 'name'],
    before: C('v'),
    after: C('w'),
    is: ['2?!'],
  },
  {
    why: 'an item that is renamed between others',
    rule: 'c[name=w].x',
    at: ['c', 0, 'name'],
    before: C('u'),
    after: C('v'),
    is: [],
  },
  {
    why: 'an item that keeps its name',
    rule: 'c[name=w].x',
    at: ['c', 0, 'name'],
    before: C('w'),
    after: C('w'),
    is: [],
  },
  {
    why: 'all of an item that loses its name',
    rule: 'c[name=w].x',
    at: ['c', 0],
    before: C('w'),
    after: C('v'),
    is: ['2?!'],
  },
  {
    why: 'an item that is new',
    rule: 'c[name=w]',
    at: ['c', 0, 'name'],
    before: { c: [] },
    after: C('w'),
    is: ['2'],
  },
  {
    why: 'an item of a document that is new',
    rule: 'c[name=w]',
    at: ['c', 0, 'x'],
    after: C('w'),
    is: ['2'],
  },
  { why: 'an item of a document that goes', rule: 'c[name=w]', at: ['c', 0, 'x'], before: C('w'), is: ['2'] },
  {
    why: 'an item whose name is masked',
    rule: 'c[name=w].x',
    at: ['c', 0, 'x'],
    before: C('<secret:00000000>'),
    after: C('<secret:00000000>'),
    is: ['3?'],
  },
  {
    why: 'an item with a masked name',
    rule: 'c[name="<secret:00000000>"].x',
    at: ['c', 0, 'x'],
    before: C('<secret:00000000>'),
    after: C('<secret:00000000>'),
    is: ['3?'],
  },
  {
    why: 'an item whose name cannot be told',
    rule: 'c[name=w].x',
    at: ['c', 0, 'x'],
    before: C(UNCLEAR),
    after: C(UNCLEAR),
    is: ['3?'],
  },
  {
    why: 'an item whose name cannot be told after',
    rule: 'c[name=w].x',
    at: ['c', 0, 'x'],
    before: C('v'),
    after: C(UNCLEAR),
    is: ['3?'],
  },
  {
    why: 'a key where an item is meant',
    rule: 'c[name=w].x',
    at: ['c', 'name', 'x'],
    before: { c: { name: { name: 'w' } } },
    is: [],
  },
  {
    why: 'an item by a number',
    rule: 'c[name=1].x',
    at: ['c', 0, 'x'],
    before: C(1),
    after: C(1),
    is: ['3'],
  },
  {
    why: 'an item by a deeper field',
    rule: 'c[m.n=w].x',
    at: ['c', 0, 'm', 'o'],
    before: { c: [{ m: { n: 'w' } }] },
    after: { c: [{ m: { n: 'v' } }] },
    is: [],
  },
  {
    why: 'an item by a deeper field, which changes',
    rule: 'c[m.n=w].x',
    at: ['c', 0, 'm', 'n'],
    before: { c: [{ m: { n: 'w' } }] },
    after: { c: [{ m: { n: 'v' } }] },
    is: ['2?!'],
  },
  {
    why: 'an item by a deeper field, with what is above it',
    rule: 'c[m.n=w].x',
    at: ['c', 0, 'm'],
    before: { c: [{ m: { n: 'w' } }] },
    after: { c: [{ m: { n: 'v' } }] },
    is: ['2?!'],
  },
];

/** As `dataOf`, but with values that cannot be told. */
function versionOf(value: Json | undefined) {
  const data = dataOf(value);
  if (data === undefined) return undefined;
  const at = (path: DataPath): Found => {
    const found = data.at(path);
    return typeof found === 'object' && found.value === UNCLEAR ? 'unclear' : found;
  };
  return { ...data, at };
}

it.each(ROWS)(
  'a path is named by $rule: $why [POL-1]',
  async ({ rule, at, before, after, change = {}, is }) => {
    const { rules } = await readPolicy(`rules: [{ id: r, paths: ${JSON.stringify(rule)}, then: deny }]`);
    const steps = rules[0]?.paths?.[0]?.steps ?? [];
    const leaf: LeafChange = { op: 'replace', doc: 0, path: at, ...change };
    const found = matchPath(steps, leaf, { before: versionOf(before), after: versionOf(after) });
    expect(
      found.map(
        ({ depth, isLoose, isValueKnown }) => `${depth}${isLoose ? '?' : ''}${isValueKnown ? '' : '!'}`,
      ),
    ).toEqual(is);
  },
);

it('a path with many words for every depth is looked for once from each place', async () => {
  const { rules } = await readPolicy(`rules: [{ id: r, paths: "${'**.a.'.repeat(30)}b", then: deny }]`);
  const path = Array.from({ length: 60 }, () => 'a');
  const leaf: LeafChange = { op: 'replace', doc: 0, path };
  const steps = rules[0]?.paths?.[0]?.steps ?? [];
  expect(matchPath(steps, leaf, { before: undefined, after: undefined })).toEqual([]);
});

it.each([
  [{ value: 'a' }, 'a'],
  [{ value: 1 }, '1'],
  [{ value: true }, 'true'],
  [{ value: null }, 'null'],
  [{ value: {} }, undefined],
  [{ value: ['a'] }, undefined],
  ['none', undefined],
  ['unclear', undefined],
] as const)('of %j the text is %s', (found, text) => expect(textOf(found)).toBe(text));
