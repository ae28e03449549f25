// How far a file has moved on since a change was planned or made: what data changed, and whether that is
// where the change is.
import type { Change } from '../../security/index.ts';
import type { Stream } from '../tree/span-tree.ts';
import { findChanges } from '../verify/find-changes.ts';
import { changesThatMeet } from './same-place.ts';

export interface Drift {
  /** What changed in the file since, whoever did it; comments and layout do not count. */
  readonly changes: readonly Change[];
  /** Those of them that are at, above or below a path of the plan, or cannot be told apart from it. */
  readonly meeting: readonly Change[];
  /** With another number of documents, an index may mean another document than it did. */
  readonly isOtherCount: boolean;
}

/** `old`: what the planned changes were made for. */
export function findDrift(old: Stream, now: Stream, planned: readonly Change[]): Drift {
  const changes = findChanges(old, now);
  const isOtherCount = old.documents.length !== now.documents.length;
  const meeting = isOtherCount ? changes : changesThatMeet(old, now, changes, planned);
  return { changes, meeting, isOtherCount };
}
