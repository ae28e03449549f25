// Some hundred random edits of JSON with comments; `npm run test:long` makes thousands. A fault names its seed, and SEED
// begins there.
import { expect, test } from 'vitest';
import { seededRandom } from '../../../harness/random.ts';
import { editRandomly } from './random-edits.ts';

test('random edits of JSONC change the data as asked, and no comment of anything else', () => {
  const { faults, done } = editRandomly(seededRandom(0).seed, 800);
  expect(faults.join('\n\n')).toBe('');
  expect(done).toBeGreaterThan(600);
});
