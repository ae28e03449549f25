// A few thousand mutated texts; `npm run test:long` reads a million. TEST_SEED repeats one.
import { expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';

test('mutated files are read to the same tree, or left to `yaml` [EDT-3]', () => {
  const seed = process.env['TEST_SEED'];
  const run = seed === undefined ? fuzz(0, 5_000) : fuzz(Number(seed), 1);
  expect(run.faults).toEqual([]);
  if (seed === undefined) expect(run.figures['same']).toBeGreaterThan(500);
});
