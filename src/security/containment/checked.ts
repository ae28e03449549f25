// Containment on Windows. Files are reached by path strings, and every directory of the path is compared before and after each
// operation. This is NOT free of races: whoever can swap a directory within microseconds can get out. `list_capabilities` and the
// log say so. Reparse points (symlinks, junctions) are refused.
import { join } from 'node:path';
import { ambientEntries, ambientLstat, sameInode } from '../fs/ambient-fs.ts';
import type { HeldDirectory } from './held.ts';
import { directoryMoved, RewalkedDirectory, type WalkedDirectory, type WalkMethod } from './rewalk.ts';

export function checkedRoot(realPath: string): HeldDirectory {
  const root = ambientLstat(realPath);
  return new RewalkedDirectory(checkedMethod(realPath), [{ name: '', dev: root.dev, ino: root.ino }]);
}

// Device names work in every directory and with every extension: "NUL.yaml" opens a device.
const DEVICE_NAME = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu;

function checkedMethod(rootPath: string): WalkMethod {
  return {
    runIn: (walk, act) => {
      requireSameDirectories(rootPath, walk);
      const result = act(join(rootPath, ...walk.map((step) => step.name)));
      requireSameDirectories(rootPath, walk);
      return result;
    },
    release: () => {},
    acceptsName: (directory, name) => !DEVICE_NAME.test(name) && isListedName(directory, name),
  };
}

// An 8.3 alias (PROGRA~1) or another case would open a file under a name that was never checked. So only the name that the
// directory itself lists is accepted. Any other is answered as missing.
function isListedName(directory: string, name: string): boolean {
  if (process.platform !== 'win32') return true;
  return ambientEntries(directory, Number.POSITIVE_INFINITY).entries.some((entry) => entry.name === name);
}

/** Throws FILE_CHANGED where a directory of the walk is no longer the one that was entered. */
function requireSameDirectories(rootPath: string, walk: readonly WalkedDirectory[]): void {
  let path = rootPath;
  for (const step of walk) {
    path = join(path, step.name);
    const found = ambientLstat(path);
    if (found.kind !== 'directory' || !sameInode(found, step)) throw directoryMoved();
  }
}
