// What every containment offers: a directory that is held, operations on single names in it, and the way to one below
// another. The interface takes one component at a time, never a path, so that no caller can walk anywhere by text. Each
// operation is one system call on a path that the containment vouches for as long as the call lasts.

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
  closeFd,
  type FileFacts,
  factsOfFd,
  O_APPEND,
  O_CREAT,
  O_DIRECTORY,
  O_EXCL,
  O_NOFOLLOW,
  O_NONBLOCK,
  O_RDONLY,
  O_WRONLY,
  syncFd,
} from '../fs/ambient-fs.ts';
import { closingFd } from '../fs/fd-io.ts';

/** `fd-walk` and `cwd-walk` are race-free; `checked` (Windows) compares before and after and is not. */
export type Containment = 'fd-walk' | 'cwd-walk' | 'checked';

/** A directory that was reached beneath the root without following a symlink. */
export abstract class HeldDirectory {
  /** The file descriptor that holds it, good in every thread of the process; undefined where none does. */
  abstract readonly descriptor: number | undefined;
  abstract facts(): FileFacts;
  /** The entry, held but not opened; undefined where there is none. Of whatever kind: check `facts`. */
  abstract hold(name: string): HeldEntry | undefined;
  /** The directory of that name, or what stands there instead. */
  abstract enter(name: string): HeldDirectory | 'missing' | 'symlink' | 'no directory';
  /** Whether the directory itself still stands somewhere below `root`. */
  abstract isStillBelow(root: HeldDirectory): boolean;
  abstract close(): void;

  /** Runs `act` with a path of this very directory, good until it returns. */
  protected abstract at<T>(act: (directory: string) => T): T;

  /** The same with the path of one name in it. */
  protected on<T>(name: string, act: (path: string, directory: string) => T): T {
    return this.at((directory) => act(beneath(directory, name), directory));
  }

  /** As `hold`, without holding it. */
  look(name: string): FileFacts | undefined {
    return this.on(name, (path) => ambientLstatIfThere(path));
  }

  entries(limit: number): ReturnType<typeof ambientEntries> {
    return this.at((directory) => ambientEntries(directory, limit));
  }

  /** A file descriptor for writing a file that did not exist before. The caller closes it. */
  createExclusive(name: string, mode: number): number {
    return this.on(name, (path) => ambientOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode));
  }

  /** A file descriptor that can only add to the end of a regular file. The caller closes it. */
  openToAppend(name: string): number {
    return this.on(name, (path) => requireFile(ambientOpen(path, TO_APPEND)));
  }

  /** One that writes over a regular file from its start. The caller closes it. */
  openToOverwrite(name: string): number {
    return this.on(name, (path) => requireFile(ambientOpen(path, TO_OVERWRITE)));
  }

  /** A second name for the file; fails with EEXIST where the name is taken. */
  link(existing: string, fresh: string): void {
    this.at((directory) => ambientLink(beneath(directory, existing), beneath(directory, fresh)));
  }

  rename(from: string, to: string): void {
    this.at((directory) => ambientRename(beneath(directory, from), beneath(directory, to)));
  }

  unlink(name: string): void {
    this.on(name, (path) => ambientUnlink(path));
  }

  /** A folder of our own that did not exist before; fails with EEXIST where the name is taken. */
  makeFolder(name: string): void {
    this.on(name, (path) => ambientMakeFolder(path));
  }

  /** Fails where it is not empty. */
  removeFolder(name: string): void {
    this.on(name, (path) => ambientRemoveFolder(path));
  }

  /** Gives this very directory an owner and a mode. Windows knows neither. */
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

/** The name, if it is exactly one component: `/proc/self/fd/N/..` would escape. Anything else is our own bug. */
function oneComponent(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/u.test(name)) {
    throw new Error('a containment was handed something else than one component');
  }
  return name;
}

/** Non-blocking: a FIFO in the place of a file must not hang anybody. */
const TO_OVERWRITE = O_WRONLY | O_NOFOLLOW | O_NONBLOCK;
const TO_APPEND = TO_OVERWRITE | O_APPEND;

/** The same descriptor; closes it and throws where it is not of a regular file with one name. */
function requireFile(fd: number): number {
  const { kind, links } = factsOfFd(fd);
  if (kind === 'file' && links === 1) return fd;
  closeFd(fd);
  throw new Error('a containment was asked to write to something else than a file');
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
    // One answer for "nothing there" and "a file there": the difference would tell about files that
    // the policy hides.
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

/** FILE_NOT_FOUND, or IO_ERROR where the root itself is gone: nothing recreates it. */
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

/** A root that is not held open has no facts any more, where one that is has no links. */
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
