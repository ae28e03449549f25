// Which strings may stand unquoted: those that every reader of YAML 1.1 and 1.2 takes for that string.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { isPlainSafe } from '../../../src/adapters/formats/yaml/write-scalar.ts';
import { runs } from '../../harness/runs.ts';

const TYPED = [
  { why: 'null', words: ['~', 'null', 'Null', 'NULL', ''] },
  { why: 'booleans of 1.2', words: ['true', 'True', 'TRUE', 'false', 'False', 'FALSE'] },
  {
    why: 'booleans of 1.1',
    words: ['y', 'Y', 'yes', 'Yes', 'YES', 'n', 'N', 'no', 'No', 'NO', 'on', 'On', 'ON', 'off', 'Off', 'OFF'],
  },
  { why: 'decimal integers', words: ['0', '7', '-1', '+12', '1_000', '99999999999999999999'] },
  { why: 'octal of 1.1 and 1.2', words: ['010', '0o17', '0o7_7', '-017'] },
  { why: 'hexadecimal and binary', words: ['0x1F', '0xdead_beef', '0b1010', '-0b1'] },
  { why: 'floats', words: ['1.0', '.5', '5.', '1e3', '-1.5E-7', '1_0.5', '+.5', '6.8523015e+5'] },
  { why: 'infinities and not-a-number', words: ['.inf', '-.Inf', '+.INF', '.nan', '.NaN', '.NAN'] },
  { why: 'sexagesimals of 1.1', words: ['12:30', '190:20:30', '1:20.5', '-1:59', '22:30:00'] },
  {
    why: 'dates and times',
    words: ['2024-01-01', '2024-1-1', '2001-12-14t21:59:43.10-05:00', '2001-12-14 21:59:43Z'],
  },
  { why: 'merge and value keys', words: ['<<', '='] },
];

describe.each(TYPED)('$why', ({ words }) => {
  test.each(words)('%j is not plain', (word) => {
    expect(isPlainSafe(word, false)).toBe(false);
    expect(isPlainSafe(word, true)).toBe(false);
  });
});

const PLAIN = [
  { why: 'words', words: ['word', 'two words', 'a-b', 'a_b', '10GB', 'x86', 'é', '漢字', '𝄞'] },
  { why: 'like versions and addresses', words: ['v1.2.3', '1.2.3', '1-2', 'nginx:1.25', 'http://x.y/z'] },
  { why: 'words that begin as typed ones do', words: ['yess', 'nope', 'nulls', 'trues'] },
  { why: 'with indicators within', words: ['a:b', 'a#b', 'a,b', 'a]b'] },
  { why: 'with indicators at their beginning', words: ['-a', '--flag', '?x', ':x'] },
];

describe.each(PLAIN)('in block style, $why', ({ words }) => {
  test.each(words)('%j is plain', (word) => {
    expect(isPlainSafe(word, false)).toBe(true);
  });
});

const QUOTED = [
  { why: 'blanks at an end', words: ['', ' a', 'a '] },
  { why: 'entries and items', words: ['a: b', 'a:', '- a', '-', '? a', ': a'] },
  { why: 'comments', words: ['a #b', '#a'] },
  { why: 'flow style', words: ['[a', '{a', ']', '}', ',a'] },
  { why: 'properties and aliases', words: ['&a', '*a', '!a'] },
  { why: 'other styles', words: ['|', '>', "'a", '"a'] },
  { why: 'directives, markers and what is reserved', words: ['%a', '@a', '`a', '---', '...', '--- a'] },
  {
    why: 'line breaks and blanks of other kinds',
    words: ['a\tb', 'a\nb', 'a\u0085b', 'a\u00A0b', 'a\u2028b'],
  },
  { why: 'what is not seen', words: ['a\u202Eb', '\uFEFFa', 'a\u0000', '\uD800', 'a\u200Bb'] },
];

describe.each(QUOTED)('for $why', ({ words }) => {
  test.each(words)('%j is not plain', (word) => {
    expect(isPlainSafe(word, false)).toBe(false);
  });
});

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'aN0159_-+.:eExobTZ~<=# ,[]{}?!&*|>%@`"\''), maxLength: 8 }),
  fc
    .constantFrom(...TYPED.flatMap(({ words }) => words))
    .chain((word) => fc.constantFrom(`${word}x`, `x${word}`, word)),
);

test('what is plain is that string to both versions, as a value, a key and an item', () => {
  fc.assert(
    fc.property(texts, (text) => {
      for (const version of ['1.1', '1.2'] as const) {
        if (isPlainSafe(text, false)) {
          expect(parse(`a: ${text}\n`, { version })).toEqual({ a: text });
          expect(parse(`- ${text}\n- ${text} # c\n`, { version })).toEqual([text, text]);
          const [pair] = parseDocument(`${text}: 1\n`, { version }).toJS({ mapAsMap: true });
          expect(pair).toEqual([text, 1]);
        }
        if (isPlainSafe(text, true)) {
          expect(parse(`[${text}, ${text}]`, { version })).toEqual([text, text]);
          expect(parse(`{a: ${text}}`, { version })).toEqual({ a: text });
        }
      }
    }),
    { numRuns: runs(2_000) },
  );
});

test('what is plain in flow style is plain in block style', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(isPlainSafe(text, true) && !isPlainSafe(text, false)).toBe(false);
    }),
  );
});

test('long text is judged without a noticeable pause', () => {
  for (const text of [
    '1'.repeat(1_000_000),
    '1:'.repeat(500_000),
    `${'1_'.repeat(500_000)}x`,
    '0'.repeat(199),
  ]) {
    isPlainSafe(text, false);
  }
  expect(isPlainSafe('1'.repeat(1_000_000), false)).toBe(false);
});
