// Containment where nothing can be opened relative to a directory. Every operation walks again from the root, and compares each
// directory on the way with the one of the first walk. Whether that is free of races depends on the `Stance`: cwd-walk.ts is,
// checked.ts is not.
import { Refusal } from '../errors/refusal.ts';
import {
  ambientLstat,
  ambientLstatIfThere,
  ambientOpen,
  closeFd,
  type FileFacts,
  factsOfFd,
  type Identity,
  O_NOFOLLOW,
  O_NONBLOCK,
  O_RDONLY,
  sameInode,
} from '../fs/ambient-fs.ts';
import { HeldDirectory, type HeldEntry } from './held.ts';

/** One directory of the walk: its name (empty for the root) and the inode that it was. */
export interface Step extends Identity {
  readonly name: string;
}

export interface Stance {
  /** Runs `act` in the last directory of the walk, with a path of it that is valid there. */
  at<T>(walk: readonly Step[], act: (directory: string) => T): T;
  /** Releases whatever pins the root. */
  release(): void;
  /** True where the directory may be asked for that name; otherwise the name is answered as missing. */
  admits(directory: string, name: string): boolean;
}

export class RewalkedDirectory extends HeldDirectory {
  readonly descriptor = undefined;
  readonly #stance: Stance;
  readonly #walk: readonly Step[];

  constructor(stance: Stance, walk: readonly Step[]) {
    super();
    this.#stance = stance;
    this.#walk = walk;
  }

  facts(): FileFacts {
    return this.at(ambientLstat);
  }

  hold(name: string): HeldEntry | undefined {
    return this.on(name, (path, directory) => {
      const facts = this.#lookAt(path, directory, name);
      if (facts === undefined) return undefined;
      return facts.kind === 'file' ? openedEntry(path, facts) : unopenedEntry(facts);
    });
  }

  override look(name: string): FileFacts | undefined {
    return this.on(name, (path, directory) => this.#lookAt(path, directory, name));
  }

  enter(name: string): HeldDirectory | 'missing' | 'symlink' | 'no directory' {
    const facts = this.look(name);
    if (facts === undefined) return 'missing';
    if (facts.kind !== 'directory') return facts.kind === 'symlink' ? 'symlink' : 'no directory';
    return new RewalkedDirectory(this.#stance, [...this.#walk, { name, dev: facts.dev, ino: facts.ino }]);
  }

  /** True whenever it can be reached, since every operation walks from the root. */
  isStillBelow(root: HeldDirectory): boolean {
    return root instanceof RewalkedDirectory && this.at(() => true);
  }

  close(): void {
    // Below the root nothing is held open; the walk keeps only identities.
    if (this.#walk.length === 1) this.#stance.release();
  }

  protected at<T>(act: (directory: string) => T): T {
    return this.#stance.at(this.#walk, act);
  }

  #lookAt(path: string, directory: string, name: string): FileFacts | undefined {
    return this.#stance.admits(directory, name) ? ambientLstatIfThere(path) : undefined;
  }
}

/** Makes the refusal for a directory that is no longer the one of the first walk. */
export function movedMeanwhile(): Refusal {
  return new Refusal(
    'FILE_CHANGED',
    'Cannot reach the file: a folder on the way was moved or replaced. Read it again.',
  );
}

/** Opens a regular file that lstat just saw. It does not block, in case a FIFO took its place meanwhile. */
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
