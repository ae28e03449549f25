// The walk itself: from a held root down to the directory of a file, one component at a time. What
// stands in the way decides the code; where a symlink points never does.

import { ignoring } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import type { HeldDirectory } from './held.ts';

/** The directory that `components` name below `root`; the caller closes it (never `root` itself). */
export function walk(root: HeldDirectory, components: readonly string[], file: string): HeldDirectory {
  let here = root;
  for (const name of components) {
    const next = enterAndLeave(here, name, root);
    if (next === 'symlink') throw symlinkRefused(file);
    // One answer for "nothing there" and "a file there": the difference would tell about files that
    // the policy hides.
    if (next === 'missing' || next === 'no directory') throw missing(root, file);
    here = next;
  }
  return here;
}

export function symlinkRefused(file: string): Refusal {
  return new Refusal(
    'SYMLINK_REFUSED',
    'Cannot use this file: a symbolic link stands in its path, and links are never followed. Use the path of the file itself.',
    { file },
  );
}

/** FILE_NOT_FOUND, or IO_ERROR where the root itself is gone: nothing recreates it. */
export function missing(root: HeldDirectory, file: string): Refusal {
  if (isGone(root)) {
    return new Refusal(
      'IO_ERROR',
      'Cannot reach the root: it was deleted. The operator should restart the server.',
    );
  }
  return new Refusal(
    'FILE_NOT_FOUND',
    'Cannot use this file: there is none at this path. config_list shows the files.',
    { file },
  );
}

/** A root that is not held open has no facts any more, where one that is has no links. */
export function isGone(root: HeldDirectory): boolean {
  return (ignoring(['ENOENT'], () => root.facts().links) ?? 0) === 0;
}

function enterAndLeave(
  here: HeldDirectory,
  name: string,
  root: HeldDirectory,
): ReturnType<HeldDirectory['enter']> {
  try {
    return here.enter(name);
  } finally {
    if (here !== root) here.close();
  }
}
