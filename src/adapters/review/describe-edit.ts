// Everything that a preview says about one file beside its diff.
import type { VerifiedEdit } from '../../security/index.ts';
import type { ConfigFile } from '../formats/config-file.ts';
import { findAlsoAffected, MAX_ALSO_AFFECTED } from './also-affects.ts';
import { findRemovedComments } from './removed-comments.ts';
import { findWarnings } from './warnings.ts';

/** Beyond it a change is too large for anybody to follow path by path; the diff shows all of it. */
const MAX_CHANGES = 500;

export interface EditNotes {
  readonly alsoAffects: readonly string[];
  readonly removedComments: readonly string[];
  readonly warnings: readonly string[];
}

/** What is described: an edit that was proven, or the same of a preview that was stored. */
type Described = Pick<VerifiedEdit, 'edits' | 'changes' | 'isNoop'>;

/** Yields between its steps, so that other calls can be served. */
export function* describeEdit(
  base: ConfigFile,
  result: ConfigFile,
  edit: Described,
): Generator<void, EditNotes> {
  const { edits } = edit;
  const changes = edit.changes.slice(0, MAX_CHANGES);
  const alsoAffects = findAlsoAffected(base.stream, result.stream, changes);
  const warnings = yield* findWarnings(base.stream, result.stream, changes, edits, base.format.hasDialects);
  return {
    alsoAffects,
    removedComments: findRemovedComments(base.stream, edits),
    warnings: edit.isNoop ? [] : [...warnings, ...limitsReached(edit.changes.length, alsoAffects.length)],
  };
}

/** A list that is cut must not pass for the whole. */
function limitsReached(changes: number, alsoAffected: number): string[] {
  return [
    ...(changes > MAX_CHANGES
      ? [`Only the first ${MAX_CHANGES} of ${changes} changes were looked over for warnings.`]
      : []),
    ...(alsoAffected >= MAX_ALSO_AFFECTED
      ? [`More paths change through aliases than the ${MAX_ALSO_AFFECTED} that are listed.`]
      : []),
  ];
}

/** Runs it in one piece, where nobody else has to be served meanwhile. */
export function runSync<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
