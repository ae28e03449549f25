// A temporary file with new contents, in the folder of the file that it will replace, and with that file's owner and mode. It is
// complete once it is constructed, and durable after `sync`.
import type { HeldDirectory } from '../containment/held.ts';
import { doneUnlessTaken, ignoring, Refusal } from '../errors/refusal.ts';
import {
  chmodFd,
  chownFd,
  closeFd,
  factsOfFd,
  type Identity,
  sameInode,
  syncFdLater,
  writeAll,
} from '../fs/ambient-fs.ts';
import { unlinkIfThere } from '../locking/lock-owner.ts';
import type { OwnerAndMode } from './permission.ts';

export class TempFile {
  readonly #directory: HeldDirectory;
  readonly #name: string;
  readonly #fd: number;
  readonly identity: Identity;
  #isOpen = true;
  #exists = true;

  constructor(directory: HeldDirectory, name: string, like: OwnerAndMode, bytes: Uint8Array) {
    this.#directory = directory;
    this.#name = name;
    this.#fd = directory.createExclusive(name, 0o600);
    try {
      this.identity = factsOfFd(this.#fd);
      writeAll(this.#fd, bytes);
      keepOwnerAndMode(this.#fd, like);
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** Makes the contents durable, and closes the descriptor, because a batch may have thousands of files. */
  async sync(): Promise<void> {
    await syncFdLater(this.#fd);
    this.#close();
  }

  /** Replaces the file of that name. */
  renameTo(name: string): void {
    this.#requireOurs();
    this.#directory.rename(this.#name, name);
    this.#exists = false;
  }

  /** Gives the file this name. Returns false if the name is taken by anything. */
  linkTo(name: string): boolean {
    this.#requireOurs();
    const isLinked = doneUnlessTaken(() => this.#directory.link(this.#name, name));
    // The file has two names until one is removed; see settle.ts. A failure to remove the temporary name is ignored, because the
    // file was created.
    if (isLinked)
      ignoring('all', () => {
        this.#directory.unlink(this.#name);
        this.#exists = false;
      });
    return isLinked;
  }

  #requireOurs(): void {
    const facts = this.#directory.factsOf(this.#name);
    // Somebody may have put a symlink or other contents under the temporary name.
    if (facts !== undefined && sameInode(facts, this.identity)) return;
    throw new Refusal(
      'IO_ERROR',
      'Cannot write: the temporary file was replaced by another program. Try again.',
    );
  }

  /** Removes the file if it still has its temporary name. Returns false if that fails. Never throws. */
  discard(): boolean {
    // If the disk fails, recovery removes the file later. It knows the name from the journal.
    ignoring('all', () => {
      if (this.#exists) unlinkIfThere(this.#directory, this.#name);
      this.#exists = false;
    });
    this.#close();
    return !this.#exists;
  }

  #close(): void {
    if (this.#isOpen) closeFd(this.#fd);
    this.#isOpen = false;
  }
}

function keepOwnerAndMode(fd: number, like: OwnerAndMode): void {
  const fresh = factsOfFd(fd);
  if (fresh.uid !== like.uid || fresh.gid !== like.gid) chownFd(fd, like.uid, like.gid);
  // Otherwise mode 0640 would become 0600. Setuid, setgid and sticky are dropped, because contents that an agent chose must not run
  // as somebody else. This comes after chown, which may clear bits.
  chmodFd(fd, like.mode & 0o777);
}
