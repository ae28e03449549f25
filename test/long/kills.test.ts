// The figure of SECURITY.md: 500 kills in the middle of single and batch commits, and of their recoveries, on each store.
import { expect, it } from 'vitest';
import { seededRandom } from '../harness/random.ts';
import { decisionTrial } from '../security/approval/deciding.ts';
import type { Place } from '../security/fixture.ts';
import { furnish, killTrial } from '../security/writer/killing.ts';
import { onEachStore } from './stores.ts';

const TRIALS = Number(process.env['KILLS'] ?? 500);
const HOUR = 3_600_000;

onEachStore((place, store) => {
  it('leaves no torn file, no half of a batch, no leftover and no other mode in 500 kills', {
    timeout: HOUR,
  }, async () => {
    const here = await place();
    furnish(here);
    const random = seededRandom(Date.now());
    const faults: string[] = [];
    for (let trial = 1; trial <= TRIALS; trial += 1)
      faults.push(...(await killTrial(here, random)).map((fault) => `${trial}: ${fault}`));
    process.stderr.write(`${store}: ${TRIALS} kills, seed ${random.seed}: ${faults.length} faults\n`);
    expect(faults).toEqual([]);
  });

  it(`loses no decision and leaves no half in ${TRIALS} kills of approvals, applies and undoings`, {
    timeout: HOUR,
  }, async () => {
    const random = seededRandom(Date.now());
    const faults: string[] = [];
    let here = furnished(await place());
    let decided = 0;
    for (let trial = 1; trial <= TRIALS; trial += 1) {
      // Each leaves a preview that waits.
      if (trial % 100 === 0) here = furnished(await place());
      const said = await decisionTrial(here, `n${trial}`, random);
      decided += said.approved;
      faults.push(...said.faults.map((fault) => `${trial}: ${fault}`));
    }
    process.stderr.write(
      `${store}: ${TRIALS} kills, seed ${random.seed}, ${decided} approvals: ${faults.length} faults\n`,
    );
    expect(faults).toEqual([]);
    expect(decided).toBeGreaterThan(0);
  });
});

function furnished(here: Place): Place {
  here.write('root/a.yaml', 'by: nobody\n# kept\n');
  here.write('reviewers', '', 0o600);
  return here;
}
