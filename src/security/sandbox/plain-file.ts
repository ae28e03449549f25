// Refuses whatever is not a plain file with one name, and what is too large. Judges the facts of a held inode; does
// NOT promise that the name still leads to it.

import { symlinkRefused } from '../containment/walk.ts';
import { Refusal } from '../errors/refusal.ts';
import type { FileFacts } from '../fs/ambient-fs.ts';

export function requirePlainFile({ kind, links }: FileFacts, file: string): void {
  if (kind === 'symlink') throw symlinkRefused(file);
  // A FIFO would block the server for good, a device would have side effects: neither is ever opened.
  if (kind !== 'file') {
    throw new Refusal(
      'NOT_REGULAR_FILE',
      'Cannot use this path: it is not a regular file. config_list shows the files.',
      { file },
    );
  }
  // A hard link inside the root to a secret outside it passes every check of paths and symlinks; containers, Landlock
  // and Node's permission model all let it through.
  if (links > 1) {
    throw new Refusal(
      'HARD_LINK_REFUSED',
      'Cannot use this file: it has a second name (a hard link), possibly outside the root. Ask the operator to replace it with a copy.',
      { file },
    );
  }
}

/** By its size on disk, before a byte is read; of a result, before a byte is written. */
export function requireSize(actual: number, allowed: number, file: string, what: 'file' | 'result'): void {
  if (actual <= allowed) return;
  const subject = what === 'file' ? 'use this file: it' : 'make this edit: the result';
  throw new Refusal(
    'FILE_TOO_LARGE',
    `Cannot ${subject} has ${actual} bytes, and ${allowed} are allowed. The operator can raise --max-file-size.`,
    { file },
    { limit: { name: 'file_size', allowed, actual, unit: 'bytes' } },
  );
}
