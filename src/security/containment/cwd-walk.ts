// Containment on POSIX without procfs: the working directory is the one directory that Node can stand in.
// Each step is lstat, chdir, and a look at where it led; then names are relative to an inode, not to a
// path. Main thread only (chdir throws elsewhere), synchronous, and the old working directory is restored.

import { Refusal } from '../errors/refusal.ts';
import {
  ambientChdir,
  ambientCwd,
  ambientLstat,
  ambientOpen,
  closeFd,
  errnoOf,
  factsOfFd,
  O_DIRECTORY,
  O_NOFOLLOW,
  O_RDONLY,
  sameInode,
} from '../fs/ambient-fs.ts';
import type { HeldDirectory } from './held.ts';
import { movedMeanwhile, RewalkedDirectory, type Stance, type Step } from './rewalk.ts';

/** Pins the directory at an absolute path by its inode; a root that was moved away is refused, not followed. */
export function cwdRoot(realPath: string): HeldDirectory {
  // The directory is held open, so that its inode number cannot be given to another one.
  const fd = ambientOpen(realPath, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const root = factsOfFd(fd);
  return new RewalkedDirectory(cwdStance(realPath, fd), [{ name: '', dev: root.dev, ino: root.ino }]);
}

function cwdStance(rootPath: string, pin: number): Stance {
  let isPinned = true;
  return {
    at: (walk, act) => standingIn(rootPath, walk, () => act('.')),
    admits: () => true,
    release: () => {
      if (isPinned) closeFd(pin);
      isPinned = false;
    },
  };
}

function standingIn<T>(rootPath: string, walk: readonly Step[], act: () => T): T {
  const parked = ambientCwd();
  try {
    for (const step of walk) stepInto(step, rootPath);
    return act();
  } finally {
    park(parked);
  }
}

/** Returns to a working directory. Its error replaces any other, since going on in the wrong directory would be worse. */
function park(directory: string): void {
  ambientChdir(directory);
  if (ambientCwd() !== directory) throw new Error('the working directory could not be restored');
}

function stepInto(step: Step, rootPath: string): void {
  try {
    // The root's own path may be swapped, too; only the inode counts at which chdir arrived.
    if (step.name !== '' && !sameInode(ambientLstat(`./${step.name}`), step)) throw movedMeanwhile();
    ambientChdir(step.name === '' ? rootPath : `./${step.name}`);
    if (!sameInode(ambientLstat('.'), step)) throw step.name === '' ? rootIsGone() : movedMeanwhile();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') {
      throw step.name === '' ? rootIsGone() : movedMeanwhile();
    }
    throw error;
  }
}

function rootIsGone(): Refusal {
  return new Refusal(
    'IO_ERROR',
    'Cannot reach the root: it was moved or deleted. The operator should restart the server.',
  );
}
