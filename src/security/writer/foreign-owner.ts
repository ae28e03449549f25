// Refuses to replace a file of somebody else where its owner could not be kept: the replacement would
// quietly belong to the server's user.

import { Refusal } from '../errors/refusal.ts';
import type { FileFacts } from '../fs/ambient-fs.ts';

export function requireKeepableOwner(facts: FileFacts, file: string): void {
  if (isOwnFile(facts)) return;
  throw new Refusal(
    'PERMISSION_DENIED',
    'Cannot write this file: it belongs to another user, and the replacement would not. The operator can change its owner.',
    {
      file,
    },
  );
}

/** Whether we could have made the file: it is ours, or we are root, who gives files the owner they had. */
export function isOwnFile(facts: FileFacts): boolean {
  const uid = process.geteuid?.();
  return uid === undefined || uid === 0 || uid === facts.uid;
}
