// The sandbox in a race: it reads, proves edits and writes as fast as it can while the attacker swaps.

import type { Containment } from '../../../src/security/containment/held.ts';
import { Refusal } from '../../../src/security/errors/refusal.ts';
import type { Sandbox } from '../../../src/security/sandbox/sandbox.ts';
import { count, type Who } from '../../harness/figures.ts';
import { type Place, place, rewritten } from '../fixture.ts';
import { CONTESTS, type Contest, FILE, hold, type Outcome } from './contest.ts';

export interface Attempts {
  readonly reads: number;
  readonly writes: number;
}

/** The share of one contest of what all of them are to try together. */
export function shareOf({ reads, writes }: Attempts): Attempts {
  return { reads: Math.ceil(reads / CONTESTS.length), writes: Math.ceil(writes / CONTESTS.length) };
}

/** How many of the attempts to write were not refused stands in the outcome too. */
export async function race(
  contest: Contest,
  containment: Containment,
  { reads, writes }: Attempts,
): Promise<Outcome & { readonly applied: number }> {
  const here = place();
  let applied = 0;
  const outcome = await hold(contest, async (ground, judge) => {
    const sandbox = here.open(containment, { roots: [{ name: undefined, dir: ground.root }] });
    for (let i = 0; i < reads; i += 1)
      judge((await answerOf(() => (i % 4 === 3 ? dryRun(sandbox, i) : read(sandbox)))).text);
    for (let i = 0; i < writes; i += 1) {
      const { text, isRefused } = await answerOf(() => write(here, sandbox, i));
      judge(text);
      if (!isRefused) applied += 1;
    }
  });
  countRace(outcome, { reads, writes });
  return { ...outcome, applied };
}

const read = (sandbox: Sandbox): string => sandbox.open(sandbox.parse(FILE)).read().text;

const edited = (sandbox: Sandbox, round: number) => rewritten(sandbox, FILE, `a: inside\nround: ${round}\n`);

const dryRun = (sandbox: Sandbox, round: number): string => edited(sandbox, round).snapshot.text;

async function write(here: Place, sandbox: Sandbox, round: number): Promise<string> {
  const edit = edited(sandbox, round);
  return `${edit.snapshot.text}${JSON.stringify(await here.commit(sandbox, [edit]))}`;
}

interface Answer {
  readonly text: string;
  readonly isRefused: boolean;
}

/** All that the sandbox said, also where it refused. Anything that is no Refusal fails the test. */
async function answerOf(act: () => string | Promise<string>): Promise<Answer> {
  try {
    return { text: await act(), isRefused: false };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { text: JSON.stringify([error.message, error.where, error.clues]), isRefused: true };
  }
}

function countRace(outcome: Outcome, { reads, writes }: Attempts, who: Who = 'airlock'): void {
  count('races', 1, who);
  count('race swaps', outcome.swaps, who);
  count('race reads', reads, who);
  count('race reads that escaped', outcome.readsThatEscaped, who);
  count('race writes', writes, who);
  count('races with a write outside', outcome.isOutsideTouched ? 1 : 0, who);
  count('writes that went with a moved folder', outcome.written, who);
}
