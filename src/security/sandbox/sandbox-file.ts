// An existing plain file that the policy lets through and that was reached without following a link. It
// holds the inode, so a swap of the name afterwards changes nothing. It does NOT promise any contents.
import type { HeldEntry } from '../containment/held.ts';
import { ioRefusal } from '../errors/io-refusal.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { type Origin, readSnapshot, type Snapshot } from './snapshot.ts';

const KEY: unique symbol = Symbol('SandboxFile');

export class SandboxFile {
  readonly #origin: Origin;
  readonly path: SafePath;
  readonly #entry: HeldEntry;

  /** @internal Made by `sandboxFile` only. */
  constructor(key: typeof KEY, origin: Origin, path: SafePath, entry: HeldEntry) {
    if (key !== KEY) throw new TypeError('a SandboxFile is made by opening a path only');
    this.#origin = origin;
    this.path = path;
    this.#entry = entry;
    Object.freeze(this);
  }

  get sizeBytes(): number {
    return this.#entry.facts.sizeBytes;
  }

  /** Reads the file and lets go of it, whatever happens. Can be called once. */
  read(): Snapshot {
    try {
      return readSnapshot(this.#origin, this.path, this.#entry);
    } catch (error) {
      throw ioRefusal('read this file', error, this.path.toString());
    } finally {
      this.#entry.close();
    }
  }

  close(): void {
    this.#entry.close();
  }
}

/** Within this layer only: `entry` was held by the walk and passed the checks of kind, links and size. */
export function sandboxFile(origin: Origin, path: SafePath, entry: HeldEntry): SandboxFile {
  return new SandboxFile(KEY, origin, path, entry);
}
