// Random edits under random policies by the thousand: see test/adapters/policy/naive-judge.ts.
import { expect, test } from 'vitest';
import { judgeRandomly } from '../adapters/policy/random-judgements.ts';

test('10,000 random edits under random policies are judged at least as strictly as a naive comparison of the data asks', async () => {
  const { compared, asked, laxer } = await judgeRandomly(10_000, 18_000);
  process.stdout.write(`\njudgements: ${compared} compared, at the least ${JSON.stringify(asked)}\n`);
  expect(laxer.join('\n\n')).toBe('');
  expect(compared).toBeGreaterThanOrEqual(10_000);
});
