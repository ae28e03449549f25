// What a commit needs from its sandbox, for tests of its parts.

import type { HeldDirectory } from '../../../src/security/containment/held.ts';
import { createLog } from '../../../src/security/index.ts';
import { Recovery } from '../../../src/security/writer/recovery.ts';
import type { Place } from '../fixture.ts';

/** Admits everything below the one root. */
export function recoveryIn(here: Place, root: HeldDirectory): Recovery {
  return new Recovery({
    log: createLog({ level: 'info', format: 'json', file: `${here.base}/log.jsonl` }),
    limitBytes: 1_000_000,
    rootNamed: () => root,
    isAdmitted: () => true,
    isFolderVisible: () => true,
  });
}
