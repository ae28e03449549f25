// An edit that names several nodes: by a pattern of its file, its path or its document, or by the number that is expected.
import { isBulk, type Operation } from '../adapters/index.ts';

/** One edit of a batch, on one file. */
export interface FileEdit {
  readonly operation: Operation;
  readonly editIndex?: number;
  readonly bulk?: Bulk;
  /** The file whose edit with the same index says what arrives. */
  readonly comesFrom?: string;
}

/** The pattern of an edit that can name any number of nodes, or says which value or how many. */
export interface Bulk {
  /** As the call names them. */
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
