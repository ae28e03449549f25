// The figure of SECURITY.md: 100,000 random edits of texts with secrets of every shape, each asked of two files that differ in nothing but
// their secrets.
import { expect, it } from 'vitest';
import { editTwins } from '../security/secrets/twins.ts';

const EDITS = 100_000;
const HOURS = 3 * 3_600_000;

it('100,000 random edits keep each secret that is left to the byte, and no answer depends on one', {
  timeout: HOURS,
}, async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  const tally = await editTwins(EDITS, seed);
  process.stderr.write(`seed ${seed}: ${JSON.stringify(tally)}\n`);
  expect(tally.edits).toBeGreaterThanOrEqual(EDITS);
});
