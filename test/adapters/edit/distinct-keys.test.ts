// No value brings a key into a file twice: readers would take one of the two, and not all of them the same one.
import { expect, it } from 'vitest';
import type { Operation } from '../../../src/adapters/index.ts';
import { refusalOf } from '../../security/fixture.ts';
import { edited } from '../editing/attempt.ts';

const TEXT = 'a: 1\nb: 1\nlist: [1]\nold:\n  x: 1\n  x: 2\n';

it.each([
  { why: 'braces', source: '{k: 1, k: 2}', place: 'key k stands twice in one mapping (again in line 1' },
  { why: 'a block', source: 'k: 1\nl: 2\nk: 3', place: 'key k stands twice in one mapping (again in line 3' },
  { why: 'another spelling', source: 'k: 1\n"k": 2', place: 'key k stands' },
  { why: 'below', source: '- q:\n    k: 1\n    k: 2', place: 'key [0].q.k stands' },
  { why: 'behind aliases', source: `[${'*a, '.repeat(2_000)}{k: 1, k: 2}]`, place: 'key [2000].k stands' },
])('a value is refused that says a key twice: $why', ({ source, place }) => {
  const value = source;
  const operations: readonly Operation[] = [
    { op: 'set', path: 'a', value, create: false },
    { op: 'set', path: 'new.below', value, create: true },
    { op: 'append', path: 'list', value },
    { op: 'insert', path: '', key: 'z', value },
  ];
  for (const operation of operations) {
    const refusal = refusalOf(() => edited(TEXT, operation));
    expect([refusal?.code, refusal?.message]).toEqual(['VALUE_INVALID', expect.stringContaining(place)]);
  }
});

it('a key may stand once in each of several mappings, and what was there before is left alone', () => {
  const source = '[{k: 1}, {k: 2, l: {k: 3}}]';
  expect(edited(TEXT, { op: 'set', path: 'a', value: source, create: false })).toBe(
    TEXT.replace('a: 1', `a: ${source}`),
  );
  expect(edited(TEXT, { op: 'delete', path: 'old' })).toBe('a: 1\nb: 1\nlist: [1]\n');
});
