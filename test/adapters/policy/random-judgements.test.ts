// No random edit gets a laxer level than the data that it changes asks for.
import { expect, test } from 'vitest';
import { seededRandom } from '../../harness/random.ts';
import { judgeRandomly } from './random-judgements.ts';

test('random edits under random policies are judged at least as strictly as a naive comparison of the data asks [POL-1]', async () => {
  const { compared, asked, laxer } = await judgeRandomly(seededRandom(1).seed, 600);
  expect(laxer.join('\n\n')).toBe('');
  expect(compared).toBeGreaterThan(300);
  for (const level of ['preview', 'client', 'human', 'deny']) expect(asked[level]).toBeGreaterThan(20);
});
