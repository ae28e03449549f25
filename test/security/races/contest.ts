// A race: somebody reads and writes below a root while the attacker swaps what stands on the way. An escape is a
// sentinel's content that was read, or a byte, name or time outside of the root that changed. Counted apart are
// the writes that went with the file's folder while the attacker moved it out of the root.
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { CANARY, type Ground, makeGround } from '../attacks/ground.ts';
import { type Deeds, hasCompiler, MANNERS, type Manner, underAttack } from './attacker.ts';

export interface Contest {
  readonly name: string;
  readonly manner: Manner;
  /** What is swapped, below the root. */
  readonly victim: string;
}

/** The file that everybody is after; one like it, with a canary in it, stands where the links lead. */
export const FILE = 'd/e/s.yaml';
const INSIDE = 'a: inside\n';

const VICTIMS = [
  { what: 'a folder on the way', victim: 'd' },
  { what: 'the folder of the file', victim: 'd/e' },
  { what: 'the file itself', victim: 'd/e/s.yaml' },
] as const;

const HOW: Readonly<Record<Manner, string>> = {
  exchange: 'exchanged for a link at once',
  rename: 'moved aside and replaced by a link',
  away: 'moved out of the root and back',
};

export const CONTESTS: readonly Contest[] = VICTIMS.flatMap(({ what, victim }) =>
  MANNERS.filter((manner) => hasCompiler || manner !== 'exchange').map((manner) => ({
    name: `${what} is ${HOW[manner]}`,
    manner,
    victim,
  })),
);

export interface Outcome extends Deeds {
  readonly readsThatEscaped: number;
  /** Whether anything outside of the root is not as it was. */
  readonly isOutsideTouched: boolean;
}

/** `act` is handed the ground and a judge of what was read. */
export async function hold(
  { manner, victim }: Contest,
  act: (ground: Ground, judge: (text: string) => void) => void | Promise<void>,
): Promise<Outcome> {
  // More attempts in the same time.
  const ground = makeGround(memoryDisk());
  const elsewhere = mkdtempSync(join(dirname(ground.base), 'airlock-away-'));
  onTestFinished(() => {
    ground.remove();
    rmSync(elsewhere, { recursive: true, force: true });
  });
  ground.write(`root/${FILE}`, INSIDE);
  ground.write(`outside/${FILE}`, `a: ${CANARY}\n`);
  const before = ground.sentinels().join('\n');
  let readsThatEscaped = 0;
  const orders = {
    manner,
    victim: join(ground.root, victim),
    target: join(ground.base, 'outside', victim),
    aside: manner === 'away' ? join(elsewhere, 'away') : join(ground.root, `${victim}.aside`),
    leaf: FILE.slice(victim.length + 1),
  };
  const deeds = await underAttack(orders, () =>
    act(ground, (text) => {
      if (text.includes(CANARY)) readsThatEscaped += 1;
    }),
  );
  return { ...deeds, readsThatEscaped, isOutsideTouched: ground.sentinels().join('\n') !== before };
}
