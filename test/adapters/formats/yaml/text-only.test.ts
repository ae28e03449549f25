// YAML that the scan does not read is looked through by `yaml`, which takes its time in one piece: so it gets fewer tokens.
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../../src/security/policy/policy.ts';
import { refusalOf } from '../../../harness/refusals.ts';
import { parse, planned } from '../../editing/attempt.ts';

const USUAL = 'key: value\n'.repeat(30_000);

test.each([
  { why: 'a usual text', text: USUAL },
  { why: 'a rare one', text: 'a: 1\n? b\n: c\n', code: 'UNSUPPORTED_FORMAT', line: 2 },
  { why: 'a rare one of many tokens', text: `${USUAL}? a\n: b\n`, code: 'LIMIT_EXCEEDED' },
  { why: 'an invalid one of many tokens', text: `${USUAL}\tb: 1\n`, code: 'LIMIT_EXCEEDED' },
  {
    why: 'more than a thousand directives',
    text: `${'%TAG !a! tag:x,2000:\n'.repeat(1_001)}---\na: 1\n`,
    code: 'LIMIT_EXCEEDED',
  },
  { why: 'ten documents', text: '---\n'.repeat(10), documents: 10 },
  { why: 'more', text: '---\n'.repeat(1_000), documents: 10, code: 'LIMIT_EXCEEDED' },
])('$why is read, or refused with a code [SRV-3]', ({ text, code, line, why: _, ...more }) => {
  const refusal = refusalOf(() => parse(text, 'yaml', { ...DEFAULT_LIMITS, ...more }));
  expect([refusal?.code, refusal?.where.line]).toEqual([code, line]);
});

test('a rare value is refused, and its line is named', () => {
  const refusal = refusalOf(() => planned('a: 1\n', { op: 'set', path: 'a', value: 'b: 1\n? c\n: d\n' }));
  expect(refusal?.code).toBe('VALUE_INVALID');
  expect(refusal?.message).toContain('about its line 2 it is YAML of a kind that is read as text only');
});
