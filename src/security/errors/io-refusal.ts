// Failures of the machine as refusals of the contract. Promises a message without a path and without
// Node's own text; the original error stays reachable as `cause` for the log.
import { errnoOf } from '../fs/ambient-fs.ts';
import { type ErrorCode, Refusal } from './refusal.ts';

const TRANSLATIONS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOSPC: ['NO_SPACE', 'the disk is full. Free some space and try again'],
  EDQUOT: ['NO_SPACE', 'the disk quota is used up. Free some space and try again'],
  EFBIG: [
    'IO_ERROR',
    'the limit of this process for the size of a file is reached. The operator can raise it (ulimit -f)',
  ],
  EACCES: [
    'PERMISSION_DENIED',
    'the operating system does not permit it. The operator can change the permissions',
  ],
  EPERM: [
    'PERMISSION_DENIED',
    'the operating system does not permit it. The operator can change the permissions',
  ],
  EROFS: ['PERMISSION_DENIED', 'the file system is mounted read-only. The operator can mount it writable'],
  ENOENT: ['FILE_CHANGED', 'it, or its folder, was removed meanwhile. Read it again'],
  EBUSY: [
    'IO_ERROR',
    'the file is a mount point of its own. The operator should mount its directory instead of the single file',
  ],
  EMFILE: ['BUSY', 'too many files are open. Try again in a moment'],
  ENFILE: ['BUSY', 'too many files are open. Try again in a moment'],
};

/** `action` completes "Cannot …". A Refusal passes through unchanged, so that nothing is translated twice. */
export function ioRefusal(action: string, error: unknown, file?: string): Refusal {
  if (error instanceof Refusal) return error;
  const errno = errnoOf(error);
  // No errno: not the machine's failure but a bug, which must reach the client as INTERNAL.
  if (errno === undefined) throw error;
  const [code, reason] = TRANSLATIONS[errno] ?? [
    'IO_ERROR',
    'the file system reported an error. Try again, or ask the operator to look at the log',
  ];
  return new Refusal(code, `Cannot ${action}: ${reason}.`, { file }, {}, error);
}
