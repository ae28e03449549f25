// Refuses every write where the operator said read-only, and writes to files whose own mode says so: a
// rename would get around the mode, because it needs permission for the folder only.

import { Refusal } from '../errors/refusal.ts';
import type { FileFacts } from '../fs/ambient-fs.ts';
import type { Policy } from '../policy/policy.ts';

export function requireWritable(policy: Policy): void {
  if (!policy.readOnly) return;
  throw new Refusal(
    'READ_ONLY',
    'Cannot write: this server is read-only. A dry run shows what would change.',
  );
}

export function requireWritableMode(facts: FileFacts, file: string): void {
  if ((facts.mode & 0o200) !== 0) return;
  throw new Refusal(
    'READ_ONLY',
    'Cannot write this file: its mode is read-only. Ask the operator to make it writable.',
    { file },
  );
}
