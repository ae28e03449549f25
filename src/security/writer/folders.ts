// Holds the folders of one write from the first check to the last rename. Every process locks them in the same order. Before a
// rename it checks that the folder was not moved. In the microseconds after that check the folder can still be moved, and the write
// then goes into the held folder.
import type { Turns } from '../../state/driver.ts';
import { type HeldDirectory, walk } from '../containment/held.ts';
import { doneUnlessTaken, ignoring, Refusal } from '../errors/refusal.ts';
import { closing, sameInode } from '../fs/ambient-fs.ts';
import { type Lock, lockFolder } from '../locking/lock.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { folderAt } from '../sandbox/absence.ts';
import { newFolderIn } from './permission.ts';

/** The held folder of one file. */
export interface HeldFolder {
  readonly directory: HeldDirectory;
  /** Throws unless the path still leads to this folder below its root, and our lock is in force. */
  requireInPlace(): void;
}

interface Held {
  readonly path: SafePath;
  readonly directory: HeldDirectory;
  lock: Lock | undefined;
}

/** A folder that this write has made, with the folder that holds it. */
interface MadeFolder {
  readonly file: string;
  readonly parent: HeldDirectory;
  readonly name: string;
  readonly isRoot: boolean;
}

export class Folders {
  readonly #rootOf: (path: SafePath) => HeldDirectory;
  /** By device and inode, so that each folder is held once. */
  readonly #held = new Map<string, Held>();
  /** The folders that are removed at the release if they are empty, outermost first. */
  readonly #made: MadeFolder[] = [];

  constructor(rootOf: (path: SafePath) => HeldDirectory) {
    this.#rootOf = rootOf;
  }

  /** The folders that were made, as their paths below their roots, outermost first. */
  get made(): readonly string[] {
    return this.#made.map(({ file }) => file);
  }

  /** Holds the folder of a file that will be written. With `makes` it makes missing folders, for a file that is to be created. */
  hold(path: SafePath, makes = false): HeldFolder {
    if (makes) for (const depth of path.components.slice(0, -1).keys()) this.#makeIfMissing(path, depth);
    const reached = this.#walk(path);
    const { dev, ino } = reached.facts();
    const key = `${dev}:${ino}`;
    const known = this.#held.get(key);
    if (known !== undefined) this.#close(path, reached);
    const held = known ?? { path, directory: reached, lock: undefined };
    this.#held.set(key, held);
    return { directory: held.directory, requireInPlace: () => this.#requireInPlace(path, held) };
  }

  /** Waits for the lock of each folder that is not locked yet. Throws BUSY. */
  async lockAll(waitMs?: number): Promise<void> {
    // The order is that of the inodes, so that two servers with different roots cannot wait for each other for ever.
    const held = [...this.#held.values()].sort((a, b) => compare(a.directory, b.directory));
    for (const one of held) one.lock ??= await lockFolder(one.directory, waitMs);
  }

  /** Makes the renames durable. */
  async sync(turns: Turns): Promise<void> {
    const held = [...this.#held.values()].map(({ directory }) => directory);
    for (const directory of [...this.#made.map(({ parent }) => parent), ...held]) {
      directory.sync();
      await turns.next();
    }
  }

  /** Removes this folder at the release, if it is empty then. It was made for a file whose creation is undone. */
  removeAtRelease(path: SafePath): void {
    const parent = ignoring('expected', () => this.#walk(path));
    const name = path.components.at(-1) ?? '';
    const isRoot = parent === this.#rootOf(path);
    if (parent !== undefined) this.#made.push({ file: path.toString(), parent, name, isRoot });
  }

  /** Releases locks and folders. Never throws. */
  release(): void {
    for (const { lock } of this.#held.values()) lock?.release();
    for (const { path, directory } of this.#held.values()) this.#close(path, directory);
    // Removing fails for folders that hold a file, which stay.
    for (const { parent, name, isRoot } of this.#made.toReversed()) {
      ignoring('all', () => parent.removeFolder(name));
      if (!isRoot) parent.close();
    }
  }

  #makeIfMissing(path: SafePath, depth: number): void {
    const root = this.#rootOf(path);
    const name = path.components[depth] ?? '';
    const parent = walk(root, path.components.slice(0, depth), path.toString());
    let isMade = false;
    try {
      if (parent.factsOf(name) !== undefined) return;
      if (!parent.isStillBelow(root)) throw folderMoved(path.toString());
      // Another program may make it first; its folder is then used like any other.
      isMade = doneUnlessTaken(() => parent.makeFolder(name));
      if (isMade) this.#made.push({ file: folderAt(path, depth + 1), parent, name, isRoot: parent === root });
      const made = isMade ? parent.enter(name) : undefined;
      if (typeof made === 'object') closing(made, () => made.setOwnerAndMode(newFolderIn(parent.facts())));
    } finally {
      if (!isMade && parent !== root) parent.close();
    }
  }

  #requireInPlace(path: SafePath, held: Held): void {
    const again = this.#walk(path);
    const isSame = sameInode(again.facts(), held.directory.facts());
    this.#close(path, again);
    const file = path.toString();
    if (!isSame || !held.directory.isStillBelow(this.#rootOf(path))) throw folderMoved(file);
    if (held.lock?.isHeld() !== true) {
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

  #close(path: SafePath, directory: HeldDirectory): void {
    if (directory !== this.#rootOf(path)) directory.close();
  }
}

function folderMoved(file: string): Refusal {
  const message = 'Cannot write: the folder of the file was moved or replaced. Read the file again.';
  return new Refusal('FILE_CHANGED', message, { file });
}

function compare(a: HeldDirectory, b: HeldDirectory): number {
  const [left, right] = [a.facts(), b.facts()];
  if (left.dev !== right.dev) return left.dev < right.dev ? -1 : 1;
  return left.ino < right.ino ? -1 : 1;
}
