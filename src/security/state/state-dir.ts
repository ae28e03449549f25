// The directory with the database of the state and the journals of writes. It belongs to the user, is outside of every root, and is held by its inode from the
// start on. Changes by other processes of the same user are detected, and not prevented.
import { basename, dirname, join, resolve } from 'node:path';
import { StateFault } from '../../state/driver.ts';
import { chooseContainment, pinRoot } from '../containment/choose.ts';
import type { Containment, HeldDirectory } from '../containment/held.ts';
import { isWithin, rootPaths } from '../containment/roots.ts';
import { ignoring } from '../errors/refusal.ts';
import { StartError } from '../errors/start-error.ts';
import {
  ambientFileSystemType,
  ambientFreeBytes,
  ambientLstat,
  ambientLstatIfThere,
  ambientMkdir,
  ambientRealpath,
  closeFd,
  errnoOf,
  type FileFacts,
  isOurs,
  sameInode,
} from '../fs/ambient-fs.ts';
import { whyUntrusted } from '../fs/trusted-file.ts';
import type { RootSpec } from '../policy/policy.ts';
import { quoted } from '../text/visible.ts';
import { journalFolderIn } from '../writer/journal.ts';

/** Magic numbers of statfs(2) on Linux: NFS, SMB, CIFS, SMB2, AFS twice, Ceph, 9P, GFS2, OCFS2, Lustre, Coda. */
const NETWORK_FILE_SYSTEMS: readonly number[] = [
  ...[0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x6b414653, 0x00c36400, 0x01021997, 0x01161970],
  ...[0x7461636f, 0x0bd00bd0, 0x73757245],
];

const DATABASE = 'state.db';

/** Free space that agents may not use, so that people can still decide. */
const RESERVE_BYTES = 100e6;
/** The largest size of the database for agents; some thirty million records. */
const MOST_BYTES = 16e9;

export class StateDir {
  readonly #directory: HeldDirectory;
  /** The real path at the start. */
  readonly realPath: string;
  /** The facts of the database file, once it was opened. */
  #opened: FileFacts | undefined;
  #journals: HeldDirectory | undefined;

  /** @internal Made by `openStateDir` only. */
  constructor(directory: HeldDirectory, realPath: string) {
    this.#directory = directory;
    this.realPath = realPath;
  }

  /** Returns the path of the database; makes it readable by its owner alone before an engine opens it. Throws StartError for another kind of file. */
  database(): string {
    if (NETWORK_FILE_SYSTEMS.includes(ambientFileSystemType(this.realPath) ?? 0))
      throw refused(
        this.realPath,
        'it lies on a network file system, where SQLite cannot lock; use a local disk, or --state postgres://…',
      );
    const facts = this.#directory.factsOf(DATABASE);
    if (facts === undefined) closeFd(this.#directory.createExclusive(DATABASE, 0o600));
    else if (facts.kind !== 'file' || !isOurs(facts))
      throw refused(this.realPath, `what stands at "${DATABASE}" in it is no file of this program`);
    this.#opened = this.#directory.factsOf(DATABASE);
    return join(this.realPath, DATABASE);
  }

  /** Throws StateFault where the directory or the database is no longer the one that was opened. */
  requireSame(): void {
    // The path leads elsewhere if the directory was removed or replaced.
    const now = ambientLstatIfThere(join(this.realPath, DATABASE));
    if (now === undefined || this.#opened === undefined || !sameInode(now, this.#opened))
      throw new StateFault('replaced');
  }

  /** The reason why agents may not add to the database; undefined if they may. */
  get shortage(): 'full' | 'disk' | undefined {
    if ((ambientLstatIfThere(join(this.realPath, DATABASE))?.sizeBytes ?? 0) > MOST_BYTES) return 'full';
    const disk = ambientFreeBytes(this.realPath);
    return disk !== undefined && disk.free < Math.min(RESERVE_BYTES, disk.of / 20) ? 'disk' : undefined;
  }

  /** Holds the folder of the journals until `close`, and makes it if there is none. */
  journalFolder(): HeldDirectory {
    this.#journals ??= journalFolderIn(this.#directory);
    return this.#journals;
  }

  close(): void {
    this.#journals?.close();
    this.#directory.close();
  }
}

/** Opens the directory, or makes it with mode 0700. Throws StartError for one that others could look into or replace. */
export function openStateDir(dir: string, roots: readonly RootSpec[], forced?: Containment): StateDir {
  const realPath = checkedStateDirPath(dir, rootPaths(roots));
  makeDirectory(dir, realPath);
  return stateDirOn(pinRoot(forced ?? chooseContainment(), realPath), realPath, dir);
}

/** Returns the real path that the directory has or will have, and makes nothing. Throws what `openStateDir` throws. */
export function checkedStateDirPath(dir: string, roots: readonly string[]): string {
  const realPath = realPathOf(dir);
  // Neither may be inside the other, because an agent must not be able to edit what is kept here.
  if (roots.some((root) => isWithin(realPath, root) || isWithin(root, realPath)))
    throw refused(dir, 'it and a root overlap; put it somewhere else');
  const reason = whyUntrusted(dir);
  if (reason !== undefined) throw refused(dir, reason);
  const facts = ambientLstatIfThere(realPath);
  if (facts !== undefined && facts.kind !== 'directory')
    throw refused(dir, 'it is no folder; name another with --state-dir');
  if (facts !== undefined) requirePrivate(facts, dir);
  return realPath;
}

/** True if the directory holds a database. Makes nothing. */
export function hasStateDir(dir: string): boolean {
  return ambientLstatIfThere(join(realPathOf(dir), DATABASE))?.kind === 'file';
}

function stateDirOn(directory: HeldDirectory, realPath: string, dir: string): StateDir {
  try {
    requirePrivate(directory.facts(), dir);
    return new StateDir(directory, realPath);
  } catch (error) {
    directory.close();
    throw error;
  }
}

/** Returns the real path that the directory has, or will have once it is made. */
function realPathOf(dir: string): string {
  if (dir.trim() === '' || dir.includes('\0')) throw new StartError('the state directory has no name');
  const path = resolve(dir);
  if (ignoring('all', () => ambientLstat(path))?.kind === 'symlink')
    throw refused(dir, 'it is a symbolic link');
  return resolvedPath(path, dir);
}

function resolvedPath(path: string, dir: string): string {
  try {
    return ambientRealpath(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || dirname(path) === path) throw refused(dir, 'it cannot be reached');
    return join(resolvedPath(dirname(path), dir), basename(path));
  }
}

function makeDirectory(dir: string, realPath: string): void {
  try {
    ambientMkdir(realPath, 0o700);
  } catch {
    throw refused(dir, 'it cannot be made; name another with --state-dir');
  }
}

function requirePrivate({ uid, mode }: FileFacts, dir: string): void {
  const self = process.geteuid?.();
  if (self === undefined) return;
  if (uid !== self)
    throw refused(dir, 'it belongs to another user; run this as that user, or name another directory');
  if ((mode & 0o077) !== 0) throw refused(dir, 'others can look into it; it needs mode 0700');
}

function refused(dir: string, reason: string): StartError {
  return new StartError(`cannot use the state directory ${quoted(dir)}: ${reason}`);
}
