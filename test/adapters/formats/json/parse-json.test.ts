// Strict JSON: what JSON.parse takes is taken, what it refuses is refused, and every span is the value's own.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../../src/adapters/formats/json/parse-json.ts';
import { type SpanNode, walk } from '../../../../src/adapters/tree/span-tree.ts';
import { toValue } from '../../../../src/adapters/values/to-value.ts';
import { DEFAULT_LIMITS } from '../../../../src/security/index.ts';
import { refusalOf } from '../../../harness/refusals.ts';
import { runs } from '../../../harness/runs.ts';

function isValid(text: string): boolean {
  try {
    parseJson(text, DEFAULT_LIMITS);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'SYNTAX_INVALID' });
    return false;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ...['{}', '[]', ' [ ] ', '""', '0', '-0', '1.5e+10', 'true', 'null', '{"a":{"a":[1]}}'],
  ...['\t\r\n1\n', '"\\ud800"'],
  ...['', ' ', '{', '[1,]', '{"a":1,}', "{'a':1}", '{a:1}', '01', '-', '+1', '.5', '5.', '1e', '0x1'],
  ...['NaN', 'Infinity'],
  ...['"a', '"\t"', '"\\x"', '"\\u12"', '1 2', '[1 2]', '{"a" 1}', '// c\n1', '/* */1', 'True', 'nul'],
  ...['nulls', '\v1'],
  ...['\u00A01', '"\u2028"', '"\u0000"', '[,]', '{"a":}', '{1:2}', '[1}', 'truefalse', '1-', '"a"b'],
])('%j as JSON.parse', (text) => {
  expect(isValid(text)).toBe(isJson(text));
});

test('takes a byte order mark, which JSON.parse does not', () => {
  expect(parseJson('\uFEFF{"a":1}', DEFAULT_LIMITS).documents[0]).toMatchObject({ contentStart: 1 });
});

const values = fc.jsonValue({ maxDepth: 4 });

test('random values, in any layout, come back as they were', () => {
  fc.assert(
    fc.property(values, fc.constantFrom(0, 1, 4, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const stream = parseJson(text, DEFAULT_LIMITS);
      const [document] = stream.documents;
      if (document === undefined) throw new Error('one document');
      // Through text, as -0 becomes 0; integers beyond 2^53 come as text and are left out here.
      fc.pre(!/\d{16}/.test(text));
      expect(toValue(document, document.root)).toEqual(JSON.parse(text));
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
      expect({ mutated, valid: isValid(mutated) }).toEqual({ mutated, valid: isJson(mutated) });
    }),
    { numRuns: runs(2_000) },
  );
});

test('every node is JSON by itself, and stands within its parent in order', () => {
  fc.assert(
    fc.property(values, (value) => {
      const text = JSON.stringify(value, null, 2);
      const root = parseJson(text, DEFAULT_LIMITS).documents[0]?.root;
      for (const node of root === undefined ? [] : walk(root)) {
        JSON.parse(text.slice(node.start, node.end));
        expectInOrder(node);
      }
    }),
    { numRuns: runs(200) },
  );
});

function expectInOrder(node: SpanNode): void {
  let at = node.start;
  const children =
    node.kind === 'mapping'
      ? node.entries.flatMap(({ key, value }) => [key, value])
      : node.kind === 'sequence'
        ? node.items.map(({ value }) => value)
        : [];
  for (const child of children) {
    expect(child.start).toBeGreaterThan(at);
    at = child.end;
  }
  expect(at).toBeLessThanOrEqual(node.end);
}

describe('limits', () => {
  test.each([
    { text: '['.repeat(101), limits: {}, why: 'nesting' },
    { text: '['.repeat(1_000_000), limits: {}, why: 'nesting that would overflow the stack' },
    { text: '{"a":'.repeat(200_000), limits: {}, why: 'nesting of objects' },
    { text: '[1,2,3,4,5]', limits: { tokens: 5 }, why: 'values' },
    { text: '[1,2,3,4,5]', limits: { parsedSizeBytes: 10 }, why: 'size' },
  ])('$why', ({ text, limits }) => {
    expect(() => parseJson(text, { ...DEFAULT_LIMITS, ...limits })).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED' }),
    );
  });

  test('exactly as deep as allowed is fine', () => {
    parseJson(`${'['.repeat(100)}1${']'.repeat(100)}`, DEFAULT_LIMITS);
  });
});

test.each([
  { text: '{\n  "a": 1,\n}', line: 3, column: 1 },
  { text: '["é", x]', line: 1, column: 7 },
  { text: '"abc', line: 1, column: 1 },
  { text: '\uFEFF[', line: 1, column: 2 },
])('the place of an error: $text', ({ text, line, column }) => {
  expect(refusalOf(() => parseJson(text, DEFAULT_LIMITS))?.where).toMatchObject({ line, column });
});
