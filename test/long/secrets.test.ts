// The figure of SECURITY.md: 100,000 random calls on texts with secrets of every shape, each made of two airlocks whose files differ in
// nothing but their secrets.
import { expect, it } from 'vitest';
import { CALLS_PER_PAIR, callTwins, type Tally } from '../security/secrets/twins.ts';

const CALLS = 100_000;
const HOURS = 5 * 3_600_000;

it('100,000 random calls keep each secret that is left to the byte, and no answer depends on one', {
  timeout: HOURS,
}, async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  const say = (tally: Tally) => process.stderr.write(`seed ${seed}: ${JSON.stringify(tally)}\n`);
  const tally = await callTwins(CALLS, seed, (now) => {
    if (now.calls % 10_000 < CALLS_PER_PAIR) say(now);
  });
  say(tally);
  expect(tally.calls).toBeGreaterThanOrEqual(CALLS);
});
