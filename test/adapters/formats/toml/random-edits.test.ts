// A part of the random edits that test/long makes in full.
import { expect, test } from 'vitest';
import { seededRandom } from '../../../harness/random.ts';
import { editRandomly } from './random-edits.ts';

test('600 random edits of TOML do to the data what they say, or are refused with a reason', () => {
  const { done, faults, refused } = editRandomly(seededRandom(1).seed, 600);
  expect(faults).toEqual([]);
  expect(done).toBeGreaterThan(500);
  expect([...refused.keys()].filter((kind) => kind.startsWith('VERIFICATION_FAILED'))).toEqual([]);
});
