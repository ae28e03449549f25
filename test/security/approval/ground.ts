// A state in memory, and a list of reviewers with ann on it: for tests of approvals.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createLog, makeReviewerKey, readReviewers } from '../../../src/security/index.ts';
import { openSqlite, openStore } from '../../../src/state/index.ts';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { place } from '../fixture.ts';

export const AT = '2026-11-21T12:00:00.000Z';
export const CHANGE_ID = 'a'.repeat(52);

export async function opened() {
  const here = place(memoryDisk());
  const store = await openStore(openSqlite({ file: ':memory:' }));
  onTestFinished(() => store.close());
  const log = createLog({ level: 'info', format: 'json', file: join(here.base, 'log.jsonl') });
  const key = makeReviewerKey('ann');
  const file = here.write('reviewers', `${key.line}\n`, 0o600);
  return { here, store, log, reviewers: readReviewers(file, [here.root]), ann: key.key };
}
