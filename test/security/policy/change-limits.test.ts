// How a new value compares with the old one: what is within each limit, at its edge, and what nobody can compare.
import { beforeEach, expect, it } from 'vitest';
import {
  type ChangeLimits,
  type Found,
  type Json,
  loadEngines,
  type Past,
} from '../../../src/security/index.ts';
import { isWithin, isWithinWindow } from '../../../src/security/policy/change-limits.ts';
import { dataOf } from './json-facts.ts';

beforeEach(() => loadEngines({ semver: '' }));

type Pair = readonly [from: Json, to: Json];

const ROWS: readonly {
  readonly limits: ChangeLimits;
  readonly within: readonly Pair[];
  readonly not: readonly Pair[];
}[] = [
  {
    limits: {},
    within: [
      [1, 2],
      ['a', null],
    ],
    not: [],
  },
  {
    limits: { isUnchanged: true },
    within: [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    not: [
      [1, 2],
      ['1', 1],
    ],
  },
  {
    limits: { maxStep: 2 },
    within: [
      [1, 3],
      [3, 1],
      [1, 1],
      [-1, 1],
    ],
    not: [
      [1, 3.1],
      [3, 0],
      ['1', 2],
      [1, '2'],
      ['1', '1'],
      [null, 1],
      [1, true],
    ],
  },
  {
    limits: { maxStepPercent: 20 },
    within: [
      [10, 12],
      [10, 8],
      [-10, -12],
      [0, 0],
    ],
    not: [
      [10, 12.1],
      [10, 7],
      [0, 1],
      ['10', 11],
      [10, '11'],
      ['10', '10'],
      [10, null],
    ],
  },
  {
    limits: { semver: 'not_lower' },
    within: [
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
        ['1\n:1.2.3', '1\n:1.2.4'],
      ] as const),
    ],
    not: [
      ...([
        ['1.2.3', '1.2.2'],
        ['1.2.3', '1.2.3-rc.1'],
        ['2.0.0', '1.9.9'],
        ['web:1.2.3', 'wep:1.2.4'],
        ['web:1.2.3', '1.2.4'],
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
    within: [
      ['1.2.3', '1.3.0'],
      ['1.2.3', '1.2.4'],
      ['1.2.3', '1.2.3'],
    ],
    not: [
      ['1.2.3', '2.0.0'],
      ['1.2.3', '1.2.2'],
      ['1.2.3', '2.2.3'],
    ],
  },
  {
    limits: { semver: 'patch' },
    within: [
      ['1.2.3', '1.2.4'],
      ['1.2.3', '1.2.3'],
    ],
    not: [
      ['1.2.3', '1.3.0'],
      ['1.2.3', '2.2.4'],
      ['1.2.3', '1.2.2'],
    ],
  },
];

it.each(ROWS)(
  'a change is within $limits where it is so, and nowhere else [POL-1]',
  ({ limits, within, not }) => {
    for (const [from, to] of within)
      expect([from, to, isWithin(limits, { value: from }, { value: to })]).toEqual([from, to, true]);
    for (const [from, to] of not)
      expect([from, to, isWithin(limits, { value: from }, { value: to })]).toEqual([from, to, false]);
  },
);

it('what is not there, or cannot be told, is within nothing [POL-1]', () => {
  const one: Found = { value: 1 };
  for (const limits of [{}, { maxStep: 9 }, { isUnchanged: true }])
    for (const [from, to] of [
      ['none', one],
      [one, 'none'],
      ['unclear', one],
      [one, 'unclear'],
      ['none', 'none'],
    ] as const)
      expect([from, to, isWithin(limits, from, to)]).toEqual([from, to, false]);
});

const past =
  (changes: Past['changes'], knownSince = 0): (() => Past) =>
  () => ({ now: 1_000, knownSince, changes });
const step = (at: number, from: Json | undefined, to: Json | undefined) => ({
  at,
  before: dataOf(from),
  after: dataOf(to),
});

const WINDOW: readonly {
  readonly why: string;
  readonly limits: ChangeLimits;
  readonly past: (() => Past) | undefined;
  readonly is: boolean;
}[] = [
  { why: 'nothing is counted', limits: { maxStep: 1 }, past: undefined, is: true },
  { why: 'nobody knows of it', limits: { maxStep: 9, windowMs: 100 }, past: undefined, is: false },
  { why: 'nothing was changed', limits: { maxStep: 9, windowMs: 100 }, past: past([]), is: true },
  { why: 'it is known just so long', limits: { maxStep: 9, windowMs: 100 }, past: past([], 900), is: true },
  {
    why: 'it is not known long enough',
    limits: { maxStep: 9, windowMs: 100 },
    past: past([], 901),
    is: false,
  },
  {
    why: 'it is near what was before',
    limits: { maxStep: 9, windowMs: 100 },
    past: past([step(950, { a: 1 }, { a: 2 })]),
    is: true,
  },
  {
    why: 'it is far from what was before',
    limits: { maxStep: 3, windowMs: 100 },
    past: past([step(950, { a: 1 }, { a: 2 })]),
    is: false,
  },
  {
    why: 'it is far from what came of that',
    limits: { maxStep: 3, windowMs: 100 },
    past: past([step(950, { a: 4 }, { a: 9 })]),
    is: false,
  },
  {
    why: 'that was just before the window',
    limits: { maxStep: 3, windowMs: 100 },
    past: past([step(900, { a: 1 }, { a: 2 })]),
    is: true,
  },
  {
    why: 'that was just within it',
    limits: { maxStep: 3, windowMs: 100 },
    past: past([step(901, { a: 1 }, { a: 2 })]),
    is: false,
  },
  {
    why: 'that was in the future',
    limits: { maxStep: 3, windowMs: 100 },
    past: past([step(2_000, { a: 1 }, { a: 2 })]),
    is: false,
  },
  {
    why: 'the document was not there',
    limits: { maxStep: 9, windowMs: 100 },
    past: past([step(950, undefined, { a: 5 })]),
    is: false,
  },
  {
    why: 'the document went',
    limits: { maxStep: 9, windowMs: 100 },
    past: past([step(950, { a: 5 }, undefined)]),
    is: false,
  },
  {
    why: 'it changed once of two times',
    limits: { maxChanges: 2, windowMs: 100 },
    past: past([step(950, { a: 5 }, { a: 6 })]),
    is: true,
  },
  {
    why: 'it changed as often as it may',
    limits: { maxChanges: 1, windowMs: 100 },
    past: past([step(950, { a: 5 }, { a: 6 })]),
    is: false,
  },
  {
    why: 'other nodes changed',
    limits: { maxChanges: 1, windowMs: 100 },
    past: past([step(950, { a: 5, b: 1 }, { a: 5, b: 2 })]),
    is: true,
  },
];

it.each(WINDOW)('a change is within its window: $is where $why [POL-1]', ({ limits, past: of, is }) => {
  expect(isWithinWindow(limits, ['a'], { value: 5 }, of)).toBe(is);
});
