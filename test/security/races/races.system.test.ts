// WORK-004, WORK-005: another process swaps a folder or a file for a link, or moves it out of the root, while
// the sandbox reads and writes. Nothing may escape; how often the usual check loses shows that the attacker
// is worth something. test/long/races.test.ts has the large figures.
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Containment } from '../../../src/security/containment/held.ts';
import { count } from '../../harness/figures.ts';
import { timesOf } from '../../harness/runs.ts';
import type { Ground } from '../attacks/ground.ts';
import { CONTESTS, FILE, hold } from './contest.ts';
import { race, shareOf } from './racing.ts';

const WALKS: readonly Containment[] = ['fd-walk', 'cwd-walk'];
const ATTEMPTS = shareOf({
  reads: timesOf(6_000, 20_000) / WALKS.length,
  writes: timesOf(1_500, 5_000) / WALKS.length,
});

describe.each(WALKS)('%s', (containment) => {
  it.each(CONTESTS)('lets no read and no write escape while $name [CON-3]', async (contest) => {
    const outcome = await race(contest, containment, ATTEMPTS);
    expect(outcome).toMatchObject({ readsThatEscaped: 0, isOutsideTouched: false });
    expect(outcome.swaps).toBeGreaterThan(0);
  });
});

const TRIES = 1_000;
const MAX_ROUNDS = 300;

it('the usual check (realpath, prefix, open) loses the same race [CON-3]', async () => {
  const contest = CONTESTS.find(({ manner, victim }) => manner === 'rename' && victim === 'd');
  if (contest === undefined) throw new Error('there is such a contest');
  let tries = 0;
  const { readsThatEscaped } = await hold(contest, ({ root }, judge) => {
    let isLost = false;
    for (let round = 0; round < MAX_ROUNDS && !isLost; round += 1) {
      for (let i = 0; i < TRIES; i += 1) {
        const text = usual(root);
        judge(text);
        isLost ||= !text.includes('inside') && text !== '';
      }
      tries += TRIES;
    }
  });
  count('race reads', tries, 'naive');
  count('race reads that escaped', readsThatEscaped, 'naive');
  expect(readsThatEscaped).toBeGreaterThan(0);
});

function usual(root: Ground['root']): string {
  const path = join(root, FILE);
  try {
    const real = realpathSync(path);
    const isInside = real.startsWith(`${root}/`) && lstatSync(real).isFile();
    return isInside ? readFileSync(path, 'utf8') : '';
  } catch {
    return '';
  }
}
