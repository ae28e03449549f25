// The names of config-airlock's own files inside a root. All start with `.config-airlock`, which the
// denylist hides from every request. A name proves nothing about who made the file.
import { randomBytes } from 'node:crypto';

export const LOCK_NAME = '.config-airlock.lock';

/** For new contents, beside the file that they will replace. */
export function freshTempName(): string {
  return `.config-airlock-${randomBytes(12).toString('hex')}.tmp`;
}

/** For a lock that is being written and not yet in force. */
export function freshLockDraftName(): string {
  return `.config-airlock-${randomBytes(12).toString('hex')}.draft`;
}

/** The right to break the lock that carries this nonce: there is one name, so one process can have it. */
export function breakerNameOf(nonce: string): string {
  return `.config-airlock.lock.${nonce}`;
}

export function isTempName(name: string): boolean {
  return /^\.config-airlock-[0-9a-f]{24}\.(?:tmp|draft)$/u.test(name);
}
