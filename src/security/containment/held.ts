// The interface of every containment: a directory that is held, operations on single names in it, and the way to one below
// another. It takes one component at a time, never a path, so that no caller can walk anywhere by text. Each operation is one
// system call on a path that the containment vouches for as long as the call lasts.

import { ignoring } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import {
  ambientEntries,
  ambientLink,
  ambientLstatIfThere,
  ambientMakeFolder,
  ambientOpen,
  ambientRemoveFolder,
  ambientRename,
  ambientUnlink,
  chmodFd,
  chownFd,
  type FileFacts,
  factsOfFd,
  O_CREAT,
  O_DIRECTORY,
  O_EXCL,
  O_NOFOLLOW,
  O_RDONLY,
  O_WRONLY,
  syncFd,
} from '../fs/ambient-fs.ts';
import { closingFd } from '../fs/fd-io.ts';

/** `fd-walk` and `cwd-walk` are race-free; `checked` (Windows) compares before and after and is not. */
export type Containment = 'fd-walk' | 'cwd-walk' | 'checked';

/** A directory that was reached beneath the root without following a symlink. */
export abstract class HeldDirectory {
  /** The file descriptor that holds it, valid in every thread of the process; undefined where there is none. */
  abstract readonly descriptor: number | undefined;
  abstract facts(): FileFacts;
  /** Holds the entry without opening it; undefined where there is none. It may be of any kind, so check `facts`. */
  abstract hold(name: string): HeldEntry | undefined;
  /** Answers the directory of that name, or says what is there instead. */
  abstract enter(name: string): HeldDirectory | 'missing' | 'symlink' | 'no directory';
  /** True where the directory is still somewhere below `root`. */
  abstract isStillBelow(root: HeldDirectory): boolean;
  abstract close(): void;

  /** Runs `act` with a path of this very directory, which is valid until `act` returns. */
  protected abstract at<T>(act: (directory: string) => T): T;

  /** Does the same with the path of one name in the directory. */
  protected on<T>(name: string, act: (path: string, directory: string) => T): T {
    return this.at((directory) => act(beneath(directory, name), directory));
  }

  /** Answers the facts of the entry without holding it; undefined where there is none. */
  look(name: string): FileFacts | undefined {
    return this.on(name, (path) => ambientLstatIfThere(path));
  }

  entries(limit: number): ReturnType<typeof ambientEntries> {
    return this.at((directory) => ambientEntries(directory, limit));
  }

  /** Opens a file for writing that did not exist before. The caller closes the descriptor. */
  createExclusive(name: string, mode: number): number {
    return this.on(name, (path) => ambientOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode));
  }

  /** Gives the file a second name; fails with EEXIST where the name is taken. */
  link(existing: string, fresh: string): void {
    this.at((directory) => ambientLink(beneath(directory, existing), beneath(directory, fresh)));
  }

  rename(from: string, to: string): void {
    this.at((directory) => ambientRename(beneath(directory, from), beneath(directory, to)));
  }

  unlink(name: string): void {
    this.on(name, (path) => ambientUnlink(path));
  }

  /** Makes a folder; fails with EEXIST where the name is taken. */
  makeFolder(name: string): void {
    this.on(name, (path) => ambientMakeFolder(path));
  }

  /** Removes a folder; fails where it is not empty. */
  removeFolder(name: string): void {
    this.on(name, (path) => ambientRemoveFolder(path));
  }

  /** Gives this very directory an owner and a mode. On Windows, which has neither, nothing is done. */
  setOwnerAndMode({ uid, gid, mode }: Pick<FileFacts, 'uid' | 'gid' | 'mode'>): void {
    if (process.platform === 'win32') return;
    this.at((directory) =>
      closingFd(ambientOpen(directory, O_RDONLY | O_DIRECTORY), (fd) => {
        const own = factsOfFd(fd);
        if (own.uid !== uid || own.gid !== gid) chownFd(fd, uid, gid);
        chmodFd(fd, mode);
      }),
    );
  }

  /** Makes created, renamed and removed names durable. */
  sync(): void {
    // Windows cannot sync a directory; its renames are journalled by NTFS.
    if (process.platform === 'win32') return;
    this.at((directory) => closingFd(ambientOpen(directory, O_RDONLY | O_DIRECTORY), syncFd));
  }
}

/** One entry of a held directory. Holding it opens nothing: a FIFO or a device is never touched. */
export interface HeldEntry {
  readonly facts: FileFacts;
  /** A file descriptor for reading this very inode. The caller closes it. */
  openForReading(): number;
  close(): void;
}

/** Answers the name if it is exactly one component, since `/proc/self/fd/N/..` would escape. Anything else is our own bug. */
function oneComponent(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/u.test(name)) {
    throw new Error('a containment was handed something else than one component');
  }
  return name;
}

function beneath(directory: string, name: string): string {
  return `${directory}/${oneComponent(name)}`;
}

/** The directory that `components` name below `root`; the caller closes it (never `root` itself). */
export function walk(root: HeldDirectory, components: readonly string[], file: string): HeldDirectory {
  let here = root;
  for (const name of components) {
    const next = enterAndLeave(here, name, root);
    if (next === 'symlink') throw symlinkRefused(file);
    // "Nothing there" and "a file there" get one answer, because the difference would tell about files that the
    // policy hides.
    if (next === 'missing' || next === 'no directory') throw missing(root, file);
    here = next;
  }
  return here;
}

export function symlinkRefused(file: string): Refusal {
  return new Refusal(
    'SYMLINK_REFUSED',
    'Cannot use this file: a symbolic link stands in its path, and links are never followed. Use the path of the file itself.',
    { file },
  );
}

/** Makes the refusal FILE_NOT_FOUND, or IO_ERROR where the root itself is gone, which nothing creates again. */
export function missing(root: HeldDirectory, file: string): Refusal {
  if (isGone(root)) {
    return new Refusal(
      'IO_ERROR',
      'Cannot reach the root: it was deleted. The operator should restart the server.',
    );
  }
  return new Refusal(
    'FILE_NOT_FOUND',
    'Cannot use this file: there is none at this path. config_list shows the files.',
    { file },
  );
}

/** True where the root was deleted: one that is held open has no links any more, any other has no facts. */
export function isGone(root: HeldDirectory): boolean {
  return (ignoring(['ENOENT'], () => root.facts().links) ?? 0) === 0;
}

function enterAndLeave(
  here: HeldDirectory,
  name: string,
  root: HeldDirectory,
): ReturnType<HeldDirectory['enter']> {
  try {
    return here.enter(name);
  } finally {
    if (here !== root) here.close();
  }
}
