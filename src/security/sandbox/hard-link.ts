// Refuses files that have a second name. A hard link inside the root to a secret outside it passes every
// check of paths and symlinks; containers, Landlock and Node's permission model all let it through.

import { Refusal } from '../errors/refusal.ts';
import type { FileFacts } from '../fs/ambient-fs.ts';

export function requireSingleLink(facts: FileFacts, file: string): void {
  if (facts.links <= 1) return;
  throw new Refusal(
    'HARD_LINK_REFUSED',
    'Cannot use this file: it has a second name (a hard link), possibly outside the root. Ask the operator to replace it with a copy.',
    { file },
  );
}
