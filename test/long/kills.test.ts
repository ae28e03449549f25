// The figure of SECURITY.md: 500 kills in the middle of single and batch commits, and of their recoveries.
import { expect, it } from 'vitest';
import { seededRandom } from '../harness/random.ts';
import { place } from '../security/fixture.ts';
import { furnish, killTrial } from '../security/writer/killing.ts';

const TRIALS = 500;
const HOUR = 3_600_000;

it('leaves no torn file, no half of a batch, no leftover and no other mode in 500 kills', {
  timeout: HOUR,
}, async () => {
  const here = place();
  furnish(here);
  const random = seededRandom(Date.now());
  const faults: string[] = [];
  for (let trial = 1; trial <= TRIALS; trial += 1)
    faults.push(...(await killTrial(here, random)).map((fault) => `${trial}: ${fault}`));
  process.stderr.write(`${TRIALS} kills, seed ${random.seed}: ${faults.length} faults\n`);
  expect(faults).toEqual([]);
});
