// Node paths: what is refused whole, and that printing and parsing are inverse. What spellings mean is in tables/path-cases.json.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../src/security/errors/refusal.ts';
import { type NodePath, printNodePath } from '../../src/security/node-paths/node-path.ts';
import { parseNodePath } from '../../src/security/node-paths/parse-path.ts';
import { runs } from '../harness/runs.ts';

describe('refuses whole', () => {
  test.each([
    ...['a.', 'a..b', '..a', '$..a', 'a.[0]', '[', ']', '[]', '[0', 'a]', 'a[b]', 'a[0]b', 'a[1.5]'],
    ...['a[+1]', 'a[01]', 'a[-0]', 'a[ 0 ]', 'a[9999999999]', 'a["b]', `a['b"]`, 'a["\\x"]', 'a"b', "a'b"],
    ...['"a', '"a"b', '"a".'],
    ...['a[#0]', '[#1]', 'a[0][#1]', 'a[#1][#1]', 'a.*', '**', 'a[*]', 'a[name=web]', 'a[name="x]', 'a[=[]'],
    ...['a["b"', 'a["b"]c', '/a~', '/a~2', '\uD800', 'a'.repeat(5_000), 'a.'.repeat(200)],
  ])('%s', (text) => {
    expect(() => parseNodePath(text)).toThrow(Refusal);
    try {
      parseNodePath(text);
    } catch (error) {
      expect(error).toMatchObject({ code: 'NODE_PATH_INVALID' });
    }
  });
});

const anyKey = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({
    unit: fc.constantFrom(...'.[]"\'$/~-0*#= \n\\\u202E\u200B\u2028\u0000\u{E0001}'),
    maxLength: 6,
  }),
);
const anyPath = fc.array(
  fc.oneof(
    anyKey,
    fc.tuple(anyKey, fc.integer({ min: 1, max: 9 })).map(([key, occurrence]) => ({ key, occurrence })),
    fc.integer({ min: -999_999_999, max: 999_999_999 }),
  ),
  { maxLength: 8 },
);

test('what is printed is parsed back as the same path', () => {
  fc.assert(
    fc.property(anyPath, (path) => {
      expect(parseNodePath(printNodePath(path))).toEqual(path);
    }),
    { numRuns: runs(2_000) },
  );
});

test('what is printed holds nothing that deceives', () => {
  fc.assert(
    fc.property(anyPath, (path) => {
      expect(printNodePath(path)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{DI}]/u);
    }),
    { numRuns: runs(2_000) },
  );
});

test('any text is parsed or refused, and what is parsed has one printed form', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab.[]"\'$/~-01 \\'), maxLength: 12 });
  fc.assert(
    fc.property(text, (typed) => {
      let path: NodePath;
      try {
        path = parseNodePath(typed);
      } catch (error) {
        expect(error).toMatchObject({ code: 'NODE_PATH_INVALID' });
        return;
      }
      const printed = printNodePath(path);
      expect(printNodePath(parseNodePath(printed))).toBe(printed);
    }),
    { numRuns: runs(2_000) },
  );
});
