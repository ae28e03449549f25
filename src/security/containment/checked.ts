// Containment on Windows: path strings, with every directory on the way compared before and after each
// operation. It is NOT free of races: who can swap a directory within microseconds can win. It says so
// in `list_capabilities` and in the log. Reparse points (symlinks, junctions) are refused.
import { join } from 'node:path';
import { ambientEntries, ambientLstat, sameInode } from '../fs/ambient-fs.ts';
import type { HeldDirectory } from './held.ts';
import { movedMeanwhile, RewalkedDirectory, type Stance, type Step } from './rewalk.ts';

export function checkedRoot(realPath: string): HeldDirectory {
  const root = ambientLstat(realPath);
  return new RewalkedDirectory(checkedStance(realPath), [{ name: '', dev: root.dev, ino: root.ino }]);
}

// Device names work in every directory and with every extension: "NUL.yaml" opens a device.
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu;

function checkedStance(rootPath: string): Stance {
  return {
    at: (walk, act) => {
      compare(rootPath, walk);
      const answer = act(join(rootPath, ...walk.map((step) => step.name)));
      compare(rootPath, walk);
      return answer;
    },
    release: () => {},
    admits: (directory, name) => !DEVICE_NAME.test(name) && isSpelledLikeThat(directory, name),
  };
}

// An 8.3 alias (PROGRA~1) or another case would open a file under a name that was never checked. So only the spelling that the
// directory itself lists is accepted; any other is answered as missing.
function isSpelledLikeThat(directory: string, name: string): boolean {
  if (process.platform !== 'win32') return true;
  return ambientEntries(directory, Number.POSITIVE_INFINITY).entries.some((entry) => entry.name === name);
}

function compare(rootPath: string, walk: readonly Step[]): void {
  let path = rootPath;
  for (const step of walk) {
    path = join(path, step.name);
    const found = ambientLstat(path);
    if (found.kind !== 'directory' || !sameInode(found, step)) throw movedMeanwhile();
  }
}
