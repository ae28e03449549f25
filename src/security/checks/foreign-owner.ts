// Refuses to replace a file of somebody else where its owner could not be kept: the replacement would
// quietly belong to the server's user.
import type { FileFacts } from '../ambient-fs.ts';
import { Refusal } from '../refusal.ts';

export function requireKeepableOwner(facts: FileFacts, file: string): void {
  const uid = process.geteuid?.();
  if (uid === undefined || uid === 0 || uid === facts.uid) return;
  throw new Refusal(
    'PERMISSION_DENIED',
    'Cannot write this file: it belongs to another user, and the replacement would not. The operator can change its owner.',
    {
      file,
    },
  );
}
