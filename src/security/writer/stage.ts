// One file that is about to be replaced, created or deleted. Its present state is checked first. Then its new contents are written
// under a temporary name beside it, and are durable after `syncNew`. The file itself stays as it is until `publish`, and `discard`
// removes what was written.
import type { HeldDirectory } from '../containment/held.ts';
import type { VerifiedEdit } from '../edits/verified-edit.ts';
import { ignoring, ioRefusal } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import { type FileFacts, sameInode } from '../fs/ambient-fs.ts';
import { closing } from '../fs/fd-io.ts';
import { fileExists } from '../sandbox/absence.ts';
import { isSameState, readStable, requirePlainFile } from '../sandbox/plain-file.ts';
import { sha256 } from '../sandbox/read-cache.ts';
import { exact, shownSha256 } from '../sandbox/snapshot.ts';
import { foldComponent } from '../text/fold.ts';
import type { HeldFolder } from './folders.ts';
import { newFileIn, requireKeepableOwner, requireWritableMode } from './permission.ts';
import { TempFile } from './temp-file.ts';

/** Temporary names for the new contents, and for the old ones where they have to go back. */
export interface TempNames {
  readonly newName: string;
  readonly oldName: string;
}

export class Staged {
  readonly edit: VerifiedEdit;
  readonly #folder: HeldFolder;
  readonly #name: string;
  /** Undefined where the file does not exist. */
  readonly #base: FileFacts | undefined;
  readonly #names: TempNames;
  /** Undefined before it is written, and for a deletion. */
  #newFile: TempFile | undefined;
  #hasBegunWriting = false;

  /** Checks kind, links, mode and owner, and that the file still has the bytes of the snapshot. The caller holds the folder's lock. */
  constructor(edit: VerifiedEdit, folder: HeldFolder, names: TempNames) {
    this.edit = edit;
    this.#folder = folder;
    this.#names = names;
    this.#name = edit.snapshot.path.components.at(-1) ?? '';
    const { directory } = folder;
    this.#base = edit.fileOp === 'create' ? undefined : requireBase(edit, directory, this.#name);
    if (this.#base === undefined) requireAbsent(edit, directory, this.#name);
  }

  /** Writes the new contents beside the file. `syncNew` makes them durable. */
  writeNew(): void {
    if (this.edit.fileOp === 'delete') return;
    const { directory } = this.#folder;
    const like = this.#base ?? newFileIn(directory.facts(), this.edit.mode);
    try {
      this.#hasBegunWriting = true;
      this.#newFile = new TempFile(directory, this.#names.newName, like, this.edit.resultBytes);
    } catch (error) {
      throw ioRefusal('write this file', error, this.edit.snapshot.path.toString());
    }
  }

  /** Makes the disk begin the sync, so that other work can be done until `syncNew`. */
  beginSync(): void {
    this.#newFile?.beginSync();
  }

  /** Makes the new contents durable. */
  syncNew(): void {
    try {
      this.#newFile?.sync();
    } catch (error) {
      throw ioRefusal('write this file', error, this.edit.snapshot.path.toString());
    }
  }

  /** An id that two staged files share where they are one file under two spellings. */
  get inode(): string {
    if (this.#base !== undefined) return `${this.#base.dev}:${this.#base.ino}`;
    const { dev, ino } = this.#folder.directory.facts();
    return `${dev}:${ino}/${foldComponent(this.#name)}`;
  }

  /** Throws FILE_CHANGED or FILE_EXISTS where the file has changed since its bytes were compared with the base. */
  requireUnchanged(): void {
    const { directory } = this.#folder;
    if (this.#base === undefined) requireAbsent(this.edit, directory, this.#name);
    else {
      const facts = directory.factsOf(this.#name);
      if (facts === undefined || !isSameState(facts, this.#base)) throw fileChanged(this.edit);
    }
    this.#folder.requireInPlace();
  }

  /** Replaces, creates or deletes the file in one system call. */
  publish(): void {
    const { directory } = this.#folder;
    if (this.edit.fileOp === 'delete') directory.unlink(this.#name);
    else if (this.#newFile === undefined) throw new Error('a file is published before it was written');
    else if (this.#base !== undefined) this.#newFile.renameTo(this.#name);
    // Unlike a rename, a link never replaces a file that was created meanwhile.
    else if (!this.#newFile.linkTo(this.#name)) throw fileExists(this.edit.snapshot.path.toString());
  }

  /** Puts the bytes of the base back. Answers false where somebody else has changed the file, which then stays as it is. */
  putBack(): boolean {
    const { directory } = this.#folder;
    const now = directory.factsOf(this.#name);
    const isOurs = this.#newFile === undefined ? now === undefined : isFile(now, this.#newFile);
    if (!isOurs) return false;
    if (this.#base === undefined) directory.unlink(this.#name);
    else if (!this.#restore(this.#base)) return false;
    directory.sync();
    return true;
  }

  #restore(base: FileFacts): boolean {
    const { directory } = this.#folder;
    const old = new TempFile(
      directory,
      this.#names.oldName,
      base,
      Buffer.from(exact(this.edit.snapshot).text),
    );
    try {
      old.sync();
      if (this.#newFile === undefined) return old.linkTo(this.#name);
      if (!isFile(directory.factsOf(this.#name), this.#newFile)) return false;
      old.renameTo(this.#name);
      return true;
    } finally {
      old.discard();
    }
  }

  /** Removes the temporary file; false where that fails. Never throws. */
  discard(): boolean {
    if (this.#newFile !== undefined) return this.#newFile.discard();
    // A write that began and failed may have left the file.
    return !this.#hasBegunWriting || ignoring('all', () => this.#isAbsent()) === true;
  }

  #isAbsent(): boolean {
    return this.#folder.directory.factsOf(this.#names.newName) === undefined;
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
function requireAbsent({ snapshot }: VerifiedEdit, directory: HeldDirectory, name: string): void {
  if (directory.factsOf(name) !== undefined) throw fileExists(snapshot.path.toString());
}

function requireBase(edit: VerifiedEdit, directory: HeldDirectory, name: string): FileFacts {
  const file = edit.snapshot.path.toString();
  const entry = directory.hold(name);
  if (entry === undefined) throw fileChanged(edit);
  return closing(entry, () => {
    requirePlainFile(entry.facts, file);
    requireWritableMode(entry.facts, file);
    requireKeepableOwner(entry.facts, directory.facts(), file);
    const { bytes, facts } = readStable(entry, edit.snapshot.limitBytes, file);
    const actual = sha256(bytes);
    // Another inode with the same bytes is fine: an editor may have saved the file without a change.
    if (actual !== exact(edit.snapshot).sha256) throw fileChanged(edit, shownSha256(edit.snapshot, bytes));
    // The mode is in the record, because undoing the deletion restores it.
    if (edit.fileOp === 'delete' && (facts.mode & 0o777) !== edit.mode) throw fileChanged(edit);
    return facts;
  });
}

function fileChanged(edit: VerifiedEdit, actualSha256?: string): Refusal {
  return new Refusal(
    'FILE_CHANGED',
    'Cannot write this file: it is no longer what the edit was made for. Read it again and repeat the edit.',
    { file: edit.snapshot.path.toString() },
    actualSha256 === undefined ? {} : { actualSha256 },
  );
}
