// What one does with single names in a held directory, alike in every containment: each operation is one system
// call on a path that the containment vouches for as long as the call lasts.

import {
  ambientEntries,
  ambientLink,
  ambientLstatIfThere,
  ambientOpen,
  ambientRename,
  ambientUnlink,
  type FileFacts,
  O_CREAT,
  O_DIRECTORY,
  O_EXCL,
  O_NOFOLLOW,
  O_RDONLY,
  O_WRONLY,
  syncFd,
} from '../fs/ambient-fs.ts';
import { closingFd } from '../fs/closing.ts';
import { type HeldDirectory, oneComponent, requireFile, TO_APPEND, TO_OVERWRITE } from './held.ts';

export abstract class NamedDirectory {
  /** Runs `act` with a path of this very directory, good until it returns. */
  protected abstract at<T>(act: (directory: string) => T): T;

  /** The same with the path of one name in it. */
  protected on<T>(name: string, act: (path: string, directory: string) => T): T {
    return this.at((directory) => act(beneath(directory, name), directory));
  }

  look(name: string): FileFacts | undefined {
    return this.on(name, (path) => ambientLstatIfThere(path));
  }

  entries(limit: number): ReturnType<HeldDirectory['entries']> {
    return this.at((directory) => ambientEntries(directory, limit));
  }

  createExclusive(name: string, mode: number): number {
    return this.on(name, (path) => ambientOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode));
  }

  openToAppend(name: string): number {
    return this.on(name, (path) => requireFile(ambientOpen(path, TO_APPEND)));
  }

  openToOverwrite(name: string): number {
    return this.on(name, (path) => requireFile(ambientOpen(path, TO_OVERWRITE)));
  }

  link(existing: string, fresh: string): void {
    this.at((directory) => ambientLink(beneath(directory, existing), beneath(directory, fresh)));
  }

  rename(from: string, to: string): void {
    this.at((directory) => ambientRename(beneath(directory, from), beneath(directory, to)));
  }

  unlink(name: string): void {
    this.on(name, (path) => ambientUnlink(path));
  }

  sync(): void {
    // Windows cannot sync a directory; its renames are journalled by NTFS.
    if (process.platform === 'win32') return;
    this.at((directory) => closingFd(ambientOpen(directory, O_RDONLY | O_DIRECTORY), syncFd));
  }
}

function beneath(directory: string, name: string): string {
  return `${directory}/${oneComponent(name)}`;
}
