// A folder among the system's temporary files that holds given texts for as long as some work on them takes: for trying what
// the operator's rules say of edits, on files that nobody has. Only this user can look into it, nothing in it was there
// before, and it goes with all that was put into it, however the work ends.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomHex } from '../../state/index.ts';
import { ignoring } from '../errors/io-refusal.ts';
import {
  ambientMakeFolder,
  ambientOpen,
  ambientRealpath,
  ambientRemoveFolder,
  ambientUnlink,
  O_CREAT,
  O_EXCL,
  O_NOFOLLOW,
  O_WRONLY,
} from '../fs/ambient-fs.ts';
import { closingFd, writeAll } from '../fs/fd-io.ts';
import { SafePath } from '../paths/safe-path.ts';

/** `files`: texts by their path in the folder. Throws PATH_INVALID, PATH_OUTSIDE_ROOT or PATH_DENIED for one of these. */
export async function withScratchFolder<Result>(
  files: ReadonlyMap<string, string>,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const paths = [...files].map(
    ([file, text]) => [SafePath.parse(file, [undefined]).components, text] as const,
  );
  const scratch = new Scratch();
  try {
    for (const [components, text] of paths) scratch.write(components, text);
    return await work(scratch.folder);
  } finally {
    scratch.remove();
  }
}

class Scratch {
  readonly folder = join(ambientRealpath(tmpdir()), `config-airlock-${randomHex(8)}`);
  readonly #folders = [this.folder];
  readonly #files: string[] = [];

  constructor() {
    // Fails where the name is taken.
    ambientMakeFolder(this.folder);
  }

  write(components: readonly string[], text: string): void {
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

  /** What it has made, and nothing else. */
  remove(): void {
    for (const file of this.#files) ignoring('all', () => ambientUnlink(file));
    for (const folder of this.#folders.reverse()) ignoring('all', () => ambientRemoveFolder(folder));
  }
}
