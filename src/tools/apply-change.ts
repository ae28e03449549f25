// The one function that writes files, whoever has confirmed it: the change is written down, the preview
// claimed, the files replaced, the outcome noted. What is cut short in between is settled at the next start.
import {
  type Approved,
  type ChangeDraft,
  commitEdits,
  reconcileFailed,
  type VerifiedEdit,
} from '../security/index.ts';
import { type CallContext, stateOf } from './tool.ts';

/**
 * Answers the change's id. Throws what a commit throws, and PREVIEW_USED where another was faster. Call it inside
 * `criticalSection`. `approved` is missing where nothing was previewed, which the commit allows at the
 * level `direct` only.
 */
export function applyChange(
  edits: readonly VerifiedEdit[],
  draft: ChangeDraft,
  approved: Approved | undefined,
  context: CallContext,
): string {
  const state = stateOf(context);
  const { sandbox, requestId, caller } = context;
  const change = state.changes.draft(draft);
  // Before the claim: a crash between the two leaves a change that never claimed anything, which is how recovery knows it.
  const begun = state.changes.begin(change);
  let hasBegun = false;
  const onWriting = (): void => {
    hasBegun = true;
  };
  try {
    // What is claimed, and what is recorded as intended, names a change that is kept.
    if (approved !== undefined) begun.sync();
    const claim = approved === undefined ? undefined : state.previews.claim(approved, change.id);
    const onStaged = approved === undefined ? begun.sync : undefined;
    commitEdits(sandbox, edits, {
      ...{ claim, changeId: change.id, caller, requestId, onStaged, onWriting },
    });
  } catch (error) {
    reconcileFailed(change.id, hasBegun, { state, sandbox });
    throw error;
  } finally {
    begun.close();
  }
  state.changes.finish(change.id);
  return change.id;
}
