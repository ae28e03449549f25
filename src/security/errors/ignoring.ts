// Failures that are as good as an answer: each place names the ones that it can do without.
import { errnoOf } from '../fs/ambient-fs.ts';
import { Refusal } from './refusal.ts';

/** Names of the system (`ENOENT`); `expected`: of the system or a refusal, and no bug; `all`: bugs as well. */
export type IgnoredCodes = readonly string[] | 'expected' | 'all';

/** What `work` answers; undefined where it fails in one of these ways. */
export function ignoring<Result>(codes: IgnoredCodes, work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (isIgnored(codes, error)) return undefined;
    throw error;
  }
}

function isIgnored(codes: IgnoredCodes, error: unknown): boolean {
  if (codes === 'all') return true;
  const errno = errnoOf(error);
  if (codes === 'expected') return errno !== undefined || error instanceof Refusal;
  return errno !== undefined && codes.includes(errno);
}
