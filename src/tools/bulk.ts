// An edit of several nodes, named by a pattern for its file, path or document, or by the expected number.
import { isBulk } from '../adapters/operations/expand.ts';
import type { Operation } from '../adapters/operations/registry.ts';

/** One edit of a batch, on one file. */
export interface FileEdit {
  readonly operation: Operation;
  readonly editIndex?: number;
  readonly bulk?: Bulk;
  /** The source file, for a part that comes from another file: its edit has the same index. */
  readonly comesFrom?: string;
}

/** What an edit of several nodes matches: patterns, a value, a number. */
export interface Bulk {
  /** As given in the call. */
  readonly file: string;
  readonly from: string | undefined;
  readonly expect: number | undefined;
  /** True for a pattern, so that a file without a match is no error. */
  readonly isMany: boolean;
  /** True if its files come from a pattern, which may match some that cannot be read. */
  readonly isFound: boolean;
}

export function isFilePattern(file: string): boolean {
  return /[*?]|\{[^{}]*,/.test(file);
}

export function bulkOf(
  operation: Operation,
  {
    file,
    from,
    expect,
  }: { readonly file: string; readonly from?: string | undefined; readonly expect?: number | undefined },
): Bulk | undefined {
  const isFound = isFilePattern(file);
  const isMany = isFound || expect !== undefined || isBulk(operation);
  return isMany || from !== undefined || expect !== undefined
    ? { file, from, expect, isMany, isFound }
    : undefined;
}
