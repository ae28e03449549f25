// Writes proven edits: all files or none, each by an atomic rename. Everything that can be refused is refused before the first
// rename. After a power cut or `kill -9` each file is old or new as a whole. Several files are all old or all new once their server
// has started again, because the change is durable in the state before the first rename, and recovery.ts reads it.
import {
  type Begun,
  type Change,
  type ExactFile,
  encodeRecord,
  type NewRecord,
  type Outcome,
  StateFault,
} from '../../state/index.ts';
import { type Approved, approvedByReviewer } from '../approval/approved.ts';
import { previewUsed } from '../approval/preview-errors.ts';
import { auditedFiles } from '../approval/previews.ts';
import { type AuditEvent, trailRecordOf } from '../audit/audit-record.ts';
import type { HeldDirectory } from '../containment/held.ts';
import type { VerifiedEdit } from '../edits/verified-edit.ts';
import { ignoring, ioRefusal } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import { tempNameOf } from '../paths/denylist.ts';
import type { SafePath } from '../paths/safe-path.ts';
import type { Policy } from '../policy/policy.ts';
import type { Verdict } from '../policy/verdict.ts';
import { requireApart } from '../sandbox/absence.ts';
import type { State } from '../state/state.ts';
import { Folders, type HeldFolder } from './folders.ts';
import { isShared, markOwn } from './own-mark.ts';
import { requireApproved, requireWritable } from './permission.ts';
import { type FailedPublish, publish } from './publish.ts';
import { type Staged, stage, writeAllNew } from './stage.ts';
import type { TempFile } from './temp-file.ts';

/** The permission for a commit, and the records that are kept. */
export interface CommitContext {
  readonly policy: Policy;
  readonly state: State;
  readonly rootOf: (path: SafePath) => HeldDirectory;
  /** The record of exactly these edits. */
  readonly change: NewRecord<Change>;
  readonly exact: readonly ExactFile[];
  /** The judge's answer about these edits. */
  readonly verdict: Verdict;
  /** The preview that is applied; none is needed at the level `direct`. */
  readonly approved?: Approved | undefined;
  readonly requestId?: string | undefined;
}

/** Commits, and answers the id of the change. After a refusal all files are as before, unless the refusal names those that are not. */
export async function commit(writes: readonly VerifiedEdit[], context: CommitContext): Promise<string> {
  const { policy, state, change, exact, verdict, approved } = context;
  requireDistinct(writes.map((edit) => edit.snapshot.path.toString()));
  const record = encodeRecord(change);
  const folders = new Folders(context.rootOf);
  let staged: readonly Staged[] = [];
  let mark: TempFile | undefined;
  let failed: FailedPublish | undefined;
  let isOpen = false;
  try {
    requireWritable(policy);
    requireApproved(verdict, writes, approved);
    const held = lockedFolders(writes, folders);
    await requireSettled(writes, state);
    if (approved !== undefined) await requireStillApproved(approved, state);
    staged = held.map(({ edit, folder }, index) =>
      stage(edit, folder, {
        newName: tempNameOf(record.id, index, 'new'),
        oldName: tempNameOf(record.id, index, 'old'),
      }),
    );
    // A file system that ignores case can have one file under two paths.
    requireDistinct(staged.map((file) => file.inode));
    const [first] = held;
    if (first !== undefined && isShared(state)) mark = markOwn(record.id, exact, first.folder);
    const intent = trailRecordOf(eventOf('intent', record.id, context), state.now());
    const begun = await state.store.beginChange({ ...record, exact }, intent, claimOf(approved));
    requireBegun(begun);
    isOpen = true;
    writeAllNew(staged);
    failed = publish(staged, folders);
    if (failed !== undefined) throw failed.error;
    isOpen = false;
    // All files are new: whoever finds the change open has nothing to write.
    mark?.discard();
    await recordEnd('applied', record.id, context);
  } catch (error) {
    const isClean = staged.map((file) => file.discard()).every(Boolean);
    const { left = [] } = failed ?? {};
    const isSettled = isClean && left.length === 0;
    if (!isOpen || isSettled) mark?.discard();
    if (isOpen) await recordFailure(record.id, error, { isSettled, left }, context);
    throw ioRefusal('write', error);
  } finally {
    for (const file of staged) file.discard();
    folders.release();
  }
  return record.id;
}

/** Holds and locks the folders of all edits. */
function lockedFolders(
  writes: readonly VerifiedEdit[],
  folders: Folders,
): readonly { readonly edit: VerifiedEdit; readonly folder: HeldFolder }[] {
  requireApart(writes.flatMap(({ fileOp, snapshot }) => (fileOp === 'create' ? [snapshot.path] : [])));
  const held = writes.map((edit) => ({ edit, folder: folders.hold(edit.snapshot.path, edit.fileOp) }));
  folders.lockAll();
  return held;
}

/** Throws BUSY where an unfinished change has one of these files. The locks are held, so a process that was killed left it. */
async function requireSettled(writes: readonly VerifiedEdit[], { store, roots }: State): Promise<void> {
  const open = (await store.openChanges()).filter((change) => change.roots === roots);
  const isTouched = ({ snapshot }: VerifiedEdit) =>
    open.some(({ files }) => files.includes(snapshot.path.toString()));
  const waiting = writes.find(isTouched);
  if (waiting === undefined) return;
  throw new Refusal(
    'BUSY',
    'Cannot write: a change of this file was interrupted and waits to be settled. Try again in a moment.',
    { file: waiting.snapshot.path.toString() },
    { advice: ['If it stays so, the operator should start the server once more and look at its log'] },
  );
}

/**
 * Checks the approval again while the locks are held. So the slower of two calls gets PREVIEW_USED and not FILE_CHANGED, and only
 * reviewers on the current list count. A decision after this check is found when the preview is claimed.
 */
async function requireStillApproved(
  { preview, confirmedBy, reviewer, needs }: Approved,
  { store, decisions }: State,
): Promise<void> {
  const { changeId } = await store.statusOf(preview.id);
  if (changeId !== undefined) throw previewUsed(changeId);
  if (confirmedBy !== 'human') return;
  const present = await approvedByReviewer(preview, decisions, needs);
  if (present.reviewer !== reviewer) throw decidedSince();
}

function decidedSince(): Refusal {
  return new Refusal(
    'APPROVAL_REQUIRED',
    'Cannot apply this preview: somebody has decided about it in this moment. Ask again.',
  );
}

function requireDistinct(files: readonly string[]): void {
  if (new Set(files).size !== files.length)
    throw new Error('one commit was handed two results for the same file');
}

function claimOf(approved: Approved | undefined) {
  if (approved === undefined) return undefined;
  const { id, record } = approved.preview;
  const whole = record.origin.kind === 'part' ? record.origin.of : undefined;
  return { preview: id, whole, decidedAt: approved.decidedAt };
}

function requireBegun(begun: Begun): asserts begun is Extract<Begun, { state: 'begun' }> {
  if (begun.state === 'used') throw previewUsed(begun.changeId);
  if (begun.state === 'decided') throw decidedSince();
}

/** Records the end of a change. Never throws a refusal, because the files are written. The next start settles a change without a recorded end. */
async function recordEnd(outcome: Outcome, id: string, context: CommitContext, code?: string): Promise<void> {
  const { store, log, now } = context.state;
  try {
    const record = trailRecordOf({ ...eventOf(outcome, id, context), code }, now());
    log.anchor('change_recorded', await store.endChange(id, record), { change: id, status: outcome });
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof StateFault)) throw error;
    log.event('error', 'audit_outcome_lost', { change: id });
  }
}

async function recordFailure(
  id: string,
  error: unknown,
  { isSettled, left }: Pick<FailedPublish, 'left'> & { readonly isSettled: boolean },
  context: CommitContext,
): Promise<void> {
  if (!isSettled) {
    // The change stays open. The next write or start settles it, and records how it ended.
    const [file] = left;
    context.state.log.notice('error', 'recovery_waiting', {
      reason: left.length > 0 ? 'not_put_back' : 'not_removed',
      count: left.length,
      file: file?.edit.snapshot.path.toString(),
    });
    return;
  }
  // A failure that the system did not report is a bug.
  const code = ignoring('all', () => ioRefusal('write', error).code) ?? 'INTERNAL';
  await recordEnd('rolled_back', id, context, code);
}

function eventOf(outcome: Outcome, id: string, { approved, change, requestId }: CommitContext): AuditEvent {
  return {
    action: 'commit',
    outcome,
    files: auditedFiles(change.files),
    preview: approved?.preview.id,
    change_id: id,
    // Without an approval the level was `direct`: see permission.ts.
    confirmed_by: approved?.confirmedBy ?? 'direct',
    reviewer: approved?.reviewer,
    reason: change.reason,
    caller: change.caller,
    request_id: requestId,
  };
}
