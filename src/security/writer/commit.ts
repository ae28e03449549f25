// The entry to all writes below the roots: proven edits, and the settling of what a dead server left. Nothing is written without a
// state that keeps the record of it.
import { canonicalJson } from '../../state/canonical.ts';
import type { Event } from '../../state/event.ts';
import { encodePreview, type KeptFile } from '../../state/preview.ts';
import { type Approved, approvedByReviewer } from '../approval/approved.ts';
import { type PreviewDraft, previewUsed, timesOf } from '../approval/preview.ts';
import { recordedEvent } from '../audit/recorded-event.ts';
import type { HeldDirectory } from '../containment/held.ts';
import type { FileWrite } from '../edits/verified-edit.ts';
import { ioRefusal } from '../errors/refusal.ts';
import { type FoundLock, lockIn } from '../locking/lock.ts';
import type { SafePath } from '../paths/safe-path.ts';
import type { Verdict } from '../policy/verdict.ts';
import { rootOf } from '../sandbox/file-opener.ts';
import { contextOf, type Sandbox } from '../sandbox/sandbox.ts';
import type { State } from '../state/state.ts';
import { Folders } from './folders.ts';
import { Journal } from './journal.ts';
import { PEOPLE, requireApproved, requireWritable } from './permission.ts';
import { settleAll, type WriteContext } from './settle.ts';
import { decidedSince, inTurn, type WriteRecord, writeFiles } from './write.ts';

/** Proven edits that are to be written, and what allows it. */
export interface CommitRequest {
  readonly writes: readonly FileWrite[];
  /** The approved preview of exactly these writes; for a direct write, which needs no approval, the draft that is kept of it. */
  readonly preview: Approved | PreviewDraft;
  /** The texts of the files before, as they are shown, if the preview was kept without them. */
  readonly bases?: readonly string[] | undefined;
  /** What the judge says of exactly these writes. */
  readonly verdict: Pick<Verdict, 'level' | 'needs'>;
  /** The ids of the rules that asked for the confirmation, or `default`. */
  readonly by_rules?: readonly string[] | undefined;
  readonly requestId?: string | undefined;
}

/** Writes all of the edits or none, if they are approved as the policy asks. Returns the id of the change. Throws PREVIEW_USED if another call was faster. */
export async function commit(request: CommitRequest, sandbox: Sandbox, state: State): Promise<string> {
  const { writes, verdict, preview } = request;
  const approved = 'confirmedBy' in preview ? preview : undefined;
  requireWritable(contextOf(sandbox).policy);
  // Writes that no person has confirmed must leave room for people's decisions.
  if (!PEOPLE.includes(approved?.confirmedBy ?? 'direct')) state.requireRoom();
  requireApproved(verdict, approved);
  const record = await recordOf(request, state);
  if (!areOf(record.files, writes)) throw new Error('the preview that is kept is about other edits');
  await writeFiles(writes, record, contextIn(sandbox, state));
  return record.begun.about ?? '';
}

/** True if both have the same files, with the same texts before and after, in the same order. */
function areOf(files: readonly KeptFile[], writes: readonly FileWrite[]): boolean {
  return (
    files.length === writes.length &&
    files.every(({ file, base_sha256, result_sha256, file_op, mode }, index) => {
      const write = writes[index];
      const isSameText = write?.base_sha256 === base_sha256 && write.result_sha256 === result_sha256;
      return isSameText && write.file === file && write.fileOp === file_op && write.mode === mode;
    })
  );
}

/** Returns what is recorded of the write, and the files that it is recorded for. */
async function recordOf(
  request: CommitRequest,
  state: State,
): Promise<WriteRecord & Pick<PreviewDraft, 'files'>> {
  const { preview } = request;
  const now = state.now();
  if ('confirmedBy' in preview) {
    const { decidedAt, preview: stored } = preview;
    const { origin, files } = stored.record;
    const claim = { decidedAt, whole: origin.kind === 'part' ? origin.of : undefined };
    const recheck = () => requireStillApproved(preview, state);
    const begun = begunBy(request, now, stored.id, stored.record, preview);
    return { files, begun, claim, recheck, shown: request.bases };
  }
  const times = timesOf(now, preview.approval);
  const direct = await encodePreview({ roots: state.roots, ...preview, ...times });
  return {
    files: preview.files,
    begun: begunBy(request, now, direct.id, preview),
    claim: { decidedAt: 0 },
    shown: direct,
  };
}

function begunBy(
  { by_rules, requestId }: CommitRequest,
  now: Date,
  about: string,
  { files, reason, caller, origin }: Pick<PreviewDraft, 'files' | 'reason' | 'caller' | 'origin'>,
  // Without an approval the level was `direct`: see permission.ts.
  { confirmedBy, reviewer }: Partial<Approved> = { confirmedBy: 'direct' },
): Event {
  const who = { caller, reason, confirmed_by: confirmedBy, reviewer, by_rules, request_id: requestId };
  const from = origin.kind === 'edit' ? undefined : origin;
  return recordedEvent({ type: 'begun', about, files, origin: from, ...who }, now);
}

/**
 * Checks the approval again while the locks are held. So the slower of two calls gets PREVIEW_USED and not FILE_CHANGED, and only
 * reviewers on the current list count. A decision after this check is found when the write is begun.
 */
async function requireStillApproved(
  { preview, confirmedBy, reviewer, needs }: Approved,
  state: State,
): Promise<void> {
  const { write } = await state.store.statusOf(preview.id);
  if (write !== undefined) throw previewUsed(preview.id);
  if (confirmedBy !== 'human') return;
  const present = await approvedByReviewer(preview, needs, state);
  if (present.reviewer !== reviewer) throw decidedSince();
}

/** Settles the writes that dead processes of this machine left. */
export async function recoverRoots(sandbox: Sandbox, state: State | undefined): Promise<void> {
  if (state === undefined) return;
  const context = contextIn(sandbox, state);
  context.journal.removeDrafts();
  await inTurn(() => settleAll(context));
}

function contextIn(sandbox: Sandbox, { store, dir, roots: served, log, now }: State): WriteContext {
  const { admission, roots, policy } = contextOf(sandbox);
  const places = roots.map(({ name, realPath }) => ({ name, place: realPath }));
  return {
    ...{ store, log, now, roots: served },
    journal: new Journal(journalFolder(dir), canonicalJson({ state: store.id, places })),
    rootOf: (path) => rootOf(path, roots),
    parse: (path) => sandbox.parse(path),
    fileSizeBytes: policy.limits.fileSizeBytes,
    admitted: (file) => {
      const path = sandbox.parse(file);
      admission.requireAdmitted(path);
      return path;
    },
  };
}

function journalFolder(dir: State['dir']): HeldDirectory {
  if (dir === undefined) throw new Error('a state without a local directory cannot write');
  try {
    return dir.journalFolder();
  } catch (error) {
    throw ioRefusal('write', error);
  }
}

/** Calls `work` with the lock of the folder of this file, or with undefined if there is none. */
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
