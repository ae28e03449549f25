// How a new value compares with the old one: what is within each limit, at its edge, and what nobody can compare.
import { beforeEach, expect, it } from 'vitest';
import {
  type ChangeLimits,
  type Found,
  type Json,
  loadEngines,
  type Past,
} from '../../../src/security/index.ts';
import { type Answer, isWithin, isWithinWindow } from '../../../src/security/policy/change-limits.ts';
import { dataOf } from './json-facts.ts';

beforeEach(() => loadEngines({ semver: '' }));

type Pair = readonly [from: Json, to: Json];

/** What is as the limits ask, what is not, and of which nobody can say. */
const ROWS: readonly {
  readonly limits: ChangeLimits;
  readonly yes: readonly Pair[];
  readonly no: readonly Pair[];
  readonly unclear: readonly Pair[];
}[] = [
  {
    limits: {},
    yes: [
      [1, 2],
      ['a', null],
    ],
    no: [],
    unclear: [],
  },
  {
    limits: { isUnchanged: true },
    yes: [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    no: [
      [1, 2],
      ['1', 1],
    ],
    unclear: [],
  },
  {
    limits: { maxStep: 2 },
    yes: [
      [1, 3],
      [3, 1],
      [1, 1],
      [-1, 1],
    ],
    no: [
      [1, 3.1],
      [3, 0],
    ],
    unclear: [
      ['1', 2],
      [1, '2'],
      ['1', '1'],
      [null, 1],
      [1, true],
    ],
  },
  {
    limits: { maxStepPercent: 20 },
    yes: [
      [10, 12],
      [10, 8],
      [-10, -12],
      [0, 0],
    ],
    no: [
      [10, 12.1],
      [10, 7],
      [0, 1],
    ],
    unclear: [
      ['10', 11],
      [10, '11'],
      ['10', '10'],
      [10, null],
    ],
  },
  {
    limits: { semver: 'not_lower' },
    yes: [
      ...([
        ['1.2.3', '1.2.3'],
        ['1.2.3', '2.0.0'],
        ['1.9.0', '1.10.0'],
        ['v1.2.3', 'v1.2.4'],
        ['1.2.3', 'v1.2.4'],
      ] as const),
      ...([
        ['10.20.30', '10.20.31'],
        ['web:1.2.3', 'web:1.3.0'],
        ['r:5000/a/web:v1.2.3', 'r:5000/a/web:v2.0.0'],
      ] as const),
      ...([
        ['1.2.3-rc.1', '1.2.3'],
        ['1.2.3', '1.2.3+b.1'],
        ['1.2.0', '1.12.0'],
        ['1.2.3', '1.2.13'],
        ['1.2.13', '1.2.14'],
        ['1\n:1.2.3', '1\n:1.2.4'],
      ] as const),
    ],
    no: [
      ['1.2.3', '1.2.2'],
      ['1.2.3', '1.2.3-rc.1'],
      ['2.0.0', '1.9.9'],
      ['1.10.0', '1.9.0'],
      ['web:1.2.13', 'web:1.2.2'],
    ],
    unclear: [
      ...([
        ['web:1.2.3', 'wep:1.2.4'],
        ['web:1.2.3', '1.2.4'],
        ['1.2.3', 'web:1.2.4'],
        ['x1.2.3', 'x1.2.4'],
      ] as const),
      ...([
        ['1.2.3', 'latest'],
        ['latest', '1.2.3'],
        ['latest', 'latest'],
        ['1.2.3', '1.3'],
        ['1.2.3', 'x1.2.4'],
        ['1.2.3', '1.2.4 x'],
      ] as const),
      ...([
        ['1.2.3', '1.2.4@sha256:0'],
        ['web@a:1.2.3', 'web@a:1.2.4'],
        ['1.2.3', 2],
        [1, '1.2.3'],
        ['1.2.3', ['1.2.4']],
        ['1.2.3', '01.2.4'],
      ] as const),
      ...([
        ['1.2.3', '1.2.4!'],
        ['1.2.3', ' 1.2.4'],
        [null, '1.2.3'],
        ['1.2.3', '1.2.4:'],
      ] as const),
    ],
  },
  {
    limits: { semver: 'minor' },
    yes: [
      ['1.2.3', '1.3.0'],
      ['1.2.3', '1.2.4'],
      ['1.2.3', '1.2.3'],
    ],
    no: [
      ['1.2.3', '2.0.0'],
      ['1.2.3', '1.2.2'],
      ['1.2.3', '2.2.3'],
    ],
    unclear: [['a:1.2.3', 'b:1.3.0']],
  },
  {
    limits: { semver: 'patch' },
    yes: [
      ['1.2.3', '1.2.4'],
      ['1.2.3', '1.2.3'],
    ],
    no: [
      ['1.2.3', '1.3.0'],
      ['1.2.3', '2.2.4'],
      ['1.2.3', '1.2.2'],
    ],
    unclear: [['a:1.2.3', 'b:1.2.4']],
  },
  {
    limits: { maxStep: 2, maxStepPercent: 20 },
    yes: [[10, 11]],
    no: [
      [10, 13],
      [5, 7],
      [100, 103],
    ],
    unclear: [['10', 11]],
  },
  {
    limits: { isUnchanged: true, maxStep: 2 },
    yes: [[1, 1]],
    no: [
      [1, 2],
      ['1', 1],
    ],
    unclear: [['1', '1']],
  },
];

it.each(ROWS)(
  'a change is within $limits where it is so, and nowhere else [POL-1]',
  ({ limits, yes, no, unclear }) => {
    for (const [answer, pairs] of Object.entries({ yes, no, unclear }))
      for (const [from, to] of pairs)
        expect([from, to, isWithin(limits, { value: from }, { value: to })]).toEqual([from, to, answer]);
  },
);

it('of what is not there, or cannot be told, nobody can say it is within anything [POL-1]', () => {
  const one: Found = { value: 1 };
  for (const limits of [{}, { maxStep: 9 }, { isUnchanged: true }])
    for (const [from, to] of [
      ['none', one],
      [one, 'none'],
      ['unclear', one],
      [one, 'unclear'],
      ['none', 'none'],
    ] as const)
      expect([from, to, isWithin(limits, from, to)]).toEqual([from, to, 'unclear']);
});

const past =
  (changes: Past['changes'], knownSince = 0): (() => Past) =>
  () => ({ now: 1_000, knownSince, changes });
const step = (at: number, from: Json | undefined, to: Json | undefined) => ({
  at,
  before: dataOf(from),
  after: dataOf(to),
});
const NEAR = { maxStep: 9, windowMs: 100 };
const FAR = { maxStep: 3, windowMs: 100 };

interface InWindow {
  readonly why: string;
  readonly limits: ChangeLimits;
  readonly past: (() => Past) | undefined;
  readonly is: Answer;
}

const withLimits = (limits: ChangeLimits, cases: readonly Omit<InWindow, 'limits'>[]): readonly InWindow[] =>
  cases.map((one) => ({ ...one, limits }));

const WINDOW: readonly InWindow[] = [
  ...withLimits({ maxStep: 1 }, [{ why: 'nothing is counted', past: undefined, is: 'yes' }]),
  ...withLimits(NEAR, [
    { why: 'nobody knows of it', past: undefined, is: 'unclear' },
    { why: 'nothing was changed', past: past([]), is: 'yes' },
    { why: 'it is known just so long', past: past([], 900), is: 'yes' },
    { why: 'it is not known long enough', past: past([], 901), is: 'unclear' },
    { why: 'it is near what was before', past: past([step(950, { a: 1 }, { a: 2 })]), is: 'yes' },
    { why: 'the document was not there', past: past([step(950, undefined, { a: 5 })]), is: 'unclear' },
    { why: 'the document went', past: past([step(950, { a: 5 }, undefined)]), is: 'unclear' },
    { why: 'the node was not there', past: past([step(950, {}, { a: 5 })]), is: 'unclear' },
  ]),
  ...withLimits(FAR, [
    { why: 'it is far from what was before', past: past([step(950, { a: 1 }, { a: 2 })]), is: 'no' },
    { why: 'it is far from what came of that', past: past([step(950, { a: 4 }, { a: 9 })]), is: 'no' },
    { why: 'that was just before the window', past: past([step(900, { a: 1 }, { a: 2 })]), is: 'yes' },
    { why: 'that was just within it', past: past([step(901, { a: 1 }, { a: 2 })]), is: 'no' },
    { why: 'that was in the future', past: past([step(2_000, { a: 1 }, { a: 2 })]), is: 'no' },
    {
      why: 'it is far, and not known long enough',
      past: past([step(950, { a: 1 }, { a: 2 })], 901),
      is: 'no',
    },
  ]),
  ...withLimits({ maxChanges: 2, windowMs: 100 }, [
    { why: 'it changed once of two times', past: past([step(950, { a: 5 }, { a: 6 })]), is: 'yes' },
    {
      why: 'it changed perhaps as often as it may',
      past: past([step(950, { a: 5 }, { a: 6 }), step(960, {}, { a: 6 })]),
      is: 'unclear',
    },
  ]),
  ...withLimits({ maxChanges: 1, windowMs: 100 }, [
    { why: 'it changed as often as it may', past: past([step(950, { a: 5 }, { a: 6 })]), is: 'no' },
    {
      why: 'it changed more often',
      past: past([step(950, { a: 5 }, { a: 6 }), step(960, { a: 6 }, { a: 7 })]),
      is: 'no',
    },
    { why: 'other nodes changed', past: past([step(950, { a: 5, b: 1 }, { a: 5, b: 2 })]), is: 'yes' },
  ]),
  ...withLimits({ maxChanges: 3, windowMs: 100 }, [
    {
      why: 'it changed perhaps, and less often',
      past: past([step(950, { a: 5 }, { a: 5 }), step(960, { a: 5 }, { a: 6 })]),
      is: 'yes',
    },
  ]),
];

it.each(WINDOW)('a change is within its window: $is where $why [POL-1]', ({ limits, past: of, is }) => {
  const versions = { before: undefined, after: undefined, ...(of === undefined ? {} : { past: of }) };
  expect(isWithinWindow(limits, { path: ['a'], after: { value: 5 }, versions, names: [] })).toBe(is);
});

type Items = readonly Json[];
/** The list at `l` before and after the change, and each time before and after an earlier one; undefined: no document. */
const PLACES: readonly {
  readonly why: string;
  readonly now: readonly [Items | undefined, Items | undefined];
  readonly earlier: readonly (readonly [Items | undefined, Items | undefined])[];
  readonly is: Answer;
}[] = [
  {
    why: 'it stayed where it was',
    now: [[{ n: 'a', v: 4 }], [{ n: 'a', v: 5 }]],
    earlier: [[[{ n: 'a', v: 3 }], [{ n: 'a', v: 4 }]]],
    is: 'yes',
  },
  {
    why: 'nothing was changed earlier',
    now: [[{ n: 'a', v: 4 }], [{ n: 'a', v: 5 }]],
    earlier: [],
    is: 'yes',
  },
  {
    why: 'items without names stayed as many',
    now: [[{ v: 4 }], [{ v: 5 }]],
    earlier: [[[{ v: 3 }], [{ v: 4 }]]],
    is: 'yes',
  },
  { why: 'an item comes', now: [[{ v: 4 }], [{ v: 5 }, { v: 1 }]], earlier: [], is: 'unclear' },
  {
    why: 'an item came',
    now: [
      [{ v: 4 }, { v: 1 }],
      [{ v: 5 }, { v: 1 }],
    ],
    earlier: [[[{ v: 4 }], [{ v: 4 }, { v: 1 }]]],
    is: 'unclear',
  },
  { why: 'it has another name', now: [[{ n: 'a', v: 4 }], [{ n: 'b', v: 5 }]], earlier: [], is: 'unclear' },
  {
    why: 'it had another name',
    now: [[{ n: 'a', v: 4 }], [{ n: 'a', v: 5 }]],
    earlier: [[[{ n: 'b', v: 4 }], [{ n: 'a', v: 4 }]]],
    is: 'unclear',
  },
  {
    why: 'it had another deeper name',
    now: [[{ m: { k: 1 }, v: 4 }], [{ m: { k: 1 }, v: 5 }]],
    earlier: [[[{ m: { k: 2 }, v: 4 }], [{ m: { k: 1 }, v: 4 }]]],
    is: 'unclear',
  },
  {
    why: 'another field of it was another',
    now: [[{ o: 1, v: 4 }], [{ o: 2, v: 5 }]],
    earlier: [],
    is: 'yes',
  },
  { why: 'the document is new', now: [undefined, [{ v: 5 }]], earlier: [], is: 'yes' },
  {
    why: 'the document was new',
    now: [[{ v: 4 }], [{ v: 5 }]],
    earlier: [[undefined, [{ v: 4 }]]],
    is: 'unclear',
  },
];

it.each(PLACES)(
  'of an item of a list its steps are counted: $is where $why [POL-1]',
  ({ now, earlier, is }) => {
    const at = (items: Items | undefined) => dataOf(items === undefined ? undefined : { l: items, w: 1 });
    const changes = earlier.map(([before, after]) => ({ at: 950, before: at(before), after: at(after) }));
    const versions = { before: at(now[0]), after: at(now[1]), past: past(changes) };
    const node = { after: { value: 5 }, versions, names: [['n'], ['m', 'k']] };
    expect(isWithinWindow(NEAR, { ...node, path: ['l', 0, 'v'] })).toBe(is);
  },
);

it('of a key it does not count whether a list beside it changes [POL-1]', () => {
  const at = (l: Items) => dataOf({ l, w: 5 });
  const versions = { before: at([]), after: at([1]), past: past([]) };
  expect(isWithinWindow(NEAR, { path: ['w'], after: { value: 5 }, versions, names: [] })).toBe('yes');
});
