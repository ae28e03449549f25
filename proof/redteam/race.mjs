// The race: another process swaps a folder on the way for a link out of the root, while files below it are read and changed.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ATTACKER = fileURLToPath(new URL('attacker.mjs', import.meta.url));
const VICTIMS = [
  ['a folder on the way', 'd', 'outside-d'],
  ['the folder of the file', 'd/e', 'outside-d/e'],
  ['the file itself', 'd/e/s.yaml', 'outside-d/e/s.yaml'],
];

export async function race({ ground, client, server, ask, report, attempts }) {
  mkdirSync(join(ground.base, 'outside-d/e'), { recursive: true });
  const target = join(ground.base, 'outside-d/e/s.yaml');
  const bait = `key: inside\nsecret: ${ground.canary}\n`;
  for (const [what, victim, other] of VICTIMS) {
    writeFileSync(target, bait);
    const stop = attack(join(ground.root, victim), join(ground.base, other));
    let escaped = 0;
    let touched = 0;
    for (let round = 0; round < attempts; round++) {
      const path = server.path('d/e/s.yaml');
      if ((await ask(() => server.read(client, path))).includes(ground.canary)) escaped++;
      if (server.change === undefined || round % 3 !== 0) continue;
      // It can be changed again, however often.
      await ask(() => server.change(client, path, 'inside1'));
      if (ground.read('outside-d/e/s.yaml') !== bait) {
        touched++;
        writeFileSync(target, bait);
      }
    }
    await stop();
    report(
      'race',
      `read while ${what} is swapped, ${attempts} times`,
      escaped === 0,
      `${escaped} of ${attempts} reads came from outside of the root`,
    );
    if (server.change !== undefined)
      report(
        'race',
        `change while ${what} is swapped`,
        touched === 0,
        `${touched} changes were made outside of the root`,
      );
  }
}

/** Answers what stops it, and leaves all as it was. */
function attack(victim, other) {
  const child = spawn(process.execPath, [ATTACKER, victim, other], { stdio: ['pipe', 'ignore', 'ignore'] });
  return () =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.stdin.end();
    });
}
