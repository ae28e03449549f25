// WORK-006: two processes apply on the same base at the same instant, in some rounds beside a third one that is
// killed; exactly one may win. test/long/two-writers.test.ts has 2,000 rounds. Needs `npm run build`.
import { it } from 'vitest';
import { seededRandom } from '../../harness/random.ts';
import { timesOf } from '../../harness/runs.ts';
import { place } from '../fixture.ts';
import { writeRounds } from './writing.ts';

it('of two processes that apply on the same base, exactly one wins every round [WRT-4]', async () => {
  const random = seededRandom(Date.now());
  await writeRounds(place(), { rounds: timesOf(30, 120), thirdEvery: 10, random });
});
