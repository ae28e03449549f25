// The one function that every edit passes before anything of it is shown, kept or written, however it came about:
// one value, a batch, a part of a preview, a rebase, an undoing, or a preview that is about to be applied.
import { describeEdit, readConfigFile, unifiedDiff } from '../adapters/index.ts';
import { type PreviewFile, type Snapshot, type VerifiedEdit, visible } from '../security/index.ts';
import { checkEdit, type ReviewContext } from './edit-checks.ts';

/** A verified edit, or a part of a preview, which is verified when it is applied. */
export type ReviewableEdit = Pick<VerifiedEdit, 'after' | 'edits' | 'changes' | 'resultSha256' | 'isNoop'> & {
  readonly snapshot: Pick<Snapshot, 'path' | 'text' | 'sha256'>;
};

export interface ReviewedEdit {
  /** As a preview keeps it. */
  readonly file: PreviewFile;
  readonly isNoop: boolean;
  /** Whole sentences: what the checks have noted, and what the diff does not say by itself. */
  readonly warnings: readonly string[];
}

/** Throws what a check refuses. Yields between its steps, so that other calls can be served. */
export function* reviewEdit(edit: ReviewableEdit, context: ReviewContext): Generator<void, ReviewedEdit> {
  const { snapshot, after, edits, changes, resultSha256, isNoop } = edit;
  const { path, text } = snapshot;
  const { limits } = context.policy;
  const base = readConfigFile(path, text, limits);
  const result = readConfigFile(path, after, limits);
  const notes = checkEdit({ path, base, result }, context);
  yield;
  const { alsoAffects, removedComments, warnings } = yield* describeEdit(base, result, edit);
  const file = path.toString();
  return {
    file: {
      file,
      base: text,
      base_sha256: snapshot.sha256,
      result_sha256: resultSha256,
      edits,
      changes: isNoop ? [] : changes,
      diff: unifiedDiff(file, text, after, edits, base.stream.lines),
      removed_comments: removedComments,
      also_affects: alsoAffects,
    },
    isNoop,
    warnings: [...warnings, ...notes].map(visible),
  };
}

/** All edits of a call. Pauses before each, and between their steps. */
export async function reviewEdits(
  edits: readonly ReviewableEdit[],
  context: ReviewContext & { readonly pause: () => Promise<void> },
): Promise<readonly ReviewedEdit[]> {
  const reviewed: ReviewedEdit[] = [];
  for (const edit of edits) {
    const steps = reviewEdit(edit, context);
    let step: IteratorResult<void, ReviewedEdit>;
    do {
      await context.pause();
      step = steps.next();
    } while (step.done !== true);
    reviewed.push(step.value);
  }
  return reviewed;
}
