// Node paths: what each spelling means, what is refused whole, and that printing and parsing are inverse.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type NodePath, parseNodePath, printNodePath, Refusal } from '../../../src/security/index.ts';
import { runs } from '../../harness/runs.ts';

describe('parses', () => {
  test.each<{ text: string; path: NodePath; why: string }>([
    { text: '', path: [], why: 'the root' },
    { text: '$', path: [], why: 'the root, with the leading dollar' },
    { text: 'a', path: ['a'], why: 'a key' },
    { text: '$.a', path: ['a'], why: 'the optional dollar' },
    { text: '$[0]', path: [0], why: 'the dollar before a bracket' },
    { text: '$.', path: [], why: 'the root, with the dollar and the dot' },
    { text: '.', path: [], why: 'the root, as jq writes it' },
    { text: '.a', path: ['a'], why: 'the leading dot of jq' },
    { text: '.[0].a', path: [0, 'a'], why: 'the leading dot before a bracket' },
    { text: 'a[#2].b', path: [{ key: 'a', occurrence: 2 }, 'b'], why: 'the second of two equal keys' },
    { text: '["*"]["**"]', path: ['*', '**'], why: 'stars in quotes are keys' },
    { text: '$ref', path: ['$ref'], why: 'a key that starts with a dollar' },
    { text: 'a.b[0].c', path: ['a', 'b', 0, 'c'], why: 'a mixture' },
    { text: '[0][-1]', path: [0, -1], why: 'indexes, from the end too' },
    { text: 'a["b.c/d"]', path: ['a', 'b.c/d'], why: 'a quoted key' },
    { text: "a['it''s']", path: ['a', "it's"], why: 'single quotes, doubled inside' },
    { text: '["\\u00e9\\n\\""]', path: ['é\n"'], why: 'JSON escapes' },
    { text: '["0"]', path: ['0'], why: 'digits in quotes are a key' },
    { text: '0.1', path: ['0', '1'], why: 'bare digits are keys' },
    { text: 'a b.ü-ö/x', path: ['a b', 'ü-ö/x'], why: 'spaces, unicode, dashes, slashes' },
    { text: 'true.null.~', path: ['true', 'null', '~'], why: 'typed words are keys' },
    { text: '[""]', path: [''], why: 'an empty key' },
    { text: '__proto__.constructor', path: ['__proto__', 'constructor'], why: 'plain names here' },
    { text: '/', path: [''], why: 'RFC 6901: one empty token' },
    { text: '/a~1b/c~0d', path: ['a/b', 'c~d'], why: 'pointer escapes' },
    { text: '/~01', path: ['~1'], why: 'pointer escapes in their order' },
    { text: '/a/0', path: ['a', '0'], why: 'digits, of which only a document says what they are' },
    { text: '/a/01', path: ['a', '01'], why: 'but not with a leading zero' },
    { text: '/a.b/[0]', path: ['a.b', '[0]'], why: 'a pointer knows no brackets' },
  ])('$text: $why', ({ text, path }) => {
    expect(parseNodePath(text)).toEqual(path);
  });
});

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
