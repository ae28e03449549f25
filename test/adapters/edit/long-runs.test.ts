// One character again and again, in the middle of a line, a value or a comment: whoever looks for what ends with it must
// not look at the same run from each of its places, which takes hours at this length.
import { expect, test } from 'vitest';
import { withoutEnd } from '../../../src/adapters/tree/lines.ts';
import { edited } from '../editing/attempt.ts';

const RUN = 300_000;

test('what stands at the end goes, and nothing before it', () => {
  expect(withoutEnd('a \t b\t \t', ' \t')).toBe('a \t b');
  expect([withoutEnd('   ', ' '), withoutEnd('', ' '), withoutEnd('a', ' ')]).toEqual(['', '', 'a']);
});

test('a run of line breaks in a comment is so many lines of it', () => {
  // Each of them becomes three characters.
  const run = RUN / 3;
  const operation = {
    op: 'comment',
    path: 'a',
    comment: `x${'\n'.repeat(run)}y`,
    place: 'before',
  } as const;
  expect(edited('a: 1\n', operation).length).toBe(`# x\n# y\n`.length + 2 * (run - 1) + 'a: 1\n'.length);
});

test('a run of blanks in a directive changes nothing of an edit beside it', () => {
  const head = `%TAG !e! tag:e${' '.repeat(RUN)}# c\n%X a${'\t'.repeat(RUN / 9)}b\n---\n`;
  const operation = { op: 'set', path: 'a', value: '2', create: false } as const;
  expect(edited(`${head}a: 1\n`, operation)).toBe(`${head}a: 2\n`);
});
