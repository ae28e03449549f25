// The interface of every containment: a held directory, operations on single names in it, and the walk to a directory below it.
// An operation takes one component and never a path, so that no caller can reach another directory by text. It is one system call
// on a path for which the containment guarantees that it leads to this directory.

import { ignoring, Refusal } from '../errors/refusal.ts';
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
  closingFd,
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

/** `fd-walk` and `cwd-walk` are race-free; `checked` (Windows) compares before and after and is not. */
export type Containment = 'fd-walk' | 'cwd-walk' | 'checked';

/** A directory that was reached beneath the root without following a symlink. */
export abstract class HeldDirectory {
  /** The file descriptor that holds it, valid in every thread of the process; undefined if there is none. */
  abstract readonly descriptor: number | undefined;
  abstract facts(): FileFacts;
  /** Holds the entry without opening it; undefined if there is none. It may be of any kind, so check `facts`. */
  abstract hold(name: string): HeldEntry | undefined;
  /** Returns the directory of that name, or says what is there instead. */
  abstract enter(name: string): HeldDirectory | 'missing' | 'symlink' | 'no directory';
  /** True if the directory is still somewhere below `root`. */
  abstract isStillBelow(root: HeldDirectory): boolean;
  abstract close(): void;

  /** Runs `act` with a path of this very directory, which is valid until `act` returns. */
  protected abstract withPath<T>(act: (directory: string) => T): T;

  /** Runs `act` with the path of one name in this directory, as `withPath` does. */
  protected withEntryPath<T>(name: string, act: (path: string, directory: string) => T): T {
    return this.withPath((directory) => act(entryPath(directory, name), directory));
  }

  /** Returns the facts of the entry without holding it; undefined if there is none. */
  factsOf(name: string): FileFacts | undefined {
    return this.withEntryPath(name, (path) => ambientLstatIfThere(path));
  }

  entries(limit: number): ReturnType<typeof ambientEntries> {
    return this.withPath((directory) => ambientEntries(directory, limit));
  }

  /** Creates a file, and opens it for writing; fails with EEXIST where the name is taken. The caller closes the descriptor. */
  createExclusive(name: string, mode: number): number {
    return this.withEntryPath(name, (path) =>
      ambientOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode),
    );
  }

  /** Gives the file a second name; fails with EEXIST where the name is taken. */
  link(existing: string, fresh: string): void {
    this.withPath((directory) => ambientLink(entryPath(directory, existing), entryPath(directory, fresh)));
  }

  rename(from: string, to: string): void {
    this.withPath((directory) => ambientRename(entryPath(directory, from), entryPath(directory, to)));
  }

  unlink(name: string): void {
    this.withEntryPath(name, (path) => ambientUnlink(path));
  }

  /** Makes a folder; fails with EEXIST where the name is taken. */
  makeFolder(name: string): void {
    this.withEntryPath(name, (path) => ambientMakeFolder(path));
  }

  /** Removes a folder; fails where it is not empty. */
  removeFolder(name: string): void {
    this.withEntryPath(name, (path) => ambientRemoveFolder(path));
  }

  /** Gives this very directory an owner and a mode. On Windows, which has neither, nothing is done. */
  setOwnerAndMode({ uid, gid, mode }: Pick<FileFacts, 'uid' | 'gid' | 'mode'>): void {
    if (process.platform === 'win32') return;
    this.withPath((directory) =>
      closingFd(ambientOpen(directory, O_RDONLY | O_DIRECTORY), (fd) => {
        const present = factsOfFd(fd);
        if (present.uid !== uid || present.gid !== gid) chownFd(fd, uid, gid);
        chmodFd(fd, mode);
      }),
    );
  }

  /** Makes created, renamed and removed names durable. */
  sync(): void {
    // Windows cannot sync a directory; its renames are journalled by NTFS.
    if (process.platform === 'win32') return;
    this.withPath((directory) => closingFd(ambientOpen(directory, O_RDONLY | O_DIRECTORY), syncFd));
  }
}

/** One entry of a held directory. It is held without being opened, so that a FIFO or a device is never touched. */
export interface HeldEntry {
  readonly facts: FileFacts;
  /** A file descriptor for reading this very inode. The caller closes it. */
  openForReading(): number;
  close(): void;
}

/** Returns the path of a name in a directory. Throws a plain Error for a bug of ours: `/proc/self/fd/N/..` would leave the directory. */
function entryPath(directory: string, name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/u.test(name))
    throw new Error('a containment was handed something else than one component');
  return `${directory}/${name}`;
}

/** Walks to the directory that `components` name below `root`. The caller closes it, unless it is `root` itself. */
export function walk(root: HeldDirectory, components: readonly string[], file: string): HeldDirectory {
  let directory = root;
  for (const name of components) {
    const next = enterAndClose(directory, name, root);
    if (next === 'symlink') throw symlinkRefused(file);
    // Both get the same answer, because the difference would tell about files that the policy hides.
    if (next === 'missing' || next === 'no directory') throw fileNotFound(root, file);
    directory = next;
  }
  return directory;
}

/** Runs `work` with the folder of the file that `components` name below `root`, and with the last component. */
export function withFolderOf<Result>(
  root: HeldDirectory,
  { components, file }: { readonly components: readonly string[]; readonly file: string },
  work: (folder: HeldDirectory, name: string) => Result,
): Result {
  const folder = walk(root, components.slice(0, -1), file);
  try {
    return work(folder, components.at(-1) ?? '');
  } finally {
    if (folder !== root) folder.close();
  }
}

/** Makes the refusal SYMLINK_REFUSED. */
export function symlinkRefused(file: string): Refusal {
  return new Refusal(
    'SYMLINK_REFUSED',
    'Cannot use this file: a symbolic link stands in its path, and links are never followed. Use the path of the file itself.',
    { file },
  );
}

/** Makes the refusal FILE_NOT_FOUND, or IO_ERROR where the root itself is gone, which nothing creates again. */
export function fileNotFound(root: HeldDirectory, file: string): Refusal {
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

/** True if the root was deleted: it has no links any more, or cannot be found. */
export function isGone(root: HeldDirectory): boolean {
  return (ignoring(['ENOENT'], () => root.facts().links) ?? 0) === 0;
}

function enterAndClose(
  directory: HeldDirectory,
  name: string,
  root: HeldDirectory,
): ReturnType<HeldDirectory['enter']> {
  try {
    return directory.enter(name);
  } finally {
    if (directory !== root) directory.close();
  }
}
