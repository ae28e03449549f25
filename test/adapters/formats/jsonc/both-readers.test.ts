// Our scan of JSONC and `jsonc-parser` read the same tree, and refuse the same texts.

import { expect, test } from 'vitest';
import { FORMATS } from '../../../../src/adapters/formats/registry.ts';
import { type SpanNode, type Stream, walk } from '../../../../src/adapters/tree/span-tree.ts';
import { DEFAULT_LIMITS, Refusal } from '../../../../src/security/index.ts';
import { type Random, randomFrom } from '../../../harness/random.ts';
import { orRefusal } from '../../../harness/refusals.ts';
import { generateJsonc } from './generate-jsonc.ts';

const { parse, reference = parse } = FORMATS.jsonc;

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

function outcome(read: (text: string) => Stream, text: string): unknown {
  const stream = orRefusal(() => read(text));
  if (stream instanceof Refusal) return stream.code;
  const { documents, comments } = stream;
  return { nodes: documents.flatMap(({ root }) => [...walk(root)].map(shape)), comments };
}

function shape(node: SpanNode): unknown {
  const { kind, start, end } = node;
  if (node.kind === 'scalar')
    return { kind, start, end, style: node.style, value: node.value, typed: node.typedValue };
  if (node.kind === 'alias') return { kind };
  const parts =
    node.kind === 'mapping'
      ? node.entries.map((one) => [one.start, one.end, one.colon, one.name])
      : node.items.map((one) => [one.start, one.end]);
  return { kind, start, end, comma: node.trailingComma, parts };
}

test('texts that are nearly JSONC are read to the same tree, or refused by both', () => {
  let read = 0;
  let refused = 0;
  for (let seed = 0; seed < 4_000; seed++) {
    const text = nearlyJsonc(randomFrom(seed));
    // Of comments with one see below.
    if (/\r(?!\n)/.test(text)) continue;
    const ours = outcome((one) => parse(one, DEFAULT_LIMITS), text);
    const theirs = outcome((one) => reference(one, DEFAULT_LIMITS), text);
    expect(ours, `seed ${seed}: ${JSON.stringify(text)}`).toEqual(theirs);
    if (typeof ours === 'string') refused += 1;
    else read += 1;
  }
  expect(Math.min(read, refused)).toBeGreaterThan(1_000);
});

test.each([
  {
    text: '{ // a\r"b": 1 }',
    why: 'VS Code takes a lone carriage return for the end of the comment, others do not',
  },
  { text: '{ // a\u2028"b": 1\n}', why: 'TypeScript takes a line separator for the end of the comment' },
  { text: '{ // a\u2029"b": 1\n}', why: 'and a paragraph separator' },
])('is not read by keys: $why', ({ text }) => {
  expect(outcome((one) => parse(one, DEFAULT_LIMITS), text)).toBe('SYNTAX_INVALID');
});

test.each([
  { text: '['.repeat(200_000), why: 'nesting that would overflow the stack of jsonc-parser' },
  { text: '{"a":'.repeat(200_000), why: 'nesting of objects' },
  { text: `[${'/**/'.repeat(600_000)}]`, why: 'more comments than there may be values' },
])('both readers stop at a limit: $why', ({ text }) => {
  const limits = { ...DEFAULT_LIMITS, tokens: 100_000 };
  for (const read of [parse, reference])
    expect(outcome((one) => read(one, limits), text)).toBe('LIMIT_EXCEEDED');
});
