// Containment on POSIX without procfs, by changing the working directory. Each step is lstat, chdir, and a comparison of the inode
// that was reached. After that, names are relative to an inode and not to a path. It works in the main thread only, because chdir
// throws elsewhere. It is synchronous, and restores the old working directory.

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
import { directoryMoved, RewalkedDirectory, type WalkedDirectory, type WalkMethod } from './rewalk.ts';

/** Holds the directory at an absolute path by its inode. A root that was moved away later is refused. */
export function cwdRoot(realPath: string): HeldDirectory {
  // The directory is held open, so that its inode number cannot be given to another one.
  const fd = ambientOpen(realPath, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const root = factsOfFd(fd);
  return new RewalkedDirectory(cwdMethod(realPath, fd), [{ name: '', dev: root.dev, ino: root.ino }]);
}

function cwdMethod(rootPath: string, fd: number): WalkMethod {
  let isOpen = true;
  return {
    runIn: (walk, act) => runInDirectory(rootPath, walk, () => act('.')),
    acceptsName: () => true,
    release: () => {
      if (isOpen) closeFd(fd);
      isOpen = false;
    },
  };
}

function runInDirectory<T>(rootPath: string, walk: readonly WalkedDirectory[], act: () => T): T {
  const previous = ambientCwd();
  try {
    for (const step of walk) enterDirectory(step, rootPath);
    return act();
  } finally {
    returnTo(previous);
  }
}

/** Returns to a working directory. Its error replaces any other, since going on in the wrong directory would be worse. */
function returnTo(directory: string): void {
  ambientChdir(directory);
  if (ambientCwd() !== directory) throw new Error('the working directory could not be restored');
}

function enterDirectory(step: WalkedDirectory, rootPath: string): void {
  try {
    // Somebody may swap the root's own path, too, so that only the inode that chdir has reached counts.
    if (step.name !== '' && !sameInode(ambientLstat(`./${step.name}`), step)) throw directoryMoved();
    ambientChdir(step.name === '' ? rootPath : `./${step.name}`);
    if (!sameInode(ambientLstat('.'), step)) throw step.name === '' ? rootGone() : directoryMoved();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') {
      throw step.name === '' ? rootGone() : directoryMoved();
    }
    throw error;
  }
}

function rootGone(): Refusal {
  return new Refusal(
    'IO_ERROR',
    'Cannot reach the root: it was moved or deleted. The operator should restart the server.',
  );
}
