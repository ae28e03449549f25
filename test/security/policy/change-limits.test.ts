// How a new value compares with the old one: what is within each limit, at its edge, and what nobody can compare.
import { beforeEach, expect, it } from 'vitest';
import { type ChangeLimits, type Found, type Json, loadEngines } from '../../../src/security/index.ts';
import { isWithin } from '../../../src/security/policy/change-limits.ts';

beforeEach(() => loadEngines({ semver: '' }));

type Pair = readonly [from: Json, to: Json];

/** What is as the limits ask, what is not, and of which nobody can say. */
const DIGEST = `sha256:${'a'.repeat(64)}`;
const OTHER_DIGEST = `sha256:${'b'.repeat(64)}`;

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
        [`v1.2.3@${DIGEST}`, `v1.2.4@${OTHER_DIGEST}`],
        ['web:1.2.3', `web:1.2.3@${DIGEST}`],
      ] as const),
    ],
    no: [
      ['1.2.3', '1.2.2'],
      ['1.2.3', '1.2.3-rc.1'],
      ['2.0.0', '1.9.9'],
      ['1.10.0', '1.9.0'],
      ['web:1.2.13', 'web:1.2.2'],
      [`v1.2.3@${DIGEST}`, `v1.2.2@${OTHER_DIGEST}`],
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
        [`1.2.3@${DIGEST}`, '1.2.4'],
        [`web@${DIGEST}`, `web@${OTHER_DIGEST}`],
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
    limits: { quantity: 'not_lower' },
    yes: [
      ['500m', 1],
      ['1Gi', '1024Mi'],
    ],
    no: [
      ['1Gi', '1G'],
      [1, '999m'],
    ],
    unclear: [['1Gi', 'large']],
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
