// Some hundred random edits of JSON with comments; `npm run test:long` makes thousands. TEST_SEED repeats one.
import { expect, test } from 'vitest';
import { editRandomly } from './random-edits.ts';

test('random edits of JSONC change the data as asked, and no comment of anything else', () => {
  const seed = process.env['TEST_SEED'];
  const run = seed === undefined ? editRandomly(0, 800) : editRandomly(Number(seed), 1);
  expect(run.faults.join('\n\n')).toBe('');
  if (seed === undefined) expect(run.done).toBeGreaterThan(600);
});
