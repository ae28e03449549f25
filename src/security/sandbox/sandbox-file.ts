// An existing plain file that the policy allows and that was reached without following a link. It holds the inode, so a swap of
// the name afterwards changes nothing. It does not promise any contents.
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

  /** Reads the file and closes it, whatever happens. It can be called once. */
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

/** For this layer only: makes one of an entry that the walk holds, and whose kind, links and size were checked. */
export function sandboxFile(origin: Origin, path: SafePath, entry: HeldEntry): SandboxFile {
  return new SandboxFile(KEY, origin, path, entry);
}

/**
 * The operator's own files (the config file, schemas, reviewers). They are denied to agents even inside a root, because an
 * agent that can edit the policy can widen it. They are known by inode, so by every name that leads there, and looked up anew
 * each time, because editors replace files.
 */
export class OperatorFiles {
  readonly #paths: readonly string[];

  constructor(paths: readonly string[]) {
    this.#paths = paths.map((path) => resolve(path));
  }

  /** Throws PATH_DENIED where the entry is one of them. */
  requireNone(entry: Identity, file: string): void {
    if (this.now()(entry)) throw deniedPath(file);
  }

  /** Throws PATH_DENIED for the place of one of them that does not exist at the moment. */
  requireNoneAt(rootPlace: string, path: SafePath, file: string): void {
    const places = this.#paths.flatMap((own) => [
      own,
      join(placed(dirname(own))?.place ?? '', basename(own)),
    ]);
    if (places.some((place) => isAt(place, rootPlace, path))) throw deniedPath(file);
  }

  /** Answers a test for the operator's files that exist at this moment. */
  now(): (entry: Identity) => boolean {
    const found = this.#paths.flatMap((path) => placed(path) ?? []);
    return (entry) => found.some(({ identity }) => sameInode(identity, entry));
  }

  /** Counts the files inside one of the roots, where they should not be. */
  countWithin(roots: readonly PinnedRoot[]): number {
    const places = this.#paths.flatMap((path) => placed(path) ?? []);
    return places.filter(({ place }) => roots.some((root) => isWithin(place, root.place))).length;
  }
}

/** Follows links, because the file counts to which the operator's path leads. */
function placed(path: string): { readonly place: string; readonly identity: Identity } | undefined {
  // A file that was removed since the start needs no protection.
  return ignoring('all', () => {
    const place = ambientRealpath(path);
    return { place, identity: ambientLstat(place) };
  });
}
