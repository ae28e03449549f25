// Runs work with a new folder among the system's temporary files that holds given texts, such as the files of a policy's test
// cases. Only this user can read it. It is removed with its contents when the work ends or fails.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomHex } from '../../state/canonical.ts';
import { ignoring } from '../errors/refusal.ts';
import {
  ambientMakeFolder,
  ambientOpen,
  ambientRealpath,
  ambientRemoveFolder,
  ambientUnlink,
  closingFd,
  O_CREAT,
  O_EXCL,
  O_NOFOLLOW,
  O_WRONLY,
  writeAll,
} from '../fs/ambient-fs.ts';
import { SafePath } from '../paths/safe-path.ts';

/** Runs `work` with such a folder, which is empty at first. */
export async function withScratchFolder<Result>(
  work: (scratch: ScratchFolder) => Promise<Result>,
): Promise<Result> {
  const scratch = new Scratch();
  try {
    return await work(scratch);
  } finally {
    scratch.remove();
  }
}

export type ScratchFolder = Pick<Scratch, 'folder' | 'hold'>;

class Scratch {
  readonly folder = join(ambientRealpath(tmpdir()), `config-airlock-${randomHex(8)}`);
  #folders: string[] = [];
  #files: string[] = [];

  constructor() {
    // This fails if the name is taken.
    ambientMakeFolder(this.folder);
  }

  /** Puts these files in place of those that it holds. Throws PATH_INVALID, PATH_OUTSIDE_ROOT or PATH_DENIED for a bad path. */
  hold(files: Iterable<readonly [path: string, text: string]>): void {
    this.#clear();
    for (const [file, text] of files) this.#write(SafePath.parse(file, [undefined]).components, text);
  }

  #write(components: readonly string[], text: string): void {
    for (let depth = 1; depth < components.length; depth++) {
      const folder = join(this.folder, ...components.slice(0, depth));
      if (this.#folders.includes(folder)) continue;
      ambientMakeFolder(folder);
      this.#folders.push(folder);
    }
    const file = join(this.folder, ...components);
    closingFd(ambientOpen(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW), (fd) => {
      this.#files.push(file);
      writeAll(fd, text);
    });
  }

  remove(): void {
    this.#clear();
    ignoring('all', () => ambientRemoveFolder(this.folder));
  }

  /** Removes what it has written, and nothing else. */
  #clear(): void {
    for (const file of this.#files) ignoring('all', () => ambientUnlink(file));
    for (const folder of this.#folders.reverse()) ignoring('all', () => ambientRemoveFolder(folder));
    this.#files = [];
    this.#folders = [];
  }
}
