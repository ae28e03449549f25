// Writes proven edits: all files or none, each by an atomic rename. Everything that can be refused is
// refused before the first rename. Across a power cut or `kill -9` every file is old or new, never torn, and
// several files are all old or all new once the next server has come by: see journal.ts and recovery.ts.
import type { ClaimedPreview } from '../approval/claimed-preview.ts';
import type { Log } from '../audit/log.ts';
import type { AuditOutcome, AuditRecord } from '../audit/log-fields.ts';
import type { HeldDirectory } from '../containment/held.ts';
import type { VerifiedEdit } from '../edits/verified-edit.ts';
import { ignoring, ioRefusal } from '../errors/io-refusal.ts';
import { ERROR_CATEGORIES } from '../errors/refusal.ts';
import type { SafePath } from '../paths/safe-path.ts';
import type { Policy } from '../policy/policy.ts';
import type { Caller } from '../records/caller.ts';
import { Folders } from './folders.ts';
import { requireApproved, requireWritable } from './permission.ts';
import { publish } from './publish.ts';
import type { Recovery } from './recovery.ts';
import { type Staged, stage } from './stage.ts';

/** What allows a commit, and what its audit records say beside the files. */
export interface CommitAbout {
  /** The preview that is applied; none is needed at the level `direct`. */
  readonly claim?: ClaimedPreview | undefined;
  /** What the write is kept as; of a preview, the change that it was claimed for. */
  readonly changeId?: string | undefined;
  readonly caller?: Caller | undefined;
  readonly requestId?: string | undefined;
  /** Called once, before the intent is recorded: for what has to be durable by then. */
  readonly onStaged?: (() => void) | undefined;
  /** Called once, before the first file is replaced: a commit that fails earlier has changed nothing. */
  readonly onWriting?: (() => void) | undefined;
}

export interface CommitContext {
  readonly policy: Policy;
  readonly log: Log;
  readonly rootOf: (path: SafePath) => HeldDirectory;
  readonly recovery: Recovery;
  readonly about: CommitAbout;
}

/** Leaves an audit record of every file, whatever happens. Throws what the contract says. */
export function commit(edits: readonly VerifiedEdit[], context: CommitContext): void {
  const writes = edits.filter((edit) => !edit.isNoop);
  requireDistinct(writes.map((edit) => edit.snapshot.path.toString()));
  if (writes.length === 0) return;
  try {
    requireWritable(context.policy);
    requireApproved(context.policy, edits, context.about.claim);
    writeAll(writes, context);
  } catch (error) {
    recordFailure(writes, context, error);
    throw ioRefusal('write', error);
  }
  recordApplied(writes, context);
}

function writeAll(writes: readonly VerifiedEdit[], context: CommitContext): void {
  const folders = new Folders(context.rootOf);
  const staged: Staged[] = [];
  const discard = () => staged.map((file) => file.discard()).every(Boolean);
  try {
    const places = writes.map((edit) => ({ edit, folder: folders.hold(edit.snapshot.path, hashesOf(edit)) }));
    folders.lockAll(context.recovery);
    for (const { edit, folder } of places) staged.push(stage(edit, folder));
    // A file system that ignores case offers one file under two paths.
    requireDistinct(staged.map((file) => file.inode));
    // All have begun to reach the disk by now, side by side.
    context.about.onStaged?.();
    for (const file of staged) file.syncNew();
    // Before anything changes: if this cannot be written down, it does not happen.
    recordIntent(writes, context);
    const commitPoint = folders.commitPoint(discard);
    if (commitPoint !== undefined) for (const file of staged) file.syncOld();
    context.about.onWriting?.();
    publish(staged, commitPoint, (file, isRestored) => recordPutBack(file.edit, context, isRestored));
  } finally {
    discard();
    folders.release();
  }
}

function hashesOf({ snapshot, resultSha256 }: VerifiedEdit): { base: string; result: string } {
  return { base: snapshot.sha256, result: resultSha256 };
}

function requireDistinct(files: readonly string[]): void {
  if (new Set(files).size !== files.length)
    throw new Error('one commit was handed two results for the same file');
}

function recordFailure(writes: readonly VerifiedEdit[], context: CommitContext, error: unknown): void {
  // What the machine did not report is a bug.
  const code = ignoring('all', () => ioRefusal('write', error).code) ?? 'INTERNAL';
  const outcome = ERROR_CATEGORIES[code] === 'system' ? 'failed' : 'refused';
  context.log.recordOutcome(() => context.log.auditAll(recordsOf(writes, context, outcome, code)));
}

function recordPutBack(edit: VerifiedEdit, context: CommitContext, isRestored: boolean): void {
  const outcome = isRestored ? 'rolled_back' : 'failed';
  context.log.recordOutcome(() => context.log.auditAll(recordsOf([edit], context, outcome)));
}

/** Not flushed to the disk: the intent is, and where a power cut takes the rest, the next start sees what came of it. */
function recordApplied(writes: readonly VerifiedEdit[], context: CommitContext): void {
  context.log.recordOutcome(() => context.log.noteAll(recordsOf(writes, context, 'applied')));
}

/** In one chain with the decisions of the reviewers: a rejection before this record prevents it, and so the write. */
function recordIntent(writes: readonly VerifiedEdit[], context: CommitContext): void {
  const { claim } = context.about;
  context.log.auditAllIf(() => claim?.requireStillApproved(), recordsOf(writes, context, 'intent'));
}

function recordsOf(
  writes: readonly VerifiedEdit[],
  context: CommitContext,
  outcome: AuditOutcome,
  code?: string,
): readonly AuditRecord[] {
  const { claim, changeId, caller, requestId } = context.about;
  const approved = claim?.approved;
  return writes.map(({ snapshot, resultSha256, changes }) => ({
    action: 'commit',
    outcome,
    file: snapshot.path.toString(),
    base_sha256: snapshot.sha256,
    result_sha256: resultSha256,
    paths: changes.map((change) => change.path),
    preview: approved?.preview.id,
    change_id: claim?.changeId ?? changeId,
    // Without a claim it is the level `direct`: see permission.ts.
    confirmed_by: approved?.confirmedBy ?? 'direct',
    reviewer: approved?.reviewer,
    caller,
    code,
    request_id: requestId,
  }));
}
