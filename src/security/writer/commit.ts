// Writes proven edits: all files or none, each by an atomic rename. Everything that can be refused is
// refused before the first rename. Across a power cut or `kill -9` every file is old or new, never torn, and
// several files are all old or all new once their server has started again: the record of the change, durable before
// the first rename, is the write-ahead log that recovery.ts reads.
import type { Approved } from '../approval/approved.ts';
import type { Log } from '../audit/log.ts';
import type { AuditOutcome, AuditRecord } from '../audit/log-fields.ts';
import type { HeldDirectory } from '../containment/held.ts';
import type { VerifiedEdit } from '../edits/verified-edit.ts';
import { ignoring, ioRefusal } from '../errors/io-refusal.ts';
import { ERROR_CATEGORIES } from '../errors/refusal.ts';
import type { LockRequest } from '../locking/lock.ts';
import type { SafePath } from '../paths/safe-path.ts';
import type { Policy } from '../policy/policy.ts';
import type { Verdict } from '../policy/verdict.ts';
import type { Caller } from '../records/caller.ts';
import type { EncodedRecord } from '../records/fields.ts';
import { requireApart } from '../sandbox/absence.ts';
import type { ChangeStore } from '../store/change-store.ts';
import { Folders } from './folders.ts';
import { requireApproved, requireWritable } from './permission.ts';
import { type FailedPublish, publish } from './publish.ts';
import { type Staged, stage } from './stage.ts';

/** What allows a commit, where it is recorded, and what its audit records say beside the files. */
export interface CommitContext {
  readonly policy: Policy;
  readonly log: Log;
  readonly rootOf: (path: SafePath) => HeldDirectory;
  readonly changes: Pick<ChangeStore, 'keep' | 'finish' | 'forget'>;
  /** The record of these edits; durable before the first file is replaced. */
  readonly record: EncodedRecord;
  readonly reason?: string | undefined;
  /** The state directory that keeps it, by its id. */
  readonly stateId: string;
  readonly isOver: LockRequest['isOver'];
  /** What the judge says of these edits. */
  readonly verdict: Verdict;
  /** The preview that is applied; none is needed at the level `direct`. */
  readonly approved?: Approved | undefined;
  readonly requireStillApproved: (approved: Approved) => void;
  readonly caller?: Caller | undefined;
  readonly requestId?: string | undefined;
}

/** Leaves an audit record of every file, whatever happens. Throws what the contract says. */
export function commit(edits: readonly VerifiedEdit[], context: CommitContext): void {
  const writes = edits.filter((edit) => !edit.isNoop);
  requireDistinct(writes.map((edit) => edit.snapshot.path.toString()));
  if (writes.length === 0) return;
  const folders = new Folders(context.rootOf);
  const staged: Staged[] = [];
  let failed: FailedPublish | undefined;
  try {
    requireWritable(context.policy);
    requireApproved(context.verdict, writes, context.approved);
    prepare(writes, { folders, staged }, context);
    failed = publish(staged, folders);
    if (failed !== undefined) throw failed.error;
    // Not flushed: where a power cut takes it, the next start sees what came of the change.
    context.log.recordOutcome(() => context.log.noteAll(() => recordsOf(writes, context, 'applied')));
    context.changes.finish(context.record.id);
  } catch (error) {
    recordFailure(writes, context, error, failed);
    throw ioRefusal('write', error);
  } finally {
    for (const file of staged) file.discard();
    folders.release(failed === undefined || failed.left.length === 0);
  }
}

/** Up to the moment from which on files are replaced. */
function prepare(
  writes: readonly VerifiedEdit[],
  { folders, staged }: { readonly folders: Folders; readonly staged: Staged[] },
  context: CommitContext,
): void {
  const { approved, requireStillApproved, changes, record, stateId, isOver } = context;
  requireApart(writes.flatMap(({ fileOp, snapshot }) => (fileOp === 'create' ? [snapshot.path] : [])));
  const places = writes.map((edit) => ({ edit, folder: folders.hold(edit.snapshot.path, edit.fileOp) }));
  // Whoever finds half of a batch must know that it is one. A single rename is all or nothing.
  const batch = writes.length > 1 ? { change: record.id, state: stateId } : undefined;
  folders.lockAll({ batch, isOver });
  // Asked again below. Here, so that the slower of two hears that the preview is used, and not that the file changed.
  if (approved !== undefined) requireStillApproved(approved);
  for (const { edit, folder } of places) staged.push(stage(edit, folder));
  // A file system that ignores case offers one file under two paths.
  requireDistinct(staged.map((file) => file.inode));
  // The new contents of several files reach the disk at the same time.
  if (batch !== undefined) for (const file of staged) file.beginSync();
  changes.keep(record);
  for (const file of staged) file.syncNew();
  recordIntent(writes, context);
}

function requireDistinct(files: readonly string[]): void {
  if (new Set(files).size !== files.length)
    throw new Error('one commit was handed two results for the same file');
}

/** Before anything changes. Where it throws, nothing is written. */
function recordIntent(writes: readonly VerifiedEdit[], context: CommitContext): void {
  const { approved, requireStillApproved, log } = context;
  const records = recordsOf(writes, context, 'intent');
  // In one chain with the decisions of reviewers: a rejection before this record prevents the write.
  if (approved !== undefined)
    log.auditAll(() => {
      requireStillApproved(approved);
      return records;
    });
  // No approval was needed, so the record of the change, which is durable, is enough.
  else log.noteAll(() => records);
}

function recordFailure(
  writes: readonly VerifiedEdit[],
  context: CommitContext,
  error: unknown,
  failed: FailedPublish | undefined,
): void {
  const { log, changes, record } = context;
  if (failed !== undefined && failed.left.length > 0) {
    // It stays open: the next start completes it, and records how it ended.
    const [file] = failed.left;
    log.notice('error', 'recovery_waiting', {
      reason: 'not_put_back',
      count: failed.left.length,
      file: file?.edit.snapshot.path.toString(),
    });
    return;
  }
  // A failure that the system did not report is a bug.
  const code = ignoring('all', () => ioRefusal('write', error).code) ?? 'INTERNAL';
  const outcome = ERROR_CATEGORIES[code] === 'system' ? 'failed' : 'refused';
  const restored = failed?.renamed.map(({ edit }) => edit) ?? [];
  log.recordOutcome(() =>
    log.auditAll(() => [
      ...recordsOf(restored, context, 'rolled_back'),
      ...recordsOf(writes, context, outcome, code),
    ]),
  );
  changes.forget(record.id);
}

function recordsOf(
  writes: readonly VerifiedEdit[],
  { approved, record, reason, caller, requestId }: CommitContext,
  outcome: AuditOutcome,
  code?: string,
): readonly AuditRecord[] {
  return writes.map(({ snapshot, resultSha256, changes, fileOp }) => ({
    action: 'commit',
    outcome,
    file: snapshot.path.toString(),
    file_op: fileOp,
    // Of no file there is no hash.
    base_sha256: fileOp === 'create' ? undefined : snapshot.sha256,
    result_sha256: fileOp === 'delete' ? undefined : resultSha256,
    paths: changes.map((change) => change.path),
    preview: approved?.preview.id,
    change_id: record.id,
    // Without an approval it is the level `direct`: see permission.ts.
    confirmed_by: approved?.confirmedBy ?? 'direct',
    reviewer: approved?.reviewer,
    reason,
    caller,
    code,
    request_id: requestId,
  }));
}
