// Our scan of JSONC and `jsonc-parser` read the same data, and refuse the same texts.
import { type ParseError, parseTree } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { Refusal } from '../../../../src/security/errors/refusal.ts';
import { DEFAULT_LIMITS } from '../../../../src/security/policy/policy.ts';
import { type Random, randomFrom } from '../../../harness/random.ts';
import { codeOf, orRefusal } from '../../../harness/refusals.ts';
import { isReadAlike, parse } from '../../editing/attempt.ts';
import { generateJsonc } from './generate-jsonc.ts';

const PIECES = [
  ...['{', '}', '[', ']', ',', ':', '"', '/', '*', '//', '/*', '*/', '\\', '\n', '\r\n', ' ', '\t', '#', "'"],
  ...['null', 'true', '1', '-', '01', '1.', '.5', '1e', '\\u00', '\u0001', '\ud800', 'é', '\u00a0', '\v'],
];

/** Now and then whole; else with a few pieces put in, taken out or exchanged. */
function nearlyJsonc(random: Random): string {
  let text = generateJsonc(random.below(2 ** 31));
  for (let left = random.below(4); left > 0; left--) {
    const at = random.below(text.length + 1);
    text = text.slice(0, at) + random.pick(['', ...PIECES]) + text.slice(at + random.below(3));
  }
  return text;
}

function readsIt(text: string): boolean {
  const errors: ParseError[] = [];
  parseTree(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  return errors.length === 0;
}

test('texts that are nearly JSONC are read to the same data, or refused by both', () => {
  let read = 0;
  let refused = 0;
  for (let seed = 0; seed < 4_000; seed++) {
    const text = nearlyJsonc(randomFrom(seed));
    // Of comments with one see below.
    if (/\r(?!\n)/.test(text)) continue;
    const stream = orRefusal(() => parse(text, 'jsonc'));
    const isAlike = stream instanceof Refusal ? !readsIt(text) : isReadAlike(text, stream, 'jsonc');
    expect(isAlike, `seed ${seed}: ${JSON.stringify(text)}`).toBe(true);
    if (stream instanceof Refusal) refused += 1;
    else read += 1;
  }
  expect(Math.min(read, refused)).toBeGreaterThan(1_000);
});

test.each([
  { text: '{ // a\r"b": 1 }', why: 'VS Code takes a lone carriage return for the end of the comment' },
  { text: '{ // a\u2028"b": 1\n}', why: 'TypeScript takes a line separator for the end of the comment' },
  { text: '{ // a\u2029"b": 1\n}', why: 'and a paragraph separator' },
])('is not read by keys: $why', ({ text }) => {
  expect(codeOf(() => parse(text, 'jsonc'))).toBe('SYNTAX_INVALID');
});

test.each([
  { text: '['.repeat(200_000), why: 'nesting that would overflow the stack of jsonc-parser' },
  { text: '{"a":'.repeat(200_000), why: 'nesting of objects' },
  { text: `[${'/**/'.repeat(600_000)}]`, why: 'more comments than there may be values' },
])('is refused at a limit: $why', ({ text }) => {
  expect(codeOf(() => parse(text, 'jsonc', { ...DEFAULT_LIMITS, tokens: 100_000 }))).toBe('LIMIT_EXCEEDED');
});
