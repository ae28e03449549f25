// Whether only the owner and root can put another file in the place of one that the operator named: no folder on the
// way to it, by its own name or through links, may be one where everybody can replace what stands in it.
import { dirname, resolve } from 'node:path';
import { ambientLstat, ambientReadlink, ambientRealpath } from './ambient-fs.ts';

/** The system follows no more; what stands behind them is looked at as well. */
const MOST_LINKS = 40;

/** Throws what the file system throws, for a file that cannot be reached. */
export function isInOpenFolder(file: string): boolean {
  return [...foldersTo(resolve(file))].some((folder) => (ambientLstat(folder).mode & 0o1002) === 0o002);
}

/** Every folder whose entries decide what is found under the name, by its real path. */
function foldersTo(file: string): ReadonlySet<string> {
  const found = new Set<string>();
  let at = file;
  for (let links = 0; links <= MOST_LINKS; links += 1) {
    for (const named of above(at)) found.add(ambientRealpath(named));
    for (const folder of [...found]) for (const one of above(folder)) found.add(one);
    if (ambientLstat(at).kind !== 'symlink') break;
    at = resolve(dirname(at), ambientReadlink(at));
  }
  return found;
}

function above(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...above(folder)];
}
