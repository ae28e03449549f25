// New contents under a temporary name, created exclusively in the folder of the file that they will replace, with that file's
// owner and mode. They are complete once constructed, and durable only after `sync`.
import type { HeldDirectory } from '../containment/held.ts';
import { doneUnlessTaken, ignoring } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import {
  beginSync,
  chmodFd,
  chownFd,
  closeFd,
  type FileFacts,
  factsOfFd,
  type Identity,
  sameInode,
  syncFd,
} from '../fs/ambient-fs.ts';
import { writeAll } from '../fs/fd-io.ts';
import { unlinkIfThere } from '../locking/published-text.ts';

export class TempFile {
  readonly #directory: HeldDirectory;
  readonly #name: string;
  readonly #fd: number;
  readonly identity: Identity;
  #isOpen = true;
  #isThere = true;

  constructor(
    directory: HeldDirectory,
    name: string,
    like: Pick<FileFacts, 'uid' | 'gid' | 'mode'>,
    bytes: Uint8Array,
  ) {
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

  /** Makes the system begin the sync, so that `sync` waits less. */
  beginSync(): void {
    beginSync(this.#fd);
  }

  /** Makes the contents durable, and closes the descriptor, because a batch may have thousands of files. */
  sync(): void {
    syncFd(this.#fd);
    this.#close();
  }

  /** Replaces the file of that name. */
  renameTo(name: string): void {
    this.#requireOurs();
    this.#directory.rename(this.#name, name);
    this.#isThere = false;
  }

  /** Creates a file of that name; false where the name is taken by anything. */
  linkTo(name: string): boolean {
    this.#requireOurs();
    const isLinked = doneUnlessTaken(() => this.#directory.link(this.#name, name));
    // The file now has two names until one is removed: see recovery.ts. It is created, so a failure to remove
    // its temporary name must not count.
    if (isLinked)
      ignoring('all', () => {
        this.#directory.unlink(this.#name);
        this.#isThere = false;
      });
    return isLinked;
  }

  #requireOurs(): void {
    const there = this.#directory.look(this.#name);
    // Somebody may have put a symlink or other contents under the temporary name.
    if (there !== undefined && sameInode(there, this.identity)) return;
    throw new Refusal(
      'IO_ERROR',
      'Cannot write: the temporary file was replaced by another program. Try again.',
    );
  }

  /** Removes it if it is still under its temporary name; false where that fails. Never throws. */
  discard(): boolean {
    // Where the disk fails, recovery removes the file later, because it knows the name from the change.
    ignoring('all', () => {
      if (this.#isThere) unlinkIfThere(this.#directory, this.#name);
      this.#isThere = false;
    });
    this.#close();
    return !this.#isThere;
  }

  #close(): void {
    if (this.#isOpen) closeFd(this.#fd);
    this.#isOpen = false;
  }
}

function keepOwnerAndMode(fd: number, like: Pick<FileFacts, 'uid' | 'gid' | 'mode'>): void {
  const fresh = factsOfFd(fd);
  if (fresh.uid !== like.uid || fresh.gid !== like.gid) chownFd(fd, like.uid, like.gid);
  // Without this, mode 0640 would become 0644 each time. Setuid, setgid and sticky are dropped, because contents
  // that an agent chose must not run as somebody else. It follows chown, which may clear bits.
  chmodFd(fd, like.mode & 0o777);
}
