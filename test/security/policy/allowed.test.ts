// What a rule would let pass, in words for whoever was refused, and as the nearest value, which is never one that would only be
// refused again.
import { beforeEach, expect, it } from 'vitest';
import {
  type ChangeRule,
  type Found,
  type Json,
  loadEngines,
  nearestAllowed,
  whatPasses,
} from '../../../src/security/index.ts';

beforeEach(() => loadEngines({ pattern: '', semver: '' }));

const rule = (more: Partial<ChangeRule>): ChangeRule => ({
  id: 'r',
  level: 'direct',
  otherwise: 'deny',
  ...more,
});

const WORDS: readonly (readonly [asks: Partial<ChangeRule>, says: string | undefined])[] = [
  [{}, undefined],
  [{ value: {}, change: {} }, undefined],
  [{ value: { minimum: 1 } }, 'at least 1'],
  [{ value: { maximum: 9 } }, 'at most 9'],
  [{ value: { minimum: 1, maximum: 9 } }, 'at least 1, at most 9'],
  [{ value: { exclusiveMinimum: 1 } }, 'more than 1'],
  [{ value: { exclusiveMaximum: 9 } }, 'less than 9'],
  [{ value: { multipleOf: 5 } }, 'a multiple of 5'],
  [{ value: { pattern: '^a' } }, 'a text that matches ^a'],
  [{ value: { minLength: 1 } }, 'characters, at least 1'],
  [{ value: { maxLength: 9 } }, 'characters, at most 9'],
  [{ value: { minItems: 1 } }, 'items, at least 1'],
  [{ value: { maxItems: 9 } }, 'items, at most 9'],
  [{ value: { const: 'a' } }, 'exactly a'],
  [{ value: { const: { a: 1 } } }, 'exactly {"a":1}'],
  [{ value: { enum: ['a', 1, null] } }, 'one of a, 1, null'],
  [{ value: { type: 'integer' } }, 'a value of type integer'],
  [{ value: { type: ['integer', 'null'] } }, 'a value of type integer or null'],
  [{ value: { not: { const: 1 } } }, 'not: {"const":1}'],
  [
    { change: { semver: 'not_lower' } },
    'a version (such as 1.2.3) that is not lower, with the same name before it',
  ],
  [
    { change: { semver: 'minor' } },
    'a higher minor or patch version (such as 1.2.3), with the same name before it',
  ],
  [{ change: { semver: 'patch' } }, 'a higher patch version (such as 1.2.3), with the same name before it'],
  [{ change: { maxStep: 5 } }, 'at most 5 more or less than now'],
  [{ change: { maxStepPercent: 20 } }, 'at most 20% more or less than now'],
  [{ change: { isUnchanged: true } }, 'the same value as now'],
  [
    { value: { type: 'integer' }, change: { maxStep: 2 } },
    'a value of type integer, at most 2 more or less than now',
  ],
  [{ value: { const: 'a' }, level: 'deny', otherwise: 'direct' }, 'anything but exactly a'],
  [{ level: 'deny', otherwise: 'direct' }, undefined],
];

it.each(WORDS)('%j lets pass: %s', (asks, says) => expect(whatPasses(rule(asks))).toBe(says));

const at = (value: Json): Found => ({ value });

const NEAREST: readonly {
  readonly asks: Partial<ChangeRule>;
  readonly from: Found;
  readonly to: Found;
  readonly is: Json | undefined;
}[] = [
  { asks: { value: { maximum: 10 } }, from: at(5), to: at(50), is: 10 },
  { asks: { value: { maximum: 10 } }, from: at('5'), to: at(50), is: 10 },
  { asks: { value: { maximum: 10 } }, from: at(5), to: at('50'), is: 10 },
  { asks: { value: { maximum: 10 } }, from: 'none', to: at(50), is: undefined },
  { asks: { value: { minimum: 3 } }, from: at(5), to: at(1), is: 3 },
  { asks: { value: { minimum: 3, maximum: 4 } }, from: at(5), to: at(1), is: 3 },
  { asks: { value: { type: 'integer', maximum: 4 } }, from: at(3), to: at('4'), is: 4 },
  { asks: { value: { maximum: 10 } }, from: at(10), to: at(50), is: undefined },
  { asks: { value: { maximum: 10 } }, from: at(5), to: at('abc'), is: undefined },
  { asks: { value: { maximum: 10 } }, from: at(5), to: at(true), is: undefined },
  { asks: { value: { maximum: 10 } }, from: at(5), to: at(null), is: undefined },
  { asks: { value: { maximum: 10 } }, from: at(5), to: at([50]), is: undefined },
  { asks: { value: { maximum: 10 } }, from: at(5), to: 'none', is: undefined },
  { asks: { value: { maximum: 10 } }, from: at(5), to: 'unclear', is: undefined },
  { asks: { value: { minimum: 4, maximum: 3 } }, from: at(5), to: at(1), is: undefined },
  { asks: { value: { minimum: 4, maximum: 4 } }, from: at(5), to: at(1), is: 4 },
  { asks: {}, from: at(5), to: at(50), is: undefined },
  { asks: { value: { not: { const: 50 } } }, from: at(5), to: at(50), is: undefined },
  { asks: { value: { const: 7 } }, from: at(5), to: at(50), is: 7 },
  { asks: { value: { const: 'a' } }, from: at('b'), to: at('c'), is: 'a' },
  { asks: { value: { const: 'a' } }, from: at('a'), to: at('c'), is: undefined },
  { asks: { value: { const: null } }, from: at('b'), to: at('c'), is: null },
  { asks: { value: { const: null } }, from: at(null), to: at('c'), is: undefined },
  { asks: { value: { enum: ['a'] } }, from: at('b'), to: at('c'), is: 'a' },
  { asks: { value: { enum: ['a', 'd'] } }, from: at('b'), to: at('c'), is: undefined },
  { asks: { value: { enum: [3, 4], maximum: 4 } }, from: at(1), to: at(9), is: undefined },
  { asks: { value: { const: [1] } }, from: at(1), to: at(9), is: [1] },
  { asks: { change: { maxStep: 2 } }, from: at(5), to: at(50), is: 7 },
  { asks: { change: { maxStep: 2 } }, from: at(5), to: at(1), is: 3 },
  { asks: { change: { maxStep: 2 } }, from: at('5'), to: at(50), is: undefined },
  { asks: { change: { maxStep: 2 } }, from: 'unclear', to: at(50), is: undefined },
  { asks: { value: { minimum: 4 }, change: { maxStep: 2 } }, from: at(5), to: at(1), is: 4 },
  { asks: { value: { minimum: 9 }, change: { maxStep: 2 } }, from: at(5), to: at(1), is: undefined },
  { asks: { value: { maximum: 10 }, change: { maxStep: 2 } }, from: at('5'), to: at(50), is: undefined },
  { asks: { change: { maxStepPercent: 20 } }, from: at(-10), to: at(50), is: -8 },
  { asks: { change: { maxStepPercent: 20 } }, from: at(10), to: at(1), is: 8 },
  { asks: { value: { type: 'integer' }, change: { maxStepPercent: 25 } }, from: at(6), to: at(1), is: 5 },
  {
    asks: { value: { type: ['integer', 'null'], multipleOf: 4, maximum: 10 } },
    from: at(1),
    to: at(50),
    is: 8,
  },
  { asks: { value: { multipleOf: 4, maximum: 10 } }, from: at(1), to: at(50), is: undefined },
  { asks: { value: { type: 'number', maximum: 10.5 } }, from: at(1), to: at(50), is: 10.5 },
  { asks: { value: { maximum: 10, exclusiveMaximum: 10 } }, from: at(1), to: at(50), is: undefined },
  {
    asks: { value: { const: 7 }, level: 'deny', otherwise: 'direct' },
    from: at(5),
    to: at(50),
    is: undefined,
  },
];

it.each(NEAREST)('of $asks the nearest to $to is $is, from $from', ({ asks, from, to, is }) => {
  expect(nearestAllowed(rule(asks), { before: from, after: to })).toEqual(is);
});
