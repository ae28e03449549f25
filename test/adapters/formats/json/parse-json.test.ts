// Strict JSON: what JSON.parse takes is taken with its data, and what it refuses is refused.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../../src/security/policy/policy.ts';
import { codeOf } from '../../../harness/refusals.ts';
import { runs } from '../../../harness/runs.ts';
import { dataOf, parse } from '../../editing/attempt.ts';

/** As our reader tells it: true where the text is JSON, or the code. */
const ours = (text: string) => codeOf(() => parse(text, 'json'));
const theirs = (text: string) => codeOf(() => JSON.parse(text)).replace('SyntaxError', 'SYNTAX_INVALID');

test.each([
  ...['{}', '[]', ' [ ] ', '""', '0', '-0', '1.5e+10', 'true', 'null', '{"a":{"a":[1]}}'],
  ...['\t\r\n1\n', '"\\ud800"'],
  ...['', ' ', '{', '[1,]', '{"a":1,}', "{'a':1}", '{a:1}', '01', '-', '+1', '.5', '5.', '1e', '0x1'],
  ...['NaN', 'Infinity'],
  ...['"a', '"\t"', '"\\x"', '"\\u12"', '1 2', '[1 2]', '{"a" 1}', '// c\n1', '/* */1', 'True', 'nul'],
  ...['nulls', '\v1'],
  ...['\u00A01', '"\u2028"', '"\u0000"', '[,]', '{"a":}', '{1:2}', '[1}', 'truefalse', '1-', '"a"b'],
])('%j as JSON.parse', (text) => {
  expect(ours(text)).toBe(theirs(text));
});

test('takes a byte order mark, which JSON.parse does not', () => {
  expect(dataOf(parse('\uFEFF{"a":1}', 'json'), 'json')).toEqual([{ a: 1 }]);
});

const values = fc.jsonValue({ maxDepth: 4 });

test('random values, in any layout, come back as they were', () => {
  fc.assert(
    fc.property(values, fc.constantFrom(0, 1, 4, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      // Integers beyond 2^53 come as text and are left out here.
      fc.pre(!/\d{16}/.test(text));
      expect(dataOf(parse(text, 'json'), 'json')).toEqual([JSON.parse(text)]);
    }),
    { numRuns: runs(1_000) },
  );
});

test('agrees with JSON.parse on mutations of valid JSON', () => {
  const mutation = fc.record({
    value: values,
    at: fc.nat(200),
    cut: fc.nat(2),
    insert: fc.string({ unit: fc.constantFrom(...'{}[]",:0159.eE+-tfn\\u \n\t'), maxLength: 2 }),
  });
  fc.assert(
    fc.property(mutation, ({ value, at, cut, insert }) => {
      const text = JSON.stringify(value);
      const from = at % (text.length + 1);
      const mutated = text.slice(0, from) + insert + text.slice(from + cut);
      expect([mutated, ours(mutated)]).toEqual([mutated, theirs(mutated)]);
    }),
    { numRuns: runs(2_000) },
  );
});

test.each([
  { text: '['.repeat(101), limits: {}, why: 'nesting' },
  { text: '['.repeat(1_000_000), limits: {}, why: 'nesting that would overflow the stack' },
  { text: '{"a":'.repeat(200_000), limits: {}, why: 'nesting of objects' },
  { text: '[1,2,3,4,5]', limits: { tokens: 5 }, why: 'values' },
  { text: '[1,2,3,4,5]', limits: { parsedSizeBytes: 10 }, why: 'size' },
])('there is a limit to $why', ({ text, limits }) => {
  expect(codeOf(() => parse(text, 'json', { ...DEFAULT_LIMITS, ...limits }))).toBe('LIMIT_EXCEEDED');
  expect(ours(`${'['.repeat(100)}1${']'.repeat(100)}`)).toBe('no error');
});
