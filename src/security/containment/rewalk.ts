// Containment where nothing can be opened relative to a directory: every operation walks again from the
// root, comparing each directory on the way with what was met the first time. How one stands in a
// directory (`Stance`) decides whether that is free of races: cwd-walk.ts is, checked.ts is not.

import { Refusal } from '../errors/refusal.ts';
import {
  ambientEntries,
  ambientLink,
  ambientLstat,
  ambientLstatIfThere,
  ambientOpen,
  ambientRename,
  ambientUnlink,
  closeFd,
  type FileFacts,
  factsOfFd,
  type Identity,
  O_CREAT,
  O_DIRECTORY,
  O_EXCL,
  O_NOFOLLOW,
  O_NONBLOCK,
  O_RDONLY,
  O_WRONLY,
  sameInode,
  syncFd,
} from '../fs/ambient-fs.ts';
import {
  type HeldDirectory,
  type HeldEntry,
  oneComponent,
  requireFile,
  TO_APPEND,
  TO_OVERWRITE,
} from './held.ts';

/** One directory of the walk: its name (empty for the root) and the inode that it was. */
export interface Step extends Identity {
  readonly name: string;
}

export interface Stance {
  /** Runs `act` standing in the last directory of the walk; `prefix` turns one name into a usable path. */
  at<T>(walk: readonly Step[], act: (prefix: string) => T): T;
  /** Lets go of whatever pins the root. */
  release(): void;
  /** Whether the folder may be asked for that name; if not, it is answered as missing. */
  admits(prefix: string, name: string): boolean;
}

export class RewalkedDirectory implements HeldDirectory {
  readonly descriptor = undefined;
  readonly #stance: Stance;
  readonly #walk: readonly Step[];

  constructor(stance: Stance, walk: readonly Step[]) {
    this.#stance = stance;
    this.#walk = walk;
  }

  facts(): FileFacts {
    return this.#in((prefix) => ambientLstat(`${prefix}.`));
  }

  hold(name: string): HeldEntry | undefined {
    return this.#in((prefix) => {
      const facts = this.#look(prefix, name);
      if (facts === undefined) return undefined;
      return facts.kind === 'file' ? openedEntry(prefix + name, facts) : unopenedEntry(facts);
    });
  }

  look(name: string): FileFacts | undefined {
    return this.#in((prefix) => this.#look(prefix, name));
  }

  enter(name: string): HeldDirectory | 'missing' | 'symlink' | 'no directory' {
    return this.#in((prefix) => {
      const facts = this.#look(prefix, name);
      if (facts === undefined) return 'missing';
      if (facts.kind !== 'directory') return facts.kind === 'symlink' ? 'symlink' : 'no directory';
      return new RewalkedDirectory(this.#stance, [...this.#walk, { name, dev: facts.dev, ino: facts.ino }]);
    });
  }

  entries(limit: number): ReturnType<HeldDirectory['entries']> {
    return this.#in((prefix) => ambientEntries(`${prefix}.`, limit));
  }

  createExclusive(name: string, mode: number): number {
    const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    return this.#in((prefix) => ambientOpen(prefix + oneComponent(name), flags, mode));
  }

  openToAppend(name: string): number {
    return this.#in((prefix) => requireFile(ambientOpen(prefix + oneComponent(name), TO_APPEND)));
  }

  openToOverwrite(name: string): number {
    return this.#in((prefix) => requireFile(ambientOpen(prefix + oneComponent(name), TO_OVERWRITE)));
  }

  link(existing: string, fresh: string): void {
    this.#in((prefix) => ambientLink(prefix + oneComponent(existing), prefix + oneComponent(fresh)));
  }

  rename(from: string, to: string): void {
    this.#in((prefix) => ambientRename(prefix + oneComponent(from), prefix + oneComponent(to)));
  }

  unlink(name: string): void {
    this.#in((prefix) => ambientUnlink(prefix + oneComponent(name)));
  }

  sync(): void {
    // Windows cannot sync a directory; its renames are journalled by NTFS.
    if (process.platform === 'win32') return;
    this.#in((prefix) => {
      const fd = ambientOpen(`${prefix}.`, O_RDONLY | O_DIRECTORY);
      try {
        syncFd(fd);
      } finally {
        closeFd(fd);
      }
    });
  }

  /** Every operation walks from the root, so reaching the directory at all is the answer. */
  isStillBelow(root: HeldDirectory): boolean {
    return root instanceof RewalkedDirectory && this.#in(() => true);
  }

  close(): void {
    // Below the root nothing is held open: the identities in the walk are all there is.
    if (this.#walk.length === 1) this.#stance.release();
  }

  #look(prefix: string, name: string): FileFacts | undefined {
    const path = prefix + oneComponent(name);
    return this.#stance.admits(prefix, name) ? ambientLstatIfThere(path) : undefined;
  }

  #in<T>(act: (prefix: string) => T): T {
    return this.#stance.at(this.#walk, act);
  }
}

/** The refusal where a directory is no longer the one that the walk met. */
export function movedMeanwhile(): Refusal {
  return new Refusal(
    'FILE_CHANGED',
    'Cannot reach the file: a folder on the way was moved or replaced. Read it again.',
  );
}

/** Opens a regular file that lstat just saw; non-blocking, in case a FIFO took its place in between. */
function openedEntry(path: string, expected: FileFacts): HeldEntry {
  const fd = ambientOpen(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  let isOwned = true;
  const close = () => {
    if (isOwned) closeFd(fd);
    isOwned = false;
  };
  const facts = factsOfFd(fd);
  if (facts.kind !== 'file' || !sameInode(facts, expected)) {
    close();
    throw movedMeanwhile();
  }
  const openForReading = () => {
    if (!isOwned) throw new Error('a held entry was used after it was closed');
    isOwned = false;
    return fd;
  };
  return { facts, openForReading, close };
}

function unopenedEntry(facts: FileFacts): HeldEntry {
  const openForReading = () => {
    throw new Error('only a regular file is opened');
  };
  return { facts, openForReading, close: () => {} };
}
