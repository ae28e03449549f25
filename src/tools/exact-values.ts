// Finds the edits whose `from` has `*` or `?` and is itself the value of a matched node, such as `0 0 * * *`. Then it is not a pattern,
// in any file of the edit.
import { findMatches } from '../adapters/operations/expand.ts';
import { hasWildcard } from '../adapters/tree/wildcard.ts';
import { unlessRefused } from '../security/errors/refusal.ts';
import { baseOf, type FileEdits, snapshotFor } from './file-operations.ts';
import type { CallContext } from './tool.ts';

/** Returns the indexes of these edits in the call. Unreadable files are refused or skipped later, when they are edited. */
export async function findExact(
  files: readonly FileEdits[],
  context: CallContext,
): Promise<ReadonlySet<number>> {
  const exact = new Set<number>();
  for (const { file, operations } of files)
    for (const { operation, bulk, editIndex = 0 } of operations) {
      const { from, isMany = false } = bulk ?? {};
      if (from === undefined || exact.has(editIndex) || !hasWildcard(from)) continue;
      await context.pause();
      const isThere = unlessRefused(() => {
        const snapshot = snapshotFor(file, undefined, context);
        if (!snapshot.text.includes(from)) return false;
        const wanted = { operation, from, isExact: true, isMany, isCounted: false, most: 1 };
        return findMatches(baseOf(snapshot, context), wanted).matches.length > 0;
      });
      if (isThere === true) exact.add(editIndex);
    }
  return exact;
}
