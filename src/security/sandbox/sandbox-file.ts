// An existing plain file that the policy lets through and that was reached without following a link. It
// holds the inode, so a swap of the name afterwards changes nothing. It does NOT promise any contents.
import { basename, dirname, join, resolve } from 'node:path';
import type { HeldEntry } from '../containment/held.ts';
import { isWithin, type PinnedRoot } from '../containment/roots.ts';
import { ignoring, ioRefusal } from '../errors/io-refusal.ts';
import { ambientLstat, ambientRealpath, type Identity, sameInode } from '../fs/ambient-fs.ts';
import { deniedPath, type SafePath } from '../paths/safe-path.ts';
import { isAt } from './absence.ts';
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

/**
 * The operator's own files (the config file, schemas, reviewers), which are no business of an agent's even where
 * they lie inside a root: an agent that can edit the policy can widen it. Known by their inode, so by every
 * name that leads to it. Asked anew each time, because editors replace files.
 */
export class OperatorFiles {
  readonly #paths: readonly string[];

  constructor(paths: readonly string[]) {
    this.#paths = paths.map((path) => resolve(path));
  }

  /** Throws PATH_DENIED. */
  requireNone(entry: Identity, file: string): void {
    if (this.now()(entry)) throw deniedPath(file);
  }

  /** Throws PATH_DENIED for the place of one of them, which is not there just now. */
  requireNoneAt(rootPlace: string, path: SafePath, file: string): void {
    const places = this.#paths.flatMap((own) => [
      own,
      join(placed(dirname(own))?.place ?? '', basename(own)),
    ]);
    if (places.some((place) => isAt(place, rootPlace, path))) throw deniedPath(file);
  }

  /** Whether an entry is one of those that there are at this moment. */
  now(): (entry: Identity) => boolean {
    const found = this.#paths.flatMap((path) => placed(path) ?? []);
    return (entry) => found.some(({ identity }) => sameInode(identity, entry));
  }

  /** How many lie inside one of the roots, where they had better not be. */
  countWithin(roots: readonly PinnedRoot[]): number {
    const places = this.#paths.flatMap((path) => placed(path) ?? []);
    return places.filter(({ place }) => roots.some((root) => isWithin(place, root.place))).length;
  }
}

/** Links are followed: what counts is the file that the operator's path leads to. */
function placed(path: string): { readonly place: string; readonly identity: Identity } | undefined {
  // Of one that was removed since the start there is nothing to keep anybody from.
  return ignoring('all', () => {
    const place = ambientRealpath(path);
    return { place, identity: ambientLstat(place) };
  });
}
