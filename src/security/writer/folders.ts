// The folders of one commit: held from the first check to the last rename, and locked in one order that
// every process shares. Promises that a folder was not moved when asked; between that question and the
// rename lie microseconds that no system call closes, and even then the write lands in the held folder.
import { type HeldDirectory, walk } from '../containment/held.ts';
import { Refusal } from '../errors/refusal.ts';
import { sameInode } from '../fs/ambient-fs.ts';
import type { FolderName, IntendedFile } from '../locking/intent.ts';
import { type Lock, lockFolder } from '../locking/lock.ts';
import { freshBatchId, newNameOf, oldNameOf } from '../paths/denylist.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { Journal } from './journal.ts';
import type { Recovery } from './recovery.ts';

/** One file's folder. */
export interface HeldFolder {
  readonly directory: HeldDirectory;
  /** For this file's temporary files. */
  readonly newName: string;
  readonly oldName: string;
  /** Throws unless the path still leads to this folder, below its root, and our lock is in force. */
  requireInPlace(): void;
}

/** What makes several renames one: see journal.ts. */
export interface CommitPoint {
  /** From here on, whoever finds the batch finishes it. */
  commit(): void;
  /** From here on, whoever finds the batch undoes it. */
  revoke(): void;
  /** Makes the renames durable: nothing is left to be decided. */
  close(): void;
  /** Removes what only an interrupted batch needs. Where that fails, it waits for the next start. */
  forget(): void;
}

interface Held {
  readonly path: SafePath;
  readonly name: FolderName;
  readonly directory: HeldDirectory;
  readonly files: IntendedFile[];
}

export class Folders {
  readonly #rootOf: (path: SafePath) => HeldDirectory;
  readonly #batch = freshBatchId();
  readonly #held: Held[] = [];
  readonly #locks = new Map<HeldDirectory, Lock>();

  constructor(rootOf: (path: SafePath) => HeldDirectory) {
    this.#rootOf = rootOf;
  }

  /** Walks to the folder of a file that is about to be written; the same folder is held once. */
  hold(path: SafePath, hashes: { readonly base: string; readonly result: string }): HeldFolder {
    const reached = this.#walk(path);
    const known = this.#held.find(({ directory }) => sameInode(directory.facts(), reached.facts()));
    if (known !== undefined) this.#leave(path, reached);
    const held: Held = known ?? { path, name: nameOf(path), directory: reached, files: [] };
    if (known === undefined) this.#held.push(held);
    const { directory, files } = held;
    const index = files.push({ name: path.components.at(-1) ?? '', ...hashes }) - 1;
    return {
      directory,
      newName: newNameOf(this.#batch, index),
      oldName: oldNameOf(this.#batch, index),
      requireInPlace: () => this.#requireInPlace(path, directory),
    };
  }

  /** Waits for each folder's lock, and has put in order what the dead left; throws BUSY. */
  lockAll(recovery: Recovery): void {
    // By inode, so that two servers with different roots cannot wait for each other in a circle.
    this.#held.sort((a, b) => compare(a.directory, b.directory));
    const first = this.#withJournal;
    const journal = first && { folder: first.name, ino: first.directory.facts().ino.toString() };
    for (const held of this.#held) {
      const { name, directory, files } = held;
      const lock = lockFolder(directory, {
        intent: { folder: name, files, batch: this.#batch, journal },
        isDurable: this.#isBatch,
        recover: (intent) => recovery.recover({ name, directory }, intent),
      });
      this.#locks.set(directory, lock);
    }
  }

  /** For more than one file; `discard` removes what a finished batch no longer needs, and says whether it could. */
  commitPoint(discard: () => boolean): CommitPoint | undefined {
    const first = this.#withJournal;
    if (first === undefined) return undefined;
    const journal = new Journal(first.directory, this.#batch);
    return {
      commit: () => {
        this.#syncAll();
        journal.write(this.#held.map(({ name, files }) => ({ folder: name, files })));
      },
      revoke: () => journal.remove(),
      close: () => this.#syncAll(),
      forget: () => {
        // The old contents must be gone for good before the journal is: without it they would come back.
        if (!discard()) return;
        this.#syncAll();
        journal.remove();
      },
    };
  }

  /** Never throws. */
  release(): void {
    for (const lock of this.#locks.values()) lock.release();
    for (const { path, directory } of this.#held) this.#leave(path, directory);
  }

  /** The folder of the journal; a single file needs none, for a rename is all or nothing. */
  get #withJournal(): Held | undefined {
    return this.#isBatch ? this.#held[0] : undefined;
  }

  get #isBatch(): boolean {
    return this.#held.reduce((sum, { files }) => sum + files.length, 0) > 1;
  }

  #syncAll(): void {
    for (const { directory } of this.#held) directory.sync();
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

function nameOf({ root, components }: SafePath): FolderName {
  return { root, path: components.slice(0, -1) };
}

function compare(a: HeldDirectory, b: HeldDirectory): number {
  const [left, right] = [a.facts(), b.facts()];
  if (left.dev !== right.dev) return left.dev < right.dev ? -1 : 1;
  return left.ino < right.ino ? -1 : 1;
}
