// Where a folder that another server named is below our roots. Servers may have different roots: what holds
// is how two folders of one root lie to each other. A guess, and no more: whoever follows it must
// recognise what is there.
import type { FolderName } from '../locking/intent.ts';

/** `here` is our name of the folder that they call `theirs`; answers our name of what they call `wanted`. */
export function translateFolder(
  here: FolderName,
  theirs: FolderName,
  wanted: FolderName,
): FolderName | undefined {
  if (wanted.root !== theirs.root) return wanted;
  if (endsWith(here.path, theirs.path)) {
    const above = here.path.slice(0, here.path.length - theirs.path.length);
    return { root: here.root, path: [...above, ...wanted.path] };
  }
  if (!endsWith(theirs.path, here.path)) return undefined;
  const above = theirs.path.slice(0, theirs.path.length - here.path.length);
  const isBelow = above.every((name, index) => wanted.path[index] === name);
  return isBelow ? { root: here.root, path: wanted.path.slice(above.length) } : undefined;
}

function endsWith(path: readonly string[], end: readonly string[]): boolean {
  const from = path.length - end.length;
  return end.every((name, index) => path[from + index] === name);
}
