// The directory where previews, changes and the audit trail are kept: the user's own, outside of
// every root, held by its inode from the start on. A StateDir reaches these folders and nothing
// else. It does NOT keep out other processes of the same user: what they change is found, not prevented.
import { basename, dirname, join, resolve } from 'node:path';
import { chooseContainment, pinRoot } from '../containment/choose.ts';
import type { Containment, HeldDirectory } from '../containment/held.ts';
import {
  type DirectoryHandle,
  heldAgain,
  isWithin,
  rootPlaces,
  toDirectoryHandle,
} from '../containment/roots.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { StartError } from '../errors/start-error.ts';
import {
  ambientFreeBytes,
  ambientLstat,
  ambientLstatIfThere,
  ambientMkdir,
  ambientRealpath,
  errnoOf,
  type FileFacts,
} from '../fs/ambient-fs.ts';
import { whyUntrusted } from '../fs/trusted-file.ts';
import { STATE_ID } from '../locking/batch.ts';
import { type Lock, lockFolder } from '../locking/lock.ts';
import type { RootSpec } from '../policy/policy.ts';
import { StateFolder } from '../records/state-folder.ts';
import { randomHex } from '../text/canonical-json.ts';
import { quoted } from '../text/visible.ts';

const KEY: unique symbol = Symbol('StateDir');
const ID_NAME = 'id';
const KEY_NAME = 'masking.key';
const MASKING_KEY = /^[0-9a-f]{64}$/u;

const RESERVE_BYTES = 100e6;

/** Made once, by the first process. */
interface OwnTexts {
  readonly id: string;
  readonly maskingKey: string;
}

type Folders = Readonly<Record<'previews' | 'texts' | 'changes' | 'audit', StateFolder>>;

export class StateDir {
  readonly #directory: HeldDirectory;
  /** Where it was at start; for comparing places only. */
  readonly place: string;
  /** Tells it from every other, whoever moves or mounts it: the lock of a batch names it. */
  readonly id: string;
  /** What the fingerprints of masked values are made with. It leaves this program in no form. */
  readonly maskingKey: string;
  readonly previews: StateFolder;
  readonly texts: StateFolder;
  readonly changes: StateFolder;
  readonly audit: StateFolder;

  /** @internal Made by `openStateDir` only. */
  constructor(key: typeof KEY, directory: HeldDirectory, place: string, own: OwnTexts, folders: Folders) {
    if (key !== KEY) throw new TypeError('a StateDir is made by openStateDir only');
    this.#directory = directory;
    this.place = place;
    this.id = own.id;
    this.maskingKey = own.maskingKey;
    this.previews = folders.previews;
    this.texts = folders.texts;
    this.changes = folders.changes;
    this.audit = folders.audit;
    Object.freeze(this);
  }

  /** For holding the very same directory in another thread, as long as this one is open. */
  get handle(): DirectoryHandle {
    return toDirectoryHandle({ place: this.place, directory: this.#directory });
  }

  get #folders(): readonly StateFolder[] {
    return [this.previews, this.texts, this.changes, this.audit];
  }

  /** Whether its disk has less left than is kept free for people's decisions. */
  get isDiskLow(): boolean {
    const disk = ambientFreeBytes(this.place);
    return disk !== undefined && disk.free < Math.min(RESERVE_BYTES, disk.of / 20);
  }

  get isRemoved(): boolean {
    return this.#directory.facts().links === 0;
  }

  /** Across processes; throws BUSY. */
  lock(waitMs?: number): Lock {
    // What a dead owner left half done here is repaired by whoever writes next.
    return lockFolder(this.#directory, { isOver: () => true, waitMs });
  }

  /** What processes that were killed left half written. */
  sweep(): void {
    for (const folder of [new StateFolder(this.#directory), ...this.#folders]) folder.sweep(Date.now());
  }

  close(): void {
    for (const folder of this.#folders) folder.close();
    this.#directory.close();
  }
}

/** Makes it with mode 0700 where there is none. Throws StartError for one that others could look into or exchange. */
export function openStateDir(dir: string, roots: readonly RootSpec[], forced?: Containment): StateDir {
  const place = checkedStatePlace(dir, rootPlaces(roots));
  make(dir, place);
  return stateDirOn(pinRoot(forced ?? chooseContainment(), place), place, dir);
}

/** Where it is, or will be. Throws what `openStateDir` throws for a place that nothing may be kept at; makes nothing. */
export function checkedStatePlace(dir: string, roots: readonly string[]): string {
  const place = placeOf(dir);
  // Neither in the other: an agent must not be able to edit what is kept here.
  if (roots.some((root) => isWithin(place, root) || isWithin(root, place)))
    throw refused(dir, 'it and a root overlap; put it somewhere else');
  const reason = whyUntrusted(dir);
  if (reason !== undefined) throw refused(dir, reason);
  const facts = ambientLstatIfThere(place);
  if (facts !== undefined && facts.kind !== 'directory')
    throw refused(dir, 'it is no folder; name another with --state-dir');
  if (facts !== undefined) requirePrivate(facts, dir);
  return place;
}

/** Whether there is an audit trail in it. Makes nothing. */
export function hasStateDir(dir: string): boolean {
  try {
    return ambientLstat(join(placeOf(dir), 'audit')).kind === 'directory';
  } catch (error) {
    if (error instanceof StartError) throw error;
    return false;
  }
}

/** The directory that another thread of this process holds, wherever it stands by now. */
export function adoptStateDir(handle: DirectoryHandle): StateDir {
  const directory = heldAgain(chooseContainment(), handle);
  if (directory === undefined)
    throw new StartError('the state directory is not the folder that it was when the server started');
  return stateDirOn(directory, handle.place, handle.place);
}

function stateDirOn(directory: HeldDirectory, place: string, dir: string): StateDir {
  const held = [directory];
  const folder = (name: keyof Folders) => {
    const inner = folderIn(directory, place, name, dir);
    held.push(inner);
    requirePrivate(inner.facts(), dir);
    return new StateFolder(inner);
  };
  try {
    requirePrivate(directory.facts(), dir);
    const own = new StateFolder(directory);
    const texts = {
      id: textIn(own, ID_NAME, STATE_ID, 16, dir),
      maskingKey: textIn(own, KEY_NAME, MASKING_KEY, 32, dir),
    };
    return new StateDir(KEY, directory, place, texts, {
      previews: folder('previews'),
      texts: folder('texts'),
      changes: folder('changes'),
      audit: folder('audit'),
    });
  } catch (error) {
    for (const each of held) each.close();
    throw error;
  }
}

/** Made once, by the first process. Where a power cut tore it, no lock names it yet. */
function textIn(folder: StateFolder, name: string, shape: RegExp, byteCount: number, dir: string): string {
  const kept = folder.read(name, 100);
  if (kept !== undefined && shape.test(kept)) return kept;
  if (kept !== undefined) folder.remove(name);
  folder.create(name, randomHex(byteCount));
  const made = folder.read(name, 100) ?? '';
  if (!shape.test(made)) throw refused(dir, `what stands at "${name}" in it is no file of this program`);
  return made;
}

/** The real path that it has, or will have once it is made. */
function placeOf(dir: string): string {
  if (dir.trim() === '' || dir.includes('\0')) throw new StartError('the state directory has no name');
  const path = resolve(dir);
  if (ignoring('all', () => ambientLstat(path))?.kind === 'symlink')
    throw refused(dir, 'it is a symbolic link');
  return realPlace(path, dir);
}

function realPlace(path: string, dir: string): string {
  try {
    return ambientRealpath(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' || dirname(path) === path) throw refused(dir, 'it cannot be reached');
    return join(realPlace(dirname(path), dir), basename(path));
  }
}

function make(dir: string, place: string): void {
  try {
    ambientMkdir(place, 0o700);
  } catch {
    throw refused(dir, 'it cannot be made; name another with --state-dir');
  }
}

function folderIn(directory: HeldDirectory, place: string, name: string, dir: string): HeldDirectory {
  let folder = directory.enter(name);
  if (folder === 'missing') {
    ambientMkdir(join(place, name), 0o700);
    folder = directory.enter(name);
  }
  if (typeof folder === 'string') throw refused(dir, `what stands at "${name}" in it is no folder`);
  return folder;
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
