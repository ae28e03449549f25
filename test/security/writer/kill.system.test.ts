// FILE-018, FILE-030, WORK-018: `kill -9` in the middle of commits, and of bringing in order what they left.
// test/long/kills.test.ts does it 500 times. SEED repeats a run. Needs `npm run build`.
import { expect, it } from 'vitest';
import { seededRandom } from '../../harness/random.ts';
import { timesOf } from '../../harness/runs.ts';
import { place, rewritten } from '../fixture.ts';
import { furnish, killTrial } from './killing.ts';

const TRIALS = timesOf(6, 10);

it('leaves every file whole and every batch undivided after kill -9, and nothing else after the next start [WRT-6]', async () => {
  const here = place();
  furnish(here);
  const random = seededRandom(Date.now());
  for (let trial = 1; trial <= TRIALS; trial += 1)
    expect(await killTrial(here, random), `trial ${trial}, seed ${random.seed}`).toEqual([]);
  // Nobody's lock is in the way.
  const sandbox = here.open();
  await here.commit(sandbox, [
    rewritten(sandbox, 'a.yaml', 'a: 1\n'),
    rewritten(sandbox, 'd/c.yaml', 'a: 1\n'),
  ]);
});
