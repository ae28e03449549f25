// The operator's own files (the config file, schemas, reviewers), which are no business of an agent's even where
// they lie inside a root: an agent that can edit the policy can widen it. Known by their inode, so by every
// name that leads to it. Asked anew each time, because editors replace files.
import { resolve } from 'node:path';
import { isWithin, type PinnedRoot } from '../containment/roots.ts';
import { ignoring } from '../errors/ignoring.ts';
import { ambientLstat, ambientRealpath, type Identity, sameInode } from '../fs/ambient-fs.ts';
import { deniedPath } from '../paths/safe-path.ts';

export class OperatorFiles {
  readonly #paths: readonly string[];

  constructor(paths: readonly string[]) {
    this.#paths = paths.map((path) => resolve(path));
  }

  /** Throws PATH_DENIED. */
  requireNone(entry: Identity, file: string): void {
    if (this.now()(entry)) throw deniedPath(file);
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
