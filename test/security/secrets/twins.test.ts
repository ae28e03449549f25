// A small number of the random edits that test/long makes by the hundred thousand.
import { expect, it } from 'vitest';
import { editTwins } from './twins.ts';

it('random edits keep each secret that is left to the byte, and no answer depends on one [DIS-10]', async () => {
  const { written, touching } = await editTwins(600, Number(process.env['TEST_SEED'] ?? 1));
  expect(written).toBeGreaterThan(15);
  expect(touching).toBeGreaterThan(15);
});
