// The figure of SECURITY.md: 2,000 rounds of two servers on one base, single files and batches, with a third one
// that is killed in the middle of its write in every tenth, on each store.
import { expect, it } from 'vitest';
import { seededRandom } from '../harness/random.ts';
import { writeRounds } from '../security/writer/writing.ts';
import { onEachStore } from './stores.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 2_000);
const HOUR = 3_600_000;

onEachStore((place, store) => {
  it('has one winner in each of 2,000 rounds, and deaths that the winner brought in order', {
    timeout: HOUR,
  }, async () => {
    const random = seededRandom(Date.now());
    const recovered = await writeRounds(await place(), { rounds: ROUNDS, thirdEvery: 10, random });
    process.stderr.write(
      `${store}: ${ROUNDS} rounds, seed ${random.seed}: ${recovered} deaths brought in order\n`,
    );
    expect(recovered).toBeGreaterThan(0);
  });
});
