// Containment where nothing can be opened relative to a directory. Every operation walks again from the root, and compares each
// directory with that of the first walk. The `WalkMethod` of cwd-walk.ts is free of races, and that of checked.ts is not.
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

/** One directory of the walk: its name, which is empty for the root, and its inode. */
export interface WalkedDirectory extends Identity {
  readonly name: string;
}

/** The way to reach the last directory of a walk. */
export interface WalkMethod {
  /** Runs `act` in the last directory of the walk, with a path of it that is valid there. */
  runIn<T>(walk: readonly WalkedDirectory[], act: (directory: string) => T): T;
  /** Releases whatever pins the root. */
  release(): void;
  /** True if the directory may be asked for that name; otherwise the name is answered as missing. */
  acceptsName(directory: string, name: string): boolean;
}

export class RewalkedDirectory extends HeldDirectory {
  readonly descriptor = undefined;
  readonly #method: WalkMethod;
  readonly #walk: readonly WalkedDirectory[];

  constructor(method: WalkMethod, walk: readonly WalkedDirectory[]) {
    super();
    this.#method = method;
    this.#walk = walk;
  }

  facts(): FileFacts {
    return this.withPath(ambientLstat);
  }

  hold(name: string): HeldEntry | undefined {
    return this.withEntryPath(name, (path, directory) => {
      const facts = this.#lookAt(path, directory, name);
      if (facts === undefined) return undefined;
      return facts.kind === 'file' ? openedEntry(path, facts) : unopenedEntry(facts);
    });
  }

  override factsOf(name: string): FileFacts | undefined {
    return this.withEntryPath(name, (path, directory) => this.#lookAt(path, directory, name));
  }

  enter(name: string): HeldDirectory | 'missing' | 'symlink' | 'no directory' {
    const facts = this.factsOf(name);
    if (facts === undefined) return 'missing';
    if (facts.kind !== 'directory') return facts.kind === 'symlink' ? 'symlink' : 'no directory';
    return new RewalkedDirectory(this.#method, [...this.#walk, { name, dev: facts.dev, ino: facts.ino }]);
  }

  /** True if the directory can be reached, because every operation walks from the root. */
  isStillBelow(root: HeldDirectory): boolean {
    return root instanceof RewalkedDirectory && this.withPath(() => true);
  }

  close(): void {
    // Only the root is held open. The walk keeps nothing but the identities of the directories below it.
    if (this.#walk.length === 1) this.#method.release();
  }

  protected withPath<T>(act: (directory: string) => T): T {
    return this.#method.runIn(this.#walk, act);
  }

  #lookAt(path: string, directory: string, name: string): FileFacts | undefined {
    return this.#method.acceptsName(directory, name) ? ambientLstatIfThere(path) : undefined;
  }
}

/** Makes the refusal for a directory that is no longer the one of the first walk. */
export function directoryMoved(): Refusal {
  return new Refusal(
    'FILE_CHANGED',
    'Cannot reach the file: a folder on the way was moved or replaced. Read it again.',
  );
}

/** Opens a regular file that lstat just saw. It does not block, in case a FIFO took its place meanwhile. */
function openedEntry(path: string, expected: FileFacts): HeldEntry {
  const fd = ambientOpen(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeFd(fd);
    isOpen = false;
  };
  const facts = factsOfFd(fd);
  if (facts.kind !== 'file' || !sameInode(facts, expected)) {
    close();
    throw directoryMoved();
  }
  const openForReading = () => {
    if (!isOpen) throw new Error('a held entry was used after it was closed');
    // The caller owns the descriptor from now on.
    isOpen = false;
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
