// One file on its way to being replaced, created or deleted. First its present state is checked, then its new contents, if any,
// are written under a temporary name beside it; they are durable after `syncNew`. Until `publish` nothing happens to the file
// itself, and `discard` leaves no trace.
import type { HeldDirectory } from '../containment/held.ts';
import type { VerifiedEdit } from '../edits/verified-edit.ts';
import { ignoring, ioRefusal } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import { type FileFacts, sameInode } from '../fs/ambient-fs.ts';
import { closing } from '../fs/fd-io.ts';
import { exists } from '../sandbox/absence.ts';
import { sha256 } from '../sandbox/read-cache.ts';
import { exact, isSameState, readStable, requirePlainFile, shownSha256 } from '../sandbox/snapshot.ts';
import { foldComponent } from '../text/fold.ts';
import type { HeldFolder } from './folders.ts';
import { newFileIn, requireKeepableOwner, requireWritableMode } from './permission.ts';
import { TempFile } from './temp-file.ts';

/** Temporary names for the new contents, and for the old ones where they have to go back. */
export interface TempNames {
  readonly fresh: string;
  readonly old: string;
}

export class Staged {
  readonly edit: VerifiedEdit;
  readonly #folder: HeldFolder;
  readonly #name: string;
  /** Undefined where the file does not exist. */
  readonly #base: FileFacts | undefined;
  readonly #names: TempNames;
  /** Undefined before it is written, and for a deletion. */
  #fresh: TempFile | undefined;
  #isBegun = false;

  /** Checks kind, links, mode and owner, and that the bytes are still the snapshot's. The caller holds the folder's lock. */
  constructor(edit: VerifiedEdit, folder: HeldFolder, names: TempNames) {
    this.edit = edit;
    this.#folder = folder;
    this.#names = names;
    this.#name = edit.snapshot.path.components.at(-1) ?? '';
    const { directory } = folder;
    this.#base = edit.fileOp === 'create' ? undefined : requireBase(edit, directory, this.#name);
    if (this.#base === undefined) requireNone(edit, directory, this.#name);
  }

  /** Writes the new contents beside the file. `syncNew` makes them durable. */
  writeNew(): void {
    if (this.edit.fileOp === 'delete') return;
    const { directory } = this.#folder;
    const like = this.#base ?? newFileIn(directory.facts(), this.edit.mode);
    try {
      this.#isBegun = true;
      this.#fresh = new TempFile(directory, this.#names.fresh, like, this.edit.resultBytes);
    } catch (error) {
      throw ioRefusal('write this file', error, this.edit.snapshot.path.toString());
    }
  }

  /** Makes the disk begin the sync, while other work is done until `syncNew`. */
  beginSync(): void {
    this.#fresh?.beginSync();
  }

  /** Makes the new contents durable. */
  syncNew(): void {
    try {
      this.#fresh?.sync();
    } catch (error) {
      throw ioRefusal('write this file', error, this.edit.snapshot.path.toString());
    }
  }

  /** An id by which two staged files that are one file under two spellings are recognised. */
  get inode(): string {
    if (this.#base !== undefined) return `${this.#base.dev}:${this.#base.ino}`;
    const { dev, ino } = this.#folder.directory.facts();
    return `${dev}:${ino}/${foldComponent(this.#name)}`;
  }

  /** Throws FILE_CHANGED or FILE_EXISTS unless the target's facts are those with which its bytes were the base. */
  requireUnchanged(): void {
    const { directory } = this.#folder;
    if (this.#base === undefined) requireNone(this.edit, directory, this.#name);
    else {
      const now = directory.look(this.#name);
      if (now === undefined || !isSameState(now, this.#base)) throw changed(this.edit);
    }
    this.#folder.requireInPlace();
  }

  /** Replaces, creates or deletes the file in one system call. */
  publish(): void {
    const { directory } = this.#folder;
    if (this.edit.fileOp === 'delete') directory.unlink(this.#name);
    else if (this.#fresh === undefined) throw new Error('a file is published before it was written');
    else if (this.#base !== undefined) this.#fresh.renameTo(this.#name);
    // Unlike a rename, a link never replaces a file that was created meanwhile.
    else if (!this.#fresh.linkTo(this.#name)) throw exists(this.edit.snapshot.path.toString());
  }

  /** Puts the base's bytes back; false where somebody else has changed the file, which is then left alone. */
  putBack(): boolean {
    const { directory } = this.#folder;
    const now = directory.look(this.#name);
    const isOurs = this.#fresh === undefined ? now === undefined : isFile(now, this.#fresh);
    if (!isOurs) return false;
    if (this.#base === undefined) directory.unlink(this.#name);
    else if (!this.#restore(this.#base)) return false;
    directory.sync();
    return true;
  }

  #restore(base: FileFacts): boolean {
    const { directory } = this.#folder;
    const old = new TempFile(directory, this.#names.old, base, Buffer.from(exact(this.edit.snapshot).text));
    try {
      old.sync();
      if (this.#fresh === undefined) return old.linkTo(this.#name);
      if (!isFile(directory.look(this.#name), this.#fresh)) return false;
      old.renameTo(this.#name);
      return true;
    } finally {
      old.discard();
    }
  }

  /** Removes the temporary file; false where that fails. Never throws. */
  discard(): boolean {
    if (this.#fresh !== undefined) return this.#fresh.discard();
    // A write that began and failed may have left the file.
    return !this.#isBegun || ignoring('all', () => this.#isAbsent()) === true;
  }

  #isAbsent(): boolean {
    return this.#folder.directory.look(this.#names.fresh) === undefined;
  }
}

/** The most files that are flushed at the same time, each with an open descriptor. */
const AT_ONCE = 64;

/** Writes the new contents of all files durably, in groups, so that many reach the disk at the same time. */
export function writeAllNew(files: readonly Staged[]): void {
  for (let from = 0; from < files.length; from += AT_ONCE) {
    const group = files.slice(from, from + AT_ONCE);
    for (const file of group) {
      file.writeNew();
      if (group.length > 1) file.beginSync();
    }
    for (const file of group) file.syncNew();
  }
}

function isFile(now: FileFacts | undefined, { identity }: TempFile): boolean {
  return now !== undefined && sameInode(now, identity);
}

/** Stages a file; failures of the machine become refusals that name the file. */
export function stage(edit: VerifiedEdit, folder: HeldFolder, names: TempNames): Staged {
  try {
    return new Staged(edit, folder, names);
  } catch (error) {
    throw ioRefusal('write this file', error, edit.snapshot.path.toString());
  }
}

/** Throws FILE_EXISTS where anything has this name. */
function requireNone({ snapshot }: VerifiedEdit, directory: HeldDirectory, name: string): void {
  if (directory.look(name) !== undefined) throw exists(snapshot.path.toString());
}

function requireBase(edit: VerifiedEdit, directory: HeldDirectory, name: string): FileFacts {
  const file = edit.snapshot.path.toString();
  const entry = directory.hold(name);
  if (entry === undefined) throw changed(edit);
  return closing(entry, () => {
    requirePlainFile(entry.facts, file);
    requireWritableMode(entry.facts, file);
    requireKeepableOwner(entry.facts, directory.facts(), file);
    const { bytes, facts } = readStable(entry, edit.snapshot.limitBytes, file);
    const actual = sha256(bytes);
    // Another inode with the same bytes is fine: an editor may have saved the file without a change.
    if (actual !== exact(edit.snapshot).sha256) throw changed(edit, shownSha256(edit.snapshot, bytes));
    // The mode is in the record, because undoing the deletion restores it.
    if (edit.fileOp === 'delete' && (facts.mode & 0o777) !== edit.mode) throw changed(edit);
    return facts;
  });
}

function changed(edit: VerifiedEdit, actualSha256?: string): Refusal {
  return new Refusal(
    'FILE_CHANGED',
    'Cannot write this file: it is no longer what the edit was made for. Read it again and repeat the edit.',
    { file: edit.snapshot.path.toString() },
    actualSha256 === undefined ? {} : { actualSha256 },
  );
}
