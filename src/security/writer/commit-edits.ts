// The only writes to the roots: proven edits, and the recovery of what a killed server left. Forged edits and sandboxes
// are refused. Nothing is written without a state directory that keeps the record of it.
import type { Approved } from '../approval/approved.ts';
import { isAbout } from '../approval/is-about.ts';
import { exactEdit, VerifiedEdit } from '../edits/verified-edit.ts';
import type { Verdict } from '../policy/verdict.ts';
import { sha256 } from '../sandbox/read-cache.ts';
import { contextOf, rootOf, type Sandbox } from '../sandbox/sandbox.ts';
import { exact as exactly, maskedIn } from '../sandbox/snapshot.ts';
import { removedBy } from '../secrets/masked-text.ts';
import type { ExactChange } from '../store/applied-change.ts';
import type { ChangeDraft } from '../store/change-store.ts';
import type { State } from '../store/state.ts';
import { commit } from './commit.ts';
import type { JudgeChange } from './may-complete.ts';
import { PEOPLE } from './permission.ts';
import { Recovery } from './recovery.ts';
import { lookForLeftovers, sweep } from './sweep.ts';

/** What the change is kept as, and what allows it. */
export interface CommitRequest {
  readonly state: State;
  /** Of exactly these edits. */
  readonly draft: ChangeDraft;
  /** What the judge says of exactly these edits. */
  readonly verdict: Verdict;
  /** None is needed at the level `direct`. */
  readonly approved?: Approved | undefined;
  readonly requestId?: string | undefined;
  /** For completing the batch of a killed server that is in the way. */
  readonly judge?: JudgeChange;
}

/**
 * All of the edits or none, if they are approved as the policy asks; see commit.ts. Answers the id of the change. Throws
 * PREVIEW_USED where another was faster.
 */
export function commitEdits(
  sandbox: Sandbox,
  edits: readonly VerifiedEdit[],
  { state, draft, verdict, approved, requestId, judge }: CommitRequest,
): string {
  const { admission, origin, policy, roots } = contextOf(sandbox);
  const own = [...edits];
  for (const edit of own) {
    if (!VerifiedEdit.isGenuine(edit))
      throw new TypeError('only a VerifiedEdit that was proven can be committed');
    if (!edit.snapshot.isFrom(origin)) throw new TypeError('the snapshot was read through another sandbox');
    admission.requireAdmitted(edit.snapshot.path);
  }
  const { changes, previews, dir, log } = state;
  // What no person has confirmed leaves room for people's decisions.
  if (!PEOPLE.includes(approved?.confirmedBy ?? 'direct')) state.trail.requireRoom();
  const exact = own.flatMap((edit) => exactChangeOf(edit) ?? []);
  const record = changes.draft(exact.length === 0 ? draft : { ...draft, exact });
  const recovery = new Recovery(sandbox, state, judge);
  // Recovery writes what is kept: it must be what was proven.
  const writes = own.filter((edit) => !edit.isNoop);
  if (!isAbout(draft.files, writes)) throw new TypeError('the change that is kept is about other edits');
  commit(own, {
    ...{ policy, log, changes, record, requestId },
    rootOf: (path) => rootOf(path, roots),
    stateId: dir.id,
    isOver: (batch) => recovery.isOver(batch),
    ...{ verdict, approved, requireStillApproved: (by) => previews.requireStillApproved(by) },
    caller: draft.caller,
    reason: draft.reason,
  });
  return record.id;
}

/** Undefined where nothing in the file is masked, so that the record says all of it. */
function exactChangeOf(edit: VerifiedEdit): ExactChange | undefined {
  const { snapshot, resultSha256 } = edit;
  if (edit.isNoop) return undefined;
  const { edits, after } = exactEdit(edit);
  const base_sha256 = exactly(snapshot).sha256;
  const result_sha256 = sha256(Buffer.from(after));
  if (base_sha256 === snapshot.sha256 && result_sha256 === resultSha256) return undefined;
  const removed = removedBy(maskedIn(snapshot), exactly(snapshot).text, edit.edits);
  return { file: snapshot.path.toString(), base_sha256, result_sha256, edits, removed };
}

/**
 * Completes the changes that killed processes left in this state directory, and removes leftovers in the roots. A server
 * that may not write keeps no state, and only says that something waits.
 */
export function recoverRoots(sandbox: Sandbox, state: State | undefined, judge?: JudgeChange): void {
  const { roots, log, admission } = contextOf(sandbox);
  const isVisible = (components: readonly string[]) => admission.isFolderVisible(components);
  if (state === undefined) {
    lookForLeftovers(roots, isVisible, log);
    return;
  }
  const recovery = new Recovery(sandbox, state, judge);
  recovery.recoverAll();
  sweep(roots, isVisible, { log, isOver: (batch) => recovery.isOver(batch) });
}
