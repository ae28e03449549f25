// A directory of its own for a test, filled from a table of files, gone after `remove()`.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TempRoot {
  readonly dir: string;
  remove(): void;
}

/** `parent`: where to make it, if not among the temporary files. */
export function tempRoot(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  parent: string = tmpdir(),
): TempRoot {
  const dir = mkdtempSync(join(realpathSync(parent), 'airlock-'));
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), contents);
  }
  return { dir, remove: () => remove(dir) };
}

/** Whoever still ends may leave a last file there while it is being emptied: then once more. */
function remove(dir: string, tries = 5): void {
  try {
    rmSync(dir, { recursive: true, force: true });
  } catch (error) {
    const isRefilled = error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY';
    if (!isRefilled || tries === 0) throw error;
    remove(dir, tries - 1);
  }
}
