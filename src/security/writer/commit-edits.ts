// The entry to all writes below the roots: proven edits, and the recovery of what a killed server left. Forged edits and sandboxes
// are refused. Nothing is written without a state that keeps the record of it.
import type { Change, ExactFile } from '../../state/index.ts';
import type { Approved } from '../approval/approved.ts';
import { describesEdits } from '../approval/describes-edits.ts';
import { invert } from '../edits/edit.ts';
import { exactEdit, VerifiedEdit } from '../edits/verified-edit.ts';
import { type FoundLock, lockIn } from '../locking/lock.ts';
import type { SafePath } from '../paths/safe-path.ts';
import type { Verdict } from '../policy/verdict.ts';
import { rootOf } from '../sandbox/file-opener.ts';
import { sha256 } from '../sandbox/read-cache.ts';
import { contextOf, type Sandbox } from '../sandbox/sandbox.ts';
import { exact, maskedIn } from '../sandbox/snapshot.ts';
import { removedBy } from '../secrets/masked-text.ts';
import type { State } from '../state/state.ts';
import { commit } from './commit.ts';
import { Folders } from './folders.ts';
import { PEOPLE } from './permission.ts';
import { Recovery } from './recovery.ts';

/** The record of a change, before it gets its id, its time and the roots that it is for. */
export type ChangeDraft = Omit<Change, 'v' | 'nonce' | 'at' | 'roots'>;

/** A write: the record that is kept, and what allows it. */
export interface CommitRequest {
  readonly state: State;
  /** The record of exactly these edits. */
  readonly draft: ChangeDraft;
  /** The judge's answer about exactly these edits. */
  readonly verdict: Verdict;
  /** The approval; none is needed at the level `direct`. */
  readonly approved?: Approved | undefined;
  readonly requestId?: string | undefined;
}

/**
 * Writes all of the edits or none, if they are approved as the policy asks; see commit.ts. Answers the id of the change. Throws
 * PREVIEW_USED where another call was faster.
 */
export async function commitEdits(
  sandbox: Sandbox,
  edits: readonly VerifiedEdit[],
  { state, draft, verdict, approved, requestId }: CommitRequest,
): Promise<string> {
  const { admission, origin, policy, roots } = contextOf(sandbox);
  const checked = [...edits];
  for (const edit of checked) {
    if (!VerifiedEdit.isGenuine(edit))
      throw new TypeError('only a VerifiedEdit that was proven can be committed');
    if (!edit.snapshot.isFrom(origin)) throw new TypeError('the snapshot was read through another sandbox');
    admission.requireAdmitted(edit.snapshot.path);
  }
  // Writes that no person has confirmed must leave room for people's decisions.
  if (!PEOPLE.includes(approved?.confirmedBy ?? 'direct')) state.requireRoom();
  // Recovery undoes what the record says, so the record must be about what was proven.
  const writes = checked.filter((edit) => !edit.isNoop);
  if (!describesEdits(draft.files, writes))
    throw new TypeError('the change that is kept is about other edits');
  await new Recovery(sandbox, state).settle(draft.files.map(({ file }) => file));
  return commit(writes, {
    ...{ policy, state, verdict, approved, requestId },
    rootOf: (path) => rootOf(path, roots),
    change: { ...draft, roots: state.roots, at: state.now().toISOString() },
    exact: writes.flatMap((edit) => exactFileOf(edit) ?? []),
  });
}

/** Answers the masked parts of the record; undefined where nothing in the file is masked, so that the record has all of it. */
function exactFileOf(edit: VerifiedEdit): ExactFile | undefined {
  const { snapshot, resultSha256 } = edit;
  if (snapshot.isUnmasked) return undefined;
  const { edits, after } = exactEdit(edit);
  const { sha256: base_sha256, text } = exact(snapshot);
  const result_sha256 = sha256(Buffer.from(after));
  if (base_sha256 === snapshot.sha256 && result_sha256 === resultSha256) return undefined;
  const removed = removedBy(maskedIn(snapshot), text, edit.edits);
  return { file: snapshot.path.toString(), base_sha256, result_sha256, undo: invert(text, edits), removed };
}

/** Settles the changes that killed processes left, as far as this state has their records. */
export async function recoverRoots(sandbox: Sandbox, state: State | undefined): Promise<void> {
  if (state !== undefined) await new Recovery(sandbox, state).recoverAll();
}

/** Calls `work` with the lock of the folder of this file, or with undefined where there is none. */
export async function withLockOf<Result>(
  sandbox: Sandbox,
  path: SafePath,
  work: (lock: FoundLock | undefined) => Promise<Result>,
): Promise<Result> {
  const { roots } = contextOf(sandbox);
  const folders = new Folders((one) => rootOf(one, roots));
  try {
    return await work(lockIn(folders.hold(path).directory));
  } finally {
    folders.release();
  }
}
