// An existing plain file that the policy allows and that was reached without following a link. It holds the inode, so that a swap
// of the name afterwards changes nothing. Its contents may change.
import { basename, dirname, join, resolve } from 'node:path';
import type { HeldEntry } from '../containment/held.ts';
import { isWithin, type PinnedRoot } from '../containment/roots.ts';
import { ignoring, ioRefusal } from '../errors/refusal.ts';
import { ambientLstat, ambientRealpath, type Identity, sameInode } from '../fs/ambient-fs.ts';
import { deniedPath, type SafePath } from '../paths/safe-path.ts';
import { isSamePath } from './absence.ts';
import { type Origin, readSnapshot, readSnapshotIf, type Snapshot, type Sought } from './snapshot.ts';

export class SandboxFile {
  readonly #origin: Origin;
  readonly path: SafePath;
  readonly #entry: HeldEntry;

  /** @internal Made by `sandboxFile` only. */
  constructor(origin: Origin, path: SafePath, entry: HeldEntry) {
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
    return this.#reading(() => readSnapshot(this.#origin, this.path, this.#entry));
  }

  /** Does the same, but returns undefined if the bytes rule out what is sought; see `readSnapshotIf`. */
  readIf(sought: Sought): Snapshot | undefined {
    return this.#reading(() => readSnapshotIf(this.#origin, this.path, this.#entry, sought));
  }

  #reading<Result>(read: () => Result): Result {
    try {
      return read();
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

/** Makes a SandboxFile of an entry that is held, and whose kind, links and size were checked. Only this layer uses it. */
export function sandboxFile(origin: Origin, path: SafePath, entry: HeldEntry): SandboxFile {
  return new SandboxFile(origin, path, entry);
}

/**
 * The operator's own files (the config file, schemas, reviewers). They are denied to agents even inside a root, because an
 * agent that can edit the policy can widen it. They are recognised by their inode under every name. They are looked up anew each
 * time, because editors replace files.
 */
export class OperatorFiles {
  readonly #paths: readonly string[];

  constructor(paths: readonly string[]) {
    this.#paths = paths.map((path) => resolve(path));
  }

  /** Throws PATH_DENIED where the entry is an operator's file. */
  requireNone(entry: Identity, file: string, isOperators = this.matcher()): void {
    if (isOperators(entry)) throw deniedPath(file);
  }

  /** Throws PATH_DENIED for the path of an operator's file, also if that file does not exist at the moment. */
  requireNoneAt(rootPath: string, path: SafePath, file: string): void {
    const paths = this.#paths.flatMap((one) => [
      one,
      join(resolved(dirname(one))?.realPath ?? '', basename(one)),
    ]);
    if (paths.some((one) => isSamePath(one, rootPath, path))) throw deniedPath(file);
  }

  /** Returns a test that is true for the operator's files that exist at this moment. */
  matcher(): (entry: Identity) => boolean {
    const found = this.#paths.flatMap((path) => resolved(path) ?? []);
    return (entry) => found.some(({ identity }) => sameInode(identity, entry));
  }

  /** Counts the files inside one of the roots, where they should not be. */
  countWithin(roots: readonly PinnedRoot[]): number {
    const found = this.#paths.flatMap((path) => resolved(path) ?? []);
    return found.filter(({ realPath }) => roots.some((root) => isWithin(realPath, root.realPath))).length;
  }
}

/** Resolves a path with its links, because the operator means the file to which the path leads. */
function resolved(path: string): { readonly realPath: string; readonly identity: Identity } | undefined {
  // A file that was removed since the start needs no protection.
  return ignoring('all', () => {
    const realPath = ambientRealpath(path);
    return { realPath, identity: ambientLstat(realPath) };
  });
}
