// One file on its way to being replaced: its present state checked, its new contents complete and durable
// under a temporary name beside it. Nothing has happened to the file itself; `discard` leaves no trace.
import {
  chmodFd,
  chownFd,
  closeFd,
  type FileFacts,
  factsOfFd,
  type Identity,
  sameInode,
  syncFd,
  writeFd,
} from '../ambient-fs.ts';
import { requireRegularFile } from '../checks/file-kind.ts';
import { requireKeepableOwner } from '../checks/foreign-owner.ts';
import { requireSingleLink } from '../checks/hard-link.ts';
import { requireWritableMode } from '../checks/read-only.ts';
import type { HeldDirectory } from '../containment/held.ts';
import { ioRefusal } from '../io-refusal.ts';
import { Refusal } from '../refusal.ts';
import type { VerifiedEdit } from '../review/verified-edit.ts';
import { isSameState, readStable, sha256 } from '../sandbox/snapshot.ts';
import { freshTempName } from './own-names.ts';

export interface Staged {
  readonly file: string;
  /** The target as it was when its bytes were the base. */
  readonly base: FileFacts;
  /** Throws FILE_CHANGED unless the target is still in exactly that state. */
  requireUnchanged(): void;
  /** The one moment at which the file changes. */
  rename(): void;
  /** Puts the base's bytes back; false where somebody else has written in the meantime, and was left alone. */
  putBack(): boolean;
  sync(): void;
  /** Removes whatever temporary files are left. Never throws. */
  discard(): void;
}

/** Needs the folder's lock. Checks kind, links, mode, owner and that the bytes are still the snapshot's. */
export function stage(edit: VerifiedEdit, directory: HeldDirectory): Staged {
  const file = edit.snapshot.path.toString();
  const name = edit.snapshot.path.components.at(-1) ?? '';
  const base = requireBase(edit, directory, name, file);
  const fresh = new TempFile(directory, base, edit.resultBytes, file);
  // Written now, so that a full disk cannot stop the way back.
  const old = orDiscard(
    fresh,
    () => new TempFile(directory, base, Buffer.from(edit.snapshot.text, 'utf8'), file),
  );
  return {
    file,
    base,
    requireUnchanged: () => {
      const now = lookAt(directory, name);
      if (now === undefined || !sameInode(now, base) || !isSameState(now, base)) throw changed(file);
    },
    rename: () => fresh.renameTo(name),
    putBack: () => {
      const now = lookAt(directory, name);
      if (now === undefined || !sameInode(now, fresh.identity)) return false;
      old.renameTo(name);
      return true;
    },
    sync: () => directory.sync(),
    discard: () => {
      fresh.discard();
      old.discard();
    },
  };
}

function requireBase(edit: VerifiedEdit, directory: HeldDirectory, name: string, file: string): FileFacts {
  const entry = directory.hold(name);
  if (entry === undefined) throw changed(file);
  try {
    requireRegularFile(entry.facts, file);
    requireSingleLink(entry.facts, file);
    requireWritableMode(entry.facts, file);
    requireKeepableOwner(entry.facts, file);
    const { bytes, facts } = readStable(entry, edit.snapshot.limitBytes, file);
    const actual = sha256(bytes);
    // Another inode with the same bytes is fine: an editor saved the file without a change.
    if (actual !== edit.snapshot.sha256) throw changed(file, actual);
    return facts;
  } finally {
    entry.close();
  }
}

/** A complete, synced file under a temporary name, with the owner and mode of the one that it will replace. */
class TempFile {
  readonly identity: Identity;
  readonly #directory: HeldDirectory;
  readonly #name = freshTempName();
  #isThere = true;

  constructor(directory: HeldDirectory, like: FileFacts, bytes: Uint8Array, file: string) {
    this.#directory = directory;
    const fd = directory.createExclusive(this.#name, 0o600);
    try {
      this.identity = factsOfFd(fd);
      for (let done = 0; done < bytes.length; ) done += writeFd(fd, bytes, done);
      keepOwnerAndMode(fd, like);
      syncFd(fd);
    } catch (error) {
      this.discard();
      throw ioRefusal('write this file', error, file);
    } finally {
      closeFd(fd);
    }
  }

  renameTo(name: string): void {
    const now = lookAt(this.#directory, this.#name);
    if (now === undefined || !sameInode(now, this.identity)) {
      throw new Refusal(
        'IO_ERROR',
        'Cannot write: the temporary file was replaced by another program. Try again.',
      );
    }
    this.#directory.rename(this.#name, name);
    this.#isThere = false;
  }

  discard(): void {
    if (!this.#isThere) return;
    this.#isThere = false;
    try {
      this.#directory.unlink(this.#name);
    } catch {
      // Already gone, or the folder is: the sweep at the next start takes what is left.
    }
  }
}

function keepOwnerAndMode(fd: number, like: FileFacts): void {
  const fresh = factsOfFd(fd);
  if (fresh.uid !== like.uid || fresh.gid !== like.gid) chownFd(fd, like.uid, like.gid);
  // Without this, mode 0640 became 0644 every time. Setuid, setgid and sticky are dropped: contents that an
  // agent chose must not run as somebody else. After chown, which may clear bits.
  chmodFd(fd, like.mode & 0o777);
}

function orDiscard<T>(made: { discard(): void }, next: () => T): T {
  try {
    return next();
  } catch (error) {
    made.discard();
    throw error;
  }
}

function lookAt(directory: HeldDirectory, name: string): FileFacts | undefined {
  const entry = directory.hold(name);
  entry?.close();
  return entry?.facts;
}

function changed(file: string, actualSha256?: string): Refusal {
  return new Refusal(
    'FILE_CHANGED',
    'Cannot write this file: it is no longer what the edit was made for. Read it again and repeat the edit.',
    { file },
    actualSha256 === undefined ? {} : { actualSha256 },
  );
}
