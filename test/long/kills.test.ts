// The figure of SECURITY.md: 500 kills in the middle of single and batch commits, and of their recoveries.
import { expect, it } from 'vitest';
import { seededRandom } from '../harness/random.ts';
import { decisionTrial } from '../security/approval/deciding.ts';
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

it(`loses no decision and leaves no half in ${TRIALS} kills of approvals, applies and undoings`, {
  timeout: HOUR,
}, async () => {
  const random = seededRandom(Date.now());
  const faults: string[] = [];
  let here = furnished();
  let decided = 0;
  for (let trial = 1; trial <= TRIALS; trial += 1) {
    // Each leaves a preview that waits.
    if (trial % 100 === 0) here = furnished();
    const said = await decisionTrial(here, `n${trial}`, random);
    decided += said.approved;
    faults.push(...said.faults.map((fault) => `${trial}: ${fault}`));
  }
  process.stderr.write(
    `${TRIALS} kills, seed ${random.seed}, ${decided} approvals: ${faults.length} faults\n`,
  );
  expect(faults).toEqual([]);
});

function furnished() {
  const here = place();
  here.write('root/a.yaml', 'by: nobody\n# kept\n');
  here.write('reviewers', '', 0o600);
  return here;
}
