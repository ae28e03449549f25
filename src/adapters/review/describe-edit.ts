// Describes all that a preview says about one file, when it is made and when it is looked at again.
import { type Change, type Edit, splice, versionsOf, withInserted } from '../../security/edits/edit.ts';
import type { VerifiedEdit } from '../../security/edits/verified-edit.ts';
import type { SafePath } from '../../security/paths/safe-path.ts';
import type { Limits } from '../../security/policy/policy.ts';
import type { PreviewFile } from '../../state/preview.ts';
import { findChanges } from '../compare/find-changes.ts';
import { unifiedDiff } from '../diff/unified-diff.ts';
import { type ConfigFile, readVersions } from '../formats/registry.ts';
import { shownSpan } from '../shown/shown.ts';
import { commentsWithin } from '../tree/comments.ts';
import type { Span, Stream } from '../tree/span-tree.ts';
import { unmatched } from '../tree/unmatched.ts';
import { counted } from '../tree/wording.ts';
import { findAlsoAffected } from './alias-effects.ts';
import { findWarnings } from './warnings.ts';

export interface EditNotes {
  readonly alsoAffects: readonly string[];
  readonly removedComments: readonly string[];
  readonly warnings: readonly string[];
}

/** Describes a proven edit or a stored preview, in addition to its diff; for `placed` see `findWarnings`. */
export function describeEdit(
  base: ConfigFile,
  result: ConfigFile,
  { edits, isNoop }: Pick<VerifiedEdit, 'edits' | 'isNoop'>,
  placed: readonly string[] = [],
): EditNotes {
  return {
    alsoAffects: findAlsoAffected(base.stream, result.stream),
    removedComments: findRemovedComments(base.stream, result.stream, edits),
    warnings: isNoop ? [] : findWarnings(base.stream, result.stream, edits, { ...base.format, placed }),
  };
}

/**
 * The text of the comments that an edit takes away with what it removes, in source order; what stands elsewhere then has
 * moved. `edits` are in the coordinates of `base`, and make `result` of it.
 */
export function findRemovedComments(base: Stream, result: Stream, edits: readonly Edit[]): string[] {
  const textsIn = (stream: Stream, { start, end }: Span) =>
    commentsWithin(stream.comments, start, end).map((comment) =>
      shownSpan(stream, comment)
        .trimEnd()
        .replaceAll(/\n[ \t]+/g, '\n'),
    );
  const sides = withInserted(edits, base.text.length).map(({ edit, inserted }) => {
    const gone = textsIn(base, edit).filter((comment) => !isNowData(comment, shownSpan(result, inserted)));
    const come = textsIn(result, inserted);
    // A comment that is all of the edit is a change of its own.
    const isOnlyComment = shownSpan(base, edit).trim() === gone[0] && !edit.insert.includes('\n');
    return isOnlyComment && come.length === 1 ? { gone: [], come: [] } : { gone, come };
  });
  const differing = (some: readonly string[], others: readonly string[]) =>
    unmatched(some, others, (comment) => comment);
  // A comment that was added replaces one of the same text that was removed, first within its own edit.
  const [gone, come] = [
    sides.flatMap((side) => differing(side.gone, side.come)),
    sides.flatMap((side) => differing(side.come, side.gone)),
  ];
  return [...differing(gone, come)];
}

/** True for a comment whose text is a line of its own now. */
function isNowData(comment: string, inserted: string): boolean {
  const content = comment.replace(/^(?:#+|\/\/)/u, '').trim();
  return content !== '' && inserted.split('\n').some((line) => line.trim() === content);
}

/** Returns the number of changed paths. Items that an insert or a delete has shifted are not counted one by one. */
export function changedPaths({ changes, edits }: Pick<PreviewFile, 'changes' | 'edits'>): number {
  const isShifted = changes.some((change, at) => {
    const other = changes[at + 1];
    if (change.op !== 'replace' || other?.op !== 'replace') return false;
    const [path, below] = [change.path, other.path].map((one) => one.replace(/\[\d+\](?=[^[]*$)/, '[]'));
    return path === below && (change.to === other.from || change.from === other.to);
  });
  return isShifted ? Math.min(changes.length, edits.length) : changes.length;
}

/** Counts paths of data, such as `2 paths`; an edit without any changes comments or layout only. */
export function countedPaths(paths: number): string {
  return paths === 0 ? 'comments or layout only' : counted(paths, 'path');
}

/** Returns the changes. Throws the refusals of reading. */
export function recomputeChanges(
  path: SafePath,
  base: string | undefined,
  after: string | undefined,
  limits: Limits,
): readonly Change[] {
  const [old, next] = readVersions(path, [base, after], limits);
  return findChanges(old.stream, next.stream);
}

/** The parts of a recorded file that follow from its texts and spans. */
type Shown = Pick<PreviewFile, 'diff' | 'changes' | 'removed_comments' | 'also_affects'>;

/** Computes them anew, without trusting anything else of the record. Throws the refusals of reading. */
export function shownAnew(
  path: SafePath,
  { file, base, edits, file_op }: Pick<PreviewFile, 'file' | 'base' | 'edits' | 'file_op'>,
  limits: Limits,
): Shown {
  const after = splice(base, edits);
  const [{ stream: old }, { stream: next }] = readVersions(path, versionsOf(file_op, base, after), limits);
  return {
    diff: unifiedDiff(file, base, after, edits, old.lines, file_op),
    changes: findChanges(old, next),
    removed_comments: findRemovedComments(old, next, edits),
    also_affects: findAlsoAffected(old, next),
  };
}
