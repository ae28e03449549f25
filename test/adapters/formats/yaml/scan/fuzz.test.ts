// A few thousand mutated texts; `npm run test:long` reads a million. A fault names its seed, and SEED begins there.
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../harness/random.ts';
import { fuzz } from './fuzz.ts';

test('mutated files are read to the same tree, or left to `yaml` [EDT-3]', () => {
  const { faults, figures } = fuzz(seededRandom(0).seed, 5_000);
  expect(faults).toEqual([]);
  expect(figures['same']).toBeGreaterThan(500);
});
