// Moves what stands at a path aside, puts a link to another place there, and moves it back: as often as it can, until stdin ends.
import { existsSync, lstatSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';

const [victim, other] = process.argv.slice(2);
const aside = `${victim}.aside`;
let isOver = false;
process.stdin.resume().on('end', () => {
  isOver = true;
});

function swap() {
  for (let turn = 0; turn < 50; turn++) {
    try {
      renameSync(victim, aside);
      symlinkSync(other, victim);
      unlinkSync(victim);
      renameSync(aside, victim);
    } catch {
      mend();
    }
  }
  if (!isOver) setImmediate(swap);
  else mend();
}

function mend() {
  try {
    if (existsSync(victim) && lstatSync(victim).isSymbolicLink()) unlinkSync(victim);
    if (existsSync(aside)) renameSync(aside, victim);
  } catch {
    // A server has put something there meanwhile: that stays.
  }
}

swap();
