// Turns failures of the disk into refusals for the agent; or ignores those that a caller names because it can go on without an
// answer.
import { errnoOf } from '../fs/ambient-fs.ts';
import { type Clues, Refusal } from './refusal.ts';
import type { ErrorCode } from './refusals.ts';

const NOT_PERMITTED = [
  'PERMISSION_DENIED',
  'the operating system does not permit it. The operator can change the permissions',
] as const;
const TOO_MANY_OPEN = ['BUSY', 'too many files are open. Try again in a moment'] as const;
const TRANSLATIONS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOSPC: ['NO_SPACE', 'the disk is full. Free some space and try again'],
  EDQUOT: ['NO_SPACE', 'the disk quota is used up. Free some space and try again'],
  EFBIG: [
    'IO_ERROR',
    'the limit of this process for the size of a file is reached. The operator can raise it (ulimit -f)',
  ],
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EROFS: ['PERMISSION_DENIED', 'the file system is mounted read-only. The operator can mount it writable'],
  ENOENT: ['FILE_CHANGED', 'it, or its folder, was removed meanwhile. Read it again'],
  EBUSY: [
    'IO_ERROR',
    'the file is a mount point of its own. The operator should mount its directory instead of the single file',
  ],
  EMFILE: TOO_MANY_OPEN,
  ENFILE: TOO_MANY_OPEN,
};

/** Makes the refusal; `action` completes "Cannot …". A Refusal passes through unchanged, so that nothing is translated twice. */
export function ioRefusal(action: string, error: unknown, file?: string): Refusal {
  if (error instanceof Refusal) return error;
  const errno = errnoOf(error);
  // Without an errno it is a bug and no failure of the machine, and must reach the client as INTERNAL.
  if (errno === undefined) throw error;
  const [code, reason] = TRANSLATIONS[errno] ?? [
    'IO_ERROR',
    'the file system reported an error. Try again, or ask the operator to look at the log',
  ];
  return new Refusal(code, `Cannot ${action}: ${reason}.`, { file }, {}, error);
}

/** The failures to ignore: names of the system (`ENOENT`), `expected` (failures of the system and refusals, but no bugs), or `all` (bugs, too). */
export type IgnoredCodes = readonly string[] | 'expected' | 'all';

/** Returns the result of `work`; undefined if it fails in one of these ways. */
export function ignoring<Result>(codes: IgnoredCodes, work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (isIgnored(codes, error)) return undefined;
    throw error;
  }
}

/** Runs `work` and answers true; false if the name was taken. */
export function doneUnlessTaken(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function isIgnored(codes: IgnoredCodes, error: unknown): boolean {
  if (codes === 'all') return true;
  const errno = errnoOf(error);
  if (codes === 'expected') return errno !== undefined || error instanceof Refusal;
  return errno !== undefined && codes.includes(errno);
}

export const ONLY_THE_OPERATOR: Clues = { advice: ['Tell the operator: no call can mend this'] };
