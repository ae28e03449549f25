// All that a server keeps, opened as a server opens it, over one root.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createLog, openState, type Policy, type State } from '../../../src/security/index.ts';
import { jsonLines } from '../../harness/json-lines.ts';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { place } from '../fixture.ts';

export function served(changes: Partial<Policy> = {}) {
  const here = place(memoryDisk());
  const dir = join(here.base, 'state');
  const log = createLog({ level: 'info', format: 'json', file: join(here.base, 'log.jsonl') });
  const open = (reviewers?: string, now?: () => Date): State => {
    const state = openState({ dir, reviewers }, here.policy(changes), log, now);
    onTestFinished(() => state.dir.close());
    return state;
  };
  return {
    ...{ here, dir, log, open },
    /** The audit trail so far, line by line. */
    trail: () => jsonLines(readFileSync(join(dir, 'audit/audit-000001.jsonl'), 'utf8')),
  };
}
