// One file on its way to being replaced: its present state checked, its new contents complete under a temporary
// name beside it, and durable after `syncNew`. Nothing has happened to the file itself; `discard` leaves no trace.
import type { HeldDirectory } from '../containment/held.ts';
import type { VerifiedEdit } from '../edits/verified-edit.ts';
import { ioRefusal } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import { type FileFacts, sameInode } from '../fs/ambient-fs.ts';
import { closing } from '../fs/fd-io.ts';
import { sha256 } from '../sandbox/read-cache.ts';
import { isSameState, readStable, requirePlainFile } from '../sandbox/snapshot.ts';
import type { HeldFolder } from './folders.ts';
import { requireKeepableOwner, requireWritableMode } from './permission.ts';
import { TempFile } from './temp-file.ts';

export class Staged {
  readonly edit: VerifiedEdit;
  readonly #folder: HeldFolder;
  readonly #name: string;
  readonly #base: FileFacts;
  readonly #fresh: TempFile;

  /** Needs the folder's lock. Checks kind, links, mode, owner and that the bytes are still the snapshot's. */
  constructor(edit: VerifiedEdit, folder: HeldFolder) {
    this.edit = edit;
    this.#folder = folder;
    this.#name = edit.snapshot.path.components.at(-1) ?? '';
    this.#base = requireBase(edit, folder.directory, this.#name);
    this.#fresh = new TempFile(folder.directory, this.#base, edit.resultBytes);
  }

  /** `syncNew` will have less to wait for. */
  beginSync(): void {
    this.#fresh.beginSync();
  }

  /** Makes the new contents durable. */
  syncNew(): void {
    try {
      this.#fresh.sync();
    } catch (error) {
      throw ioRefusal('write this file', error, this.edit.snapshot.path.toString());
    }
  }

  /** Tells whether two staged files are one, under two spellings. */
  get inode(): string {
    return `${this.#base.dev}:${this.#base.ino}`;
  }

  /** Throws FILE_CHANGED unless the target is in the very state in which its bytes were the base. */
  requireUnchanged(): void {
    const now = this.#folder.directory.look(this.#name);
    if (now === undefined || !isSameState(now, this.#base)) throw changed(this.edit);
    this.#folder.requireInPlace();
  }

  /** The one moment at which the file changes. */
  rename(): void {
    this.#fresh.renameTo(this.#name);
  }

  /** Puts the base's bytes back; false where somebody else wrote in the meantime, and was left alone. */
  putBack(): boolean {
    const { directory } = this.#folder;
    const old = new TempFile(directory, this.#base, Buffer.from(this.edit.snapshot.text));
    try {
      old.sync();
      const now = directory.look(this.#name);
      if (now === undefined || !sameInode(now, this.#fresh.identity)) return false;
      old.renameTo(this.#name);
      directory.sync();
      return true;
    } finally {
      old.discard();
    }
  }

  /** Removes the temporary file if it is still there. Never throws. */
  discard(): void {
    this.#fresh.discard();
  }
}

/** As the class says; the machine's failures become refusals that name the file. */
export function stage(edit: VerifiedEdit, folder: HeldFolder): Staged {
  try {
    return new Staged(edit, folder);
  } catch (error) {
    throw ioRefusal('write this file', error, edit.snapshot.path.toString());
  }
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
    // Another inode with the same bytes is fine: an editor saved the file without a change.
    if (actual !== edit.snapshot.sha256) throw changed(edit, actual);
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
