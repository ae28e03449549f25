// Refuses whatever is not a plain file with one name. Judges the facts of a held inode; does NOT promise
// that the name still leads to it.

import { symlinkRefused } from '../containment/walk.ts';
import { Refusal } from '../errors/refusal.ts';
import type { FileFacts } from '../fs/ambient-fs.ts';

export function requireRegularFile(facts: FileFacts, file: string): void {
  if (facts.kind === 'symlink') throw symlinkRefused(file);
  // A FIFO would block the server for good, a device would have side effects: neither is ever opened.
  if (facts.kind !== 'file') {
    throw new Refusal(
      'NOT_REGULAR_FILE',
      'Cannot use this path: it is not a regular file. config_list shows the files.',
      { file },
    );
  }
}
