// The figures of SECURITY.md: a million reads and 300,000 attempts to write by each walk, against an attacker
// that swaps folders and files for links. Prints what it counted.
import { afterAll, describe, expect, it } from 'vitest';
import { CONTESTS } from '../security/races/contest.ts';
import { race, shareOf } from '../security/races/racing.ts';

const ATTEMPTS = shareOf({ reads: 1_000_000, writes: 300_000 });
const HOUR = 3_600_000;

describe.each(['fd-walk', 'cwd-walk'] as const)('%s', (containment) => {
  const said: string[] = [];

  it.each(CONTESTS)(
    'lets no read and no write escape while $name [CON-3]',
    async (contest) => {
      const outcome = await race(contest, containment, ATTEMPTS);
      said.push(`${containment}, ${contest.name}: ${JSON.stringify(outcome)}`);
      expect(outcome).toMatchObject({ readsThatEscaped: 0, isOutsideTouched: false });
      expect(outcome.swaps).toBeGreaterThan(0);
    },
    HOUR,
  );

  afterAll(() => void process.stderr.write(`${said.join('\n')}\n`));
});
