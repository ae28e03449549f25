// Containment on Linux: openat() through /proc/self/fd. Every step starts at an open directory and opens one component without
// following links, so that a rename or a swapped symlink between two steps changes nothing. It needs a true procfs (choose.ts). A
// held directory can still be moved out of the root, which `isStillBelow` detects before a write.
import { ignoring } from '../errors/refusal.ts';
import {
  ambientOpen,
  ambientReadlink,
  closeFd,
  type FileFacts,
  factsOfFd,
  O_DIRECTORY,
  O_NOFOLLOW,
  O_PATH,
  O_RDONLY,
} from '../fs/ambient-fs.ts';
import { HeldDirectory, type HeldEntry } from './held.ts';

/** Holds the directory at an absolute path that has no symlinks left in it. */
export function fdRoot(realPath: string): HeldDirectory {
  return new FdDirectory(ambientOpen(realPath, O_PATH | O_DIRECTORY | O_NOFOLLOW));
}

/** Opens the directory that another thread of this process holds, even where it was moved meanwhile. */
export function fdRootOf(descriptor: number): HeldDirectory {
  // The link in /proc leads to the inode itself, and is the only link that is followed.
  return new FdDirectory(ambientOpen(`/proc/self/fd/${descriptor}`, O_PATH | O_DIRECTORY));
}

class FdDirectory extends HeldDirectory {
  readonly #fd: number;
  #isOpen = true;

  constructor(fd: number) {
    super();
    this.#fd = fd;
  }

  get descriptor(): number {
    return this.#fd;
  }

  facts(): FileFacts {
    return factsOfFd(this.#fd);
  }

  hold(name: string): HeldEntry | undefined {
    const fd = ignoring(['ENOENT'], () => this.#open(name));
    return fd === undefined ? undefined : new FdEntry(fd);
  }

  enter(name: string): HeldDirectory | 'missing' | 'symlink' | 'no directory' {
    const fd = ignoring(['ENOENT', 'ENOTDIR'], () => this.#open(name, O_DIRECTORY));
    if (fd !== undefined) return new FdDirectory(fd);
    const kind = this.factsOf(name)?.kind;
    if (kind === undefined) return 'missing';
    return kind === 'symlink' ? 'symlink' : 'no directory';
  }

  isStillBelow(root: HeldDirectory): boolean {
    if (!(root instanceof FdDirectory) || factsOfFd(this.#fd).links === 0) return false;
    const top = ambientReadlink(root.#self());
    const own = ambientReadlink(this.#self());
    return own === top || own.startsWith(top.endsWith('/') ? top : `${top}/`);
  }

  close(): void {
    if (this.#isOpen) closeFd(this.#fd);
    this.#isOpen = false;
  }

  protected withPath<T>(act: (directory: string) => T): T {
    return act(this.#self());
  }

  /** Opens with O_PATH and O_NOFOLLOW, which names the entry itself, even a symlink, and opens nothing behind it. */
  #open(name: string, kind = 0): number {
    return this.withEntryPath(name, (path) => ambientOpen(path, O_PATH | O_NOFOLLOW | kind));
  }

  #self(): string {
    // After it was closed, the number may belong to another file.
    if (!this.#isOpen) throw new Error('a held directory was used after it was closed');
    return `/proc/self/fd/${this.#fd}`;
  }
}

class FdEntry implements HeldEntry {
  readonly facts: FileFacts;
  readonly #fd: number;
  #isOpen = true;

  constructor(fd: number) {
    this.#fd = fd;
    this.facts = factsOfFd(fd);
  }

  openForReading(): number {
    if (!this.#isOpen) throw new Error('a held entry was used after it was closed');
    return ambientOpen(`/proc/self/fd/${this.#fd}`, O_RDONLY);
  }

  close(): void {
    if (this.#isOpen) closeFd(this.#fd);
    this.#isOpen = false;
  }
}
