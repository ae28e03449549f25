// One file of a commit whose process died: what it is now, and the two ways on. Each is a rename of a
// temporary file that the dead process made complete, and each asks everything again just before: the file
// must hold exactly the bytes that are to be replaced, the temporary file exactly those that were announced,
// and both must be plain files with one name, of one owner, who is us. Nobody's later edit is overwritten.
import type { HeldDirectory, HeldEntry } from '../containment/held.ts';
import { chmodFd, type FileFacts, sameInode, syncFd } from '../fs/ambient-fs.ts';
import { closing, closingFd } from '../fs/fd-io.ts';
import type { IntendedFile } from '../locking/intent.ts';
import { newNameOf, oldNameOf } from '../paths/denylist.ts';
import { sha256 } from '../sandbox/read-cache.ts';
import { isSameState, readStable } from '../sandbox/snapshot.ts';
import { isOwnFile } from './permission.ts';

export type FileState = 'base' | 'result' | 'other';

interface Found {
  readonly facts: FileFacts;
  /** Undefined for whatever is no plain file with one name: it is not read. */
  readonly sha256: string | undefined;
}

export class InterruptedFile {
  readonly intended: IntendedFile;
  readonly #directory: HeldDirectory;
  readonly #limitBytes: number;
  readonly #new: string;
  readonly #old: string;

  constructor(
    directory: HeldDirectory,
    intended: IntendedFile,
    temps: { readonly batch: string; readonly index: number },
    limitBytes: number,
  ) {
    this.intended = intended;
    this.#directory = directory;
    this.#limitBytes = limitBytes;
    this.#new = newNameOf(temps.batch, temps.index);
    this.#old = oldNameOf(temps.batch, temps.index);
  }

  /** Whether a temporary file of the dead is still there. */
  get isPending(): boolean {
    return [this.#new, this.#old].some((name) => this.#directory.look(name) !== undefined);
  }

  state(): FileState {
    const now = this.#look(this.intended.name)?.sha256;
    if (now === this.intended.base) return 'base';
    return now === this.intended.result ? 'result' : 'other';
  }

  /**
   * Whether finishing the batch leaves the file as if the batch had come first. An edit on top of the result
   * does; an edit of the base, which the new contents never replaced, does not.
   */
  canFinish(): boolean {
    const state = this.state();
    if (state === 'result') return true;
    const fresh = this.#look(this.#new);
    return state === 'base' ? fresh?.sha256 === this.intended.result : fresh === undefined;
  }

  canUndo(): boolean {
    return this.state() === 'result' && this.#look(this.#old)?.sha256 === this.intended.base;
  }

  finish(): boolean {
    return this.#swap(this.#new, this.intended.result, this.intended.base);
  }

  undo(): boolean {
    return this.#swap(this.#old, this.intended.base, this.intended.result);
  }

  /** Removes the temporary files. */
  drop(): void {
    for (const name of [this.#new, this.#old]) {
      const facts = this.#directory.look(name);
      if (facts?.kind === 'file' && facts.links === 1 && isOwnFile(facts)) this.#directory.unlink(name);
    }
  }

  #swap(temp: string, comes: string, goes: string): boolean {
    const target = this.#look(this.intended.name);
    const fresh = this.#look(temp);
    if (target?.sha256 !== goes || fresh?.sha256 !== comes) return false;
    const hasSameOwner = fresh.facts.uid === target.facts.uid && fresh.facts.gid === target.facts.gid;
    if (!isOwnFile(fresh.facts) || !hasSameOwner) return false;
    const entry = this.#directory.hold(temp);
    if (entry === undefined) return false;
    const isKept = closing(entry, () => {
      const isSame = sameInode(entry.facts, fresh.facts);
      if (isSame) keepMode(entry, target.facts);
      return isSame;
    });
    if (!isKept) return false;
    const now = this.#directory.look(this.intended.name);
    if (now === undefined || !isSameState(now, target.facts)) return false;
    this.#directory.rename(temp, this.intended.name);
    return true;
  }

  #look(name: string): Found | undefined {
    const entry = this.#directory.hold(name);
    if (entry === undefined) return undefined;
    return closing(entry, ({ facts }) => {
      if (facts.kind !== 'file' || facts.links !== 1) return { facts, sha256: undefined };
      const read = readStable(entry, this.#limitBytes, this.intended.name);
      return { facts: read.facts, sha256: sha256(read.bytes) };
    });
  }
}

/** The mode that the file has now: somebody may have changed it since. Never setuid, setgid or sticky. */
function keepMode(temp: HeldEntry, like: FileFacts): void {
  const mode = like.mode & 0o777;
  if ((temp.facts.mode & 0o7777) === mode) return;
  closingFd(temp.openForReading(), (fd) => {
    chmodFd(fd, mode);
    syncFd(fd);
  });
}
