// The folders of one commit: held from the first check to the last rename, and locked in one order that
// every process shares. Promises that a folder was not moved when asked; between that question and the
// rename lie microseconds that no system call closes, and even then the write lands in the held folder.
import { type HeldDirectory, walk } from '../containment/held.ts';
import { Refusal } from '../errors/refusal.ts';
import { sameInode } from '../fs/ambient-fs.ts';
import { type Lock, type LockRequest, lockFolder } from '../locking/lock.ts';
import type { SafePath } from '../paths/safe-path.ts';

/** One file's folder. */
export interface HeldFolder {
  readonly directory: HeldDirectory;
  /** Throws unless the path still leads to this folder, below its root, and our lock is in force. */
  requireInPlace(): void;
}

interface Held {
  readonly path: SafePath;
  readonly directory: HeldDirectory;
}

export class Folders {
  readonly #rootOf: (path: SafePath) => HeldDirectory;
  readonly #held: Held[] = [];
  readonly #locks = new Map<HeldDirectory, Lock>();
  #isBatch = false;

  constructor(rootOf: (path: SafePath) => HeldDirectory) {
    this.#rootOf = rootOf;
  }

  /** Walks to the folder of a file that is about to be written; the same folder is held once. */
  hold(path: SafePath): HeldFolder {
    const reached = this.#walk(path);
    const known = this.#held.find(({ directory }) => sameInode(directory.facts(), reached.facts()));
    if (known === undefined) this.#held.push({ path, directory: reached });
    else this.#leave(path, reached);
    const directory = known?.directory ?? reached;
    return { directory, requireInPlace: () => this.#requireInPlace(path, directory) };
  }

  /** Waits for each folder's lock; throws BUSY. */
  lockAll(request: LockRequest): void {
    this.#isBatch = request.batch !== undefined;
    // By inode, so that two servers with different roots cannot wait for each other in a circle.
    this.#held.sort((a, b) => compare(a.directory, b.directory));
    for (const { directory } of this.#held) this.#locks.set(directory, lockFolder(directory, request));
  }

  /** Makes the renames durable. */
  sync(): void {
    for (const { directory } of this.#held) directory.sync();
  }

  /** The locks of a batch stay until it has ended, so that nobody takes half of it for a whole. Never throws. */
  release(isOver: boolean): void {
    for (const lock of this.#locks.values()) {
      if (isOver || !this.#isBatch) lock.release();
      else lock.leave();
    }
    for (const { path, directory } of this.#held) this.#leave(path, directory);
  }

  #requireInPlace(path: SafePath, directory: HeldDirectory): void {
    const again = this.#walk(path);
    const isSame = sameInode(again.facts(), directory.facts());
    this.#leave(path, again);
    const file = path.toString();
    if (!isSame || !directory.isStillBelow(this.#rootOf(path))) {
      const message = 'Cannot write: the folder of the file was moved or replaced. Read the file again.';
      throw new Refusal('FILE_CHANGED', message, { file });
    }
    if (this.#locks.get(directory)?.isHeld() !== true) {
      throw new Refusal(
        'BUSY',
        'Cannot write: the lock of the folder was taken away. Try again in a moment.',
        { file },
      );
    }
  }

  #walk(path: SafePath): HeldDirectory {
    return walk(this.#rootOf(path), path.components.slice(0, -1), path.toString());
  }

  #leave(path: SafePath, directory: HeldDirectory): void {
    if (directory !== this.#rootOf(path)) directory.close();
  }
}

function compare(a: HeldDirectory, b: HeldDirectory): number {
  const [left, right] = [a.facts(), b.facts()];
  if (left.dev !== right.dev) return left.dev < right.dev ? -1 : 1;
  return left.ino < right.ino ? -1 : 1;
}
