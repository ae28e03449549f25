// What only `yaml` reads gets a tenth of the tokens: it takes its time in one piece, and nobody can end it there.
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../../src/security/index.ts';
import { refusalOf } from '../../../harness/refusals.ts';
import { parse, planned } from '../../editing/attempt.ts';

const USUAL = 'key: value\n'.repeat(30_000);

test.each([
  { why: 'a usual text', text: USUAL, line: undefined },
  { why: 'an unusual one', text: `${USUAL}? a\n: b\n`, line: 30_001 },
  { why: 'an invalid one', text: `${USUAL}\tb: 1\n`, line: 30_001 },
  { why: 'an unusual one, where the operator allows more', text: `${USUAL}? a\n: b\n`, tokens: 4_000_000 },
  { why: 'a thousand directives', text: `${'%TAG !a! tag:x,2000:\n'.repeat(1_000)}---\na: 1\n` },
  { why: 'more', text: `${'%TAG !a! tag:x,2000:\n'.repeat(1_001)}---\na: 1\n`, line: 1_001 },
  { why: 'ten documents', text: '---\n'.repeat(10), documents: 10 },
  { why: 'more', text: '---\n'.repeat(1_000), documents: 10, line: 11 },
])('of $why as many tokens are read as may be [SRV-3]', ({ text, line, why: _, ...more }) => {
  const refusal = refusalOf(() => parse(text, 'yaml', { ...DEFAULT_LIMITS, ...more }));
  expect(refusal?.code).toBe(line === undefined ? undefined : 'LIMIT_EXCEEDED');
  if (refusal?.where.line !== undefined) expect(refusal.where.line).toBe(line);
});

test('a value is refused as one where it has too many, and names its own line', () => {
  const lines = Array.from({ length: 12_000 }, (_, n) => `k${n}: v\n`).join('');
  const refusalFor = (value: string) => refusalOf(() => planned('a: 1\n', { op: 'set', path: 'a', value }));
  expect(refusalFor(lines)).toBeUndefined();
  expect(refusalFor(`${lines.slice(0, 20_000)}z: v\n? a\n: b\n`)).toBeUndefined();
  expect(refusalFor(`${lines}? a\n: b\n`)?.message).toMatch(/^Cannot use this value: .* its line 12001,/);
});
