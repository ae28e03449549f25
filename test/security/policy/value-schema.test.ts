// Whether a value is as a rule asks: each keyword, with the values at its edge, and values of other types, of which a rule
// about safe values takes none, and a rule about dangerous values takes all.
import { beforeEach, describe, expect, it } from 'vitest';
import { type Json, loadEngines } from '../../../src/security/index.ts';
import { compileValue, isSame, listIn, schemaIn } from '../../../src/security/policy/value-schema.ts';

beforeEach(() => loadEngines({ pattern: '' }));

interface Row {
  readonly asks: { readonly [keyword: string]: Json };
  readonly takes: readonly Json[];
  readonly not: readonly Json[];
  /** Of another type: taken where the schema says what is dangerous, and not taken where it says what is safe. */
  readonly ofOtherType?: readonly Json[];
}

const NO_NUMBERS: readonly Json[] = ['5', true, null, [5], {}];
const NO_TEXTS: readonly Json[] = [5, true, null, ['a'], {}];
const NO_LISTS: readonly Json[] = ['a', 1, null, {}];
const NO_MAPPINGS: readonly Json[] = ['a', 1, null, []];

const ROWS: readonly Row[] = [
  { asks: { type: 'null' }, takes: [null], not: [0, '', false, [], {}, 'null'] },
  { asks: { type: 'boolean' }, takes: [true, false], not: [0, 'true', null] },
  { asks: { type: 'object' }, takes: [{}, { a: 1 }], not: [[], null, 'a', 1] },
  { asks: { type: 'array' }, takes: [[], [1]], not: [{}, null, 'a', { length: 0 }] },
  { asks: { type: 'number' }, takes: [1, 1.5, -0], not: ['1', null, true, [1]] },
  { asks: { type: 'integer' }, takes: [1, -3, 0], not: [1.5, '1', null] },
  { asks: { type: 'string' }, takes: ['', 'a'], not: [1, null, ['a']] },
  { asks: { type: ['string', 'null'] }, takes: ['a', null], not: [1, {}] },
  {
    asks: { enum: [1, 'a', null, { b: [2] }] },
    takes: [1, 'a', null, { b: [2] }],
    not: [2, [], { b: [3] }, { b: 2 }],
    ofOtherType: ['1', 'Null', '~'],
  },
  { asks: { const: 'a' }, takes: ['a'], not: ['b', ['a'], null] },
  { asks: { const: null }, takes: [null], not: [0, false], ofOtherType: ['', 'null'] },
  { asks: { const: true }, takes: [true], not: [false, 1, 'no'], ofOtherType: ['true', 'True', 'yes', 'on'] },
  { asks: { const: 'yes' }, takes: ['yes'], not: ['Yes', 'true', false], ofOtherType: [true] },
  { asks: { const: 8 }, takes: [8], not: [10, '0x10'], ofOtherType: ['8', '010', '0x8', '8.0', '+8'] },
  { asks: { minimum: 5 }, takes: [5, 6, 5.5], not: [4.9, -5], ofOtherType: NO_NUMBERS },
  { asks: { maximum: 5 }, takes: [5, 4, -9], not: [5.1], ofOtherType: NO_NUMBERS },
  { asks: { exclusiveMinimum: 5 }, takes: [5.1], not: [5, 4], ofOtherType: NO_NUMBERS },
  { asks: { exclusiveMaximum: 5 }, takes: [4.9], not: [5, 6], ofOtherType: NO_NUMBERS },
  { asks: { multipleOf: 4 }, takes: [8, 0, -4], not: [2, 9, 6], ofOtherType: NO_NUMBERS },
  { asks: { multipleOf: 0.5 }, takes: [1.5, 2], not: [1.7], ofOtherType: NO_NUMBERS },
  { asks: { minLength: 2 }, takes: ['ab', 'abc'], not: ['a', '', '\u{1F600}'], ofOtherType: NO_TEXTS },
  { asks: { maxLength: 2 }, takes: ['ab', '', '\u{1F600}\u{1F600}'], not: ['abc'], ofOtherType: NO_TEXTS },
  { asks: { pattern: '^a+$' }, takes: ['a', 'aa'], not: ['b', '', 'ab'], ofOtherType: NO_TEXTS },
  { asks: { pattern: 'a' }, takes: ['bab'], not: ['b'], ofOtherType: NO_TEXTS },
  {
    asks: { minItems: 2 },
    takes: [
      [1, 2],
      [1, 2, 3],
    ],
    not: [[], [1]],
    ofOtherType: NO_LISTS,
  },
  { asks: { maxItems: 1 }, takes: [[], [1]], not: [[1, 2]], ofOtherType: NO_LISTS },
  { asks: { items: { maximum: 5 } }, takes: [[], [1, 5]], not: [[1, 6], [6]], ofOtherType: NO_LISTS },
  { asks: { items: { type: 'string' } }, takes: [['a']], not: [['a', 1], [null]], ofOtherType: NO_LISTS },
  {
    asks: { required: ['a', 'b'] },
    takes: [{ a: 1, b: null, c: 2 }],
    not: [{ a: 1 }, { b: 1 }, {}],
    ofOtherType: NO_MAPPINGS,
  },
  { asks: { required: ['toString'] }, takes: [{ toString: 1 }], not: [{}], ofOtherType: NO_MAPPINGS },
  {
    asks: { properties: { a: { maximum: 5 }, b: { const: null } } },
    takes: [{}, { a: 5 }, { a: 1, b: null, c: 9 }],
    not: [{ a: 6 }, { a: 1, b: 0 }],
    ofOtherType: NO_MAPPINGS,
  },
  {
    asks: { properties: { toString: { maximum: 5 } } },
    takes: [{}],
    not: [{ toString: 6 }],
    ofOtherType: NO_MAPPINGS,
  },
  {
    asks: { properties: { a: {} }, additionalProperties: false },
    takes: [{}, { a: 1 }],
    not: [{ b: 1 }, { a: 1, b: 2 }],
    ofOtherType: NO_MAPPINGS,
  },
  { asks: { additionalProperties: false }, takes: [{}], not: [{ a: 1 }], ofOtherType: NO_MAPPINGS },
  { asks: { additionalProperties: true }, takes: [{}, { a: 1 }], not: [], ofOtherType: NO_MAPPINGS },
  { asks: { not: { const: 1 } }, takes: [2, null], not: [1], ofOtherType: ['1'] },
  { asks: { not: { type: 'string' } }, takes: [1, null], not: ['a'] },
  { asks: { anyOf: [{ const: 1 }, { const: 2 }] }, takes: [1, 2], not: [3], ofOtherType: ['1'] },
  { asks: { allOf: [{ minimum: 1 }, { maximum: 2 }] }, takes: [1, 2], not: [0, 3], ofOtherType: NO_NUMBERS },
  { asks: { minimum: 1, maximum: 2 }, takes: [1, 2], not: [0, 3], ofOtherType: NO_NUMBERS },
];

describe.each(ROWS)('a value is taken by $asks', ({ asks, takes, not, ofOtherType = [] }) => {
  it('where it is so, and nowhere else', () => {
    const [safe, dangerous] = [compileValue(asks), compileValue(asks, true)];
    const taken = (value: Json) => `${JSON.stringify(value)} ${safe(value)} ${dangerous(value)}`;
    for (const value of takes) expect(taken(value)).toBe(`${JSON.stringify(value)} true true`);
    for (const value of not) expect(taken(value)).toBe(`${JSON.stringify(value)} false false`);
    for (const value of ofOtherType) expect(taken(value)).toBe(`${JSON.stringify(value)} false true`);
  });
});

it.each([
  { asks: { not: { minimum: 10 } }, value: '500' },
  { asks: { not: { anyOf: [{ minimum: 10 }, { const: 'a' }] } }, value: '500' },
  { asks: { not: { allOf: [{ minimum: 10 }, { const: '500' }] } }, value: '500' },
  { asks: { not: { items: { minimum: 10 } } }, value: ['500'] },
  { asks: { not: { properties: { a: { minimum: 10 } } } }, value: { a: '500' } },
  { asks: { not: { not: { maximum: 10 } } }, value: '5' },
  { asks: { items: { not: { minimum: 10 } } }, value: ['5'] },
])('what cannot be compared is not taken for safe below $asks either', ({ asks, value }) => {
  expect(compileValue(asks)(value)).toBe(false);
  expect(compileValue(asks, true)(value)).toBe(true);
});

it.each<{ asks: { readonly [keyword: string]: Json }; value: Json; is: readonly [boolean, boolean] }>([
  { asks: { required: ['a'] }, value: { A: 1 }, is: [false, true] },
  { asks: { required: ['a'] }, value: { 'a ': 1 }, is: [false, true] },
  { asks: { properties: { a: { maximum: 5 } } }, value: { A: 9 }, is: [false, true] },
  { asks: { properties: { a: { maximum: 5 } } }, value: { a: 1, '\uff41': 9 }, is: [false, true] },
  { asks: { properties: { a: { maximum: 5 } } }, value: { A: 1 }, is: [true, true] },
  { asks: { properties: { a: { const: 1 } }, required: ['a'] }, value: { a: 0, A: 1 }, is: [false, true] },
  { asks: { properties: { a: { const: 1 } }, required: ['a'] }, value: { b: 1 }, is: [false, false] },
  { asks: { properties: { a: {} }, additionalProperties: false }, value: { A: 1 }, is: [false, true] },
  { asks: { const: { a: true } }, value: { A: 'yes' }, is: [false, true] },
  { asks: { const: { a: true } }, value: { A: false }, is: [false, false] },
  { asks: { enum: [[80]] }, value: ['0x50'], is: [false, true] },
  { asks: { not: { required: ['a'] } }, value: { A: 1 }, is: [false, true] },
])('$asks takes $value, with keys in another spelling, as what is stricter', ({ asks, value, is }) => {
  expect([compileValue(asks)(value), compileValue(asks, true)(value)]).toEqual(is);
});

const MASKED = '<secret:00000000>';

it.each<{ asks: { readonly [keyword: string]: Json }; value: Json; is: boolean | undefined }>([
  { asks: { minLength: 1 }, value: MASKED, is: undefined },
  { asks: { minLength: 99 }, value: MASKED, is: undefined },
  { asks: { pattern: '^<secret' }, value: `a ${MASKED}`, is: undefined },
  { asks: { type: 'string' }, value: MASKED, is: undefined },
  { asks: { maximum: 5 }, value: MASKED, is: undefined },
  { asks: { const: 'a' }, value: MASKED, is: undefined },
  { asks: { const: MASKED }, value: MASKED, is: undefined },
  { asks: { const: { a: 1 } }, value: { a: MASKED }, is: undefined },
  { asks: { enum: [['a'], 1] }, value: [MASKED], is: undefined },
  { asks: { not: { const: 'a' } }, value: MASKED, is: undefined },
  { asks: { properties: { a: { maximum: 5 } } }, value: { a: MASKED }, is: undefined },
  { asks: { items: { type: 'number' } }, value: [1, MASKED], is: undefined },
  { asks: { type: 'object' }, value: { a: MASKED }, is: true },
  { asks: { required: ['a'] }, value: { a: MASKED }, is: true },
  { asks: { required: ['b'] }, value: { a: MASKED }, is: false },
  { asks: { maxItems: 1 }, value: [MASKED, MASKED], is: false },
  { asks: { minItems: 2 }, value: [MASKED, MASKED], is: true },
  { asks: { anyOf: [{ const: 1 }, { required: ['a'] }] }, value: { a: MASKED }, is: true },
  { asks: { const: 'a' }, value: '<secret:0000000i>', is: false },
])('of what is masked it is said whether $asks takes $value: $is', ({ asks, value, is }) => {
  expect([compileValue(asks)(value), compileValue(asks, true)(value)]).toEqual([is, is]);
});

it('a keyword that is not known is no constraint that holds', () => {
  expect(() => compileValue({ format: 'date' })).toThrow('the keyword was read and is not known');
});

const SAME: readonly (readonly [Json, Json])[] = [
  [1, 1],
  ['a', 'a'],
  [null, null],
  [[], []],
  [{}, {}],
  [
    [1, [2]],
    [1, [2]],
  ],
  [[null], [null]],
  [
    { a: 1, b: [2] },
    { b: [2], a: 1 },
  ],
  [{ a: null }, { a: null }],
];
const OTHER: readonly (readonly [Json, Json])[] = [
  [1, 2],
  [1, '1'],
  [null, 0],
  [null, {}],
  [{}, null],
  [null, []],
  [[], {}],
  [{}, []],
  [{ 0: 1 }, [1]],
  [[1], { 0: 1, length: 1 }],
  [[1], [1, 2]],
  [[1, 2], [1]],
  [
    [1, 2],
    [2, 1],
  ],
  [
    [1, 2],
    [1, 3],
  ],
  [[null], [0]],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: 1, b: 2 }, { a: 1 }],
  [{ a: 1 }, { b: 1 }],
  [
    { a: 1, b: 2 },
    { a: 1, b: 3 },
  ],
  [{ a: null }, { b: null }],
  [{ toString: null }, { a: 1 }],
  ['a', ['a']],
  ['a', { 0: 'a' }],
  [1, {}],
  [true, []],
  [{ a: 1 }, 'a'],
];

it('two values are the same whatever the order of their keys, and others are not', () => {
  for (const [a, b] of SAME) expect([a, b, isSame(a, b), isSame(b, a)]).toEqual([a, b, true, true]);
  for (const [a, b] of OTHER) expect([a, b, isSame(a, b), isSame(b, a)]).toEqual([a, b, false, false]);
});

it('one value stands for a list of one, and what is no mapping for none', () => {
  expect([listIn(1), listIn([1, 2]), listIn([]), listIn({})]).toEqual([[1], [1, 2], [], [{}]]);
  expect([schemaIn({ a: 1 }), schemaIn([1]), schemaIn(null), schemaIn('ab')]).toEqual([{ a: 1 }, {}, {}, {}]);
});
