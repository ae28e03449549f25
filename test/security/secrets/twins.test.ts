// A small number of the random calls that test/long makes by the hundred thousand.
import { expect, it } from 'vitest';
import { seededRandom } from '../../harness/random.ts';
import { callTwins } from './twins.ts';

it('random calls keep each secret that is left to the byte, and no answer depends on one [DIS-9] [DIS-10]', async () => {
  const calls = 600;
  const tally = await callTwins(calls, seededRandom(1).seed);
  expect(tally.written).toBeGreaterThan(calls / 40);
  expect(tally.touching).toBeGreaterThan(calls / 40);
});
