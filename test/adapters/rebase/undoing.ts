// One file through a change, what others do to it, and the way back.
import type { Operation } from '../../../src/adapters/index.ts';
import { type Conflict, type RecordedEdit, undo } from '../../../src/adapters/rebase/rebase-change.ts';
import { assertEqualOutside } from '../../../src/security/edits/verified-edit.ts';
import { DEFAULT_LIMITS, Refusal, SafePath, splice } from '../../../src/security/index.ts';
import { attempt, type Language } from '../editing/attempt.ts';

export interface Applied extends RecordedEdit {
  readonly after: string;
}

/** Throws the refusal: for operations that must succeed. */
export function applied(base: string, operation: Operation, language: Language = 'yaml'): Applied {
  const outcome = attempt(base, operation, language);
  if (outcome instanceof Refusal) throw outcome;
  return { base, ...outcome };
}

/** The text without the change, or why it stays. Checked as a commit would: splice, bytes outside, proof. */
export function undone(
  change: RecordedEdit,
  now: string,
  language: Language = 'yaml',
): { readonly after: string } | { readonly reason: Conflict['reason'] } {
  const path = SafePath.parse(`a.${language}`, [undefined]);
  const way = undo(change, path, now, DEFAULT_LIMITS);
  if (way === 'undone already') return { after: now };
  if ('reason' in way) return { reason: way.reason };
  const after = splice(now, way.proof.edits);
  assertEqualOutside(now, after, way.proof.edits);
  way.proof.check(after);
  return { after };
}
