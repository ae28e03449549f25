// A small number of the random edits that test/long makes by the hundred thousand.
import { expect, it } from 'vitest';
import { seededRandom } from '../../harness/random.ts';
import { editTwins } from './twins.ts';

it('random edits keep each secret that is left to the byte, and no answer depends on one [DIS-10]', async () => {
  const { written, touching } = await editTwins(600, seededRandom(1).seed);
  expect(written).toBeGreaterThan(15);
  expect(touching).toBeGreaterThan(15);
});
