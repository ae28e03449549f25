// Proves that a file can be created at a path that the policy allows. Nothing may have that name, or a name that some file system
// would take for it. The folder was reached without following a link, or is missing as well. The proof does not say that this is
// still true when the file is written.
import { join } from 'node:path';
import type { HeldDirectory } from '../containment/held.ts';
import { symlinkRefused } from '../containment/held.ts';
import { Refusal } from '../errors/refusal.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { foldComponent } from '../text/look-alikes.ts';
import { requirePlainFile } from './plain-file.ts';
import type { Absence } from './snapshot.ts';

/** Makes the proof. Throws FILE_EXISTS, SYMLINK_REFUSED, NOT_REGULAR_FILE, HARD_LINK_REFUSED or LIMIT_EXCEEDED. */
export function findAbsence(root: HeldDirectory, path: SafePath, mostEntries: number): Absence {
  const file = path.toString();
  const names = path.components;
  let directory = root;
  try {
    for (const [depth, name] of names.entries()) {
      const isLast = depth === names.length - 1;
      const facts = directory.factsOf(name);
      if (facts === undefined) {
        requireNoOtherSpelling(directory, name, file, mostEntries);
        return { folders: names.slice(depth, -1).map((_, index) => folderAt(path, depth + index + 1)) };
      }
      if (isLast) {
        requirePlainFile(facts, file);
        throw fileExists(file);
      }
      const next = directory.enter(name);
      if (next === 'symlink') throw symlinkRefused(file);
      if (typeof next === 'string') throw fileExists(file, NO_FOLDER);
      if (directory !== root) directory.close();
      directory = next;
    }
  } finally {
    if (directory !== root) directory.close();
  }
  throw new Error('a path has a last component');
}

/** Throws FILE_EXISTS where some file system would take two of the new files, or their folders, for one. */
export function requireApart(paths: readonly SafePath[]): void {
  const known = new Map<string, string>();
  const files = new Set<string>();
  for (const path of paths)
    for (const depth of path.components.keys()) {
      const [name, isLast] = [folderAt(path, depth + 1), depth === path.components.length - 1];
      const folded = name.split('/').map(foldComponent).join('/');
      const other = known.get(folded);
      if (other !== undefined && (other !== name || isLast))
        throw fileExists(path.toString(), OTHER_SPELLING);
      if (files.has(name)) throw fileExists(path.toString(), NO_FOLDER);
      known.set(folded, name);
      if (isLast) files.add(name);
    }
}

/** True if a new file at `path` would be the file of this real path, in any spelling. */
export function isSamePath(realPath: string, rootPath: string, path: SafePath): boolean {
  const fold = (name: string) => name.split(/[\\/]/).map(foldComponent).join('/');
  return fold(join(rootPath, ...path.components)) === fold(realPath);
}

/** Returns the first `depth` components of a path as the agent writes them. */
export function folderAt(path: SafePath, depth: number): string {
  const below = path.components.slice(0, depth).join('/');
  return path.root === undefined ? below : `@${path.root}/${below}`;
}

const NO_FOLDER = 'a part of its path is a file, and no folder';
const OTHER_SPELLING = 'a name that differs only in case or in how its characters are written is taken';

/** Throws FILE_EXISTS for a name in another spelling, because a file system that ignores case would take one file for the other. */
function requireNoOtherSpelling(
  directory: HeldDirectory,
  name: string,
  file: string,
  mostEntries: number,
): void {
  const { entries, complete } = directory.entries(mostEntries);
  const folded = foldComponent(name);
  if (entries.some((entry) => foldComponent(entry.name) === folded)) throw fileExists(file, OTHER_SPELLING);
  if (complete) return;
  throw new Refusal(
    'LIMIT_EXCEEDED',
    `Cannot create this file: its folder exceeds the limit of ${mostEntries} entries`,
    { file },
  );
}

/** Makes the refusal FILE_EXISTS. */
export function fileExists(file: string, reason?: string): Refusal {
  const message = `Cannot create this file: ${reason ?? 'there is one at this path'}.`;
  return new Refusal('FILE_EXISTS', message, { file }, reason === undefined ? { existingPath: '' } : {});
}
