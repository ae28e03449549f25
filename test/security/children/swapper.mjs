// The attacker: for ever swaps a folder (or a file) below the root with a symlink to the outside, and back.
// Counts its swaps into a file, so that a test can see that it was really at work.
import { openSync, renameSync, symlinkSync, unlinkSync, writeSync } from 'node:fs';

const [, , victim, target, counter] = process.argv;
const fd = openSync(counter, 'w');
let swaps = 0;
process.stdout.write('ready');
for (;;) {
  try {
    renameSync(victim, `${victim}.aside`);
    symlinkSync(target, victim);
    unlinkSync(victim);
    renameSync(`${victim}.aside`, victim);
    swaps += 1;
  } catch {
    // The server renamed onto the victim in between; put things right and go on.
    try {
      unlinkSync(victim);
    } catch {}
    try {
      renameSync(`${victim}.aside`, victim);
    } catch {}
  }
  writeSync(fd, String(swaps), 0);
}
