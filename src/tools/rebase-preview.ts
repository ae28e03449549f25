// Answers a preview whose files have changed since: what has changed, whether that conflicts, and otherwise the same change as
// a new preview. Nothing is planned again: the edits that were shown are moved and proven, so that no index and no pattern can
// hit what nobody saw.
import { type Rebased, rebaseChange } from '../adapters/index.ts';
import {
  canonicalJson,
  ERROR_CATEGORIES,
  type PreviewDraft,
  type PreviewFile,
  proposersOf,
  Refusal,
  type Snapshot,
  type StoredPreview,
  type VerifiedEdit,
  visibleLine,
  withProposers,
} from '../security/index.ts';
import { describeConflict, driftedFiles, type FileConflict } from './conflicts.ts';
import { previewInstead } from './edit-flow.ts';
import { isChanged, recordedEdit, removedBefore, snapshotFor } from './file-operations.ts';
import { neededBy } from './needs.ts';
import { type ReviewedEdit, reviewEdits, verdictOf } from './review-edit.ts';
import { warningsOf } from './shown-edits.ts';
import type { CallContext } from './tool.ts';

/** A file as the preview has it, and as it is now. */
export interface CurrentFile {
  readonly file: PreviewFile;
  readonly snapshot: Snapshot;
}

interface RebasedFile extends CurrentFile {
  readonly rebased: Rebased;
}

/** Answers the FILE_CHANGED to throw. `current` holds all files of the preview, some of which have changed. */
export async function refuseAsChanged(
  stored: StoredPreview,
  current: readonly CurrentFile[],
  context: CallContext,
): Promise<Refusal> {
  const files: RebasedFile[] = [];
  for (const { file, snapshot } of current) {
    await context.pause();
    try {
      files.push({ file, snapshot, rebased: rebase(file, snapshot, context) });
    } catch (error) {
      // The refusal is about the present file: the preview's own texts were read when it was loaded.
      if (error instanceof Refusal) return unreadable(file.file, error);
      throw error;
    }
  }
  return refuse(stored, files, context);
}

function rebase(file: PreviewFile, now: Snapshot, { policy }: Pick<CallContext, 'policy'>): Rebased {
  const { base, edits, changes } = file;
  if (file.file_op !== undefined) {
    const drift = { changes: [], meeting: [], isOtherCount: false };
    return isChanged(file, now)
      ? { drift, reason: 'other file' }
      : { drift, proof: { edits, check: () => changes } };
  }
  const comments = changes.filter(({ op }) => op === 'comment');
  return rebaseChange({ path: now.path, old: base, edits, comments, now: now.text }, policy.limits);
}

function unreadable(file: string, { where, clues }: Refusal): Refusal {
  return new Refusal(
    'FILE_CHANGED',
    `Cannot apply this preview: the file has changed since, and can no longer be read`,
    { ...where, file },
    {
      problems: clues.problems ?? [],
      advice: ['Have a person mend the file, then preview the change again'],
    },
  );
}

async function refuse(
  stored: StoredPreview,
  files: readonly RebasedFile[],
  context: CallContext,
): Promise<Refusal> {
  const changed = files.filter(({ file, snapshot }) => isChanged(file, snapshot));
  const [first] = changed;
  if (first === undefined) throw new Error('one of the files has changed');
  const clues = {
    drift: driftedFiles(changed.map(({ file, rebased }) => ({ ...rebased, file: file.file }))),
    actualSha256: first.snapshot.sha256,
  };
  const refusal = (reason: string, file: string, more: object): Refusal =>
    new Refusal('FILE_CHANGED', `Cannot apply this preview: ${reason}`, { file }, { ...clues, ...more });
  const [conflict] = files.flatMap(({ file, rebased }): FileConflict[] =>
    'reason' in rebased ? [{ file: file.file, ...rebased }] : [],
  );
  if (conflict !== undefined)
    return refusal(
      `${describeConflict(conflict)}. Nothing was written.`,
      conflict.file,
      previewAgain(stored),
    );
  const { file } = first.file;
  const name = visibleLine(file);
  const anew = await previewAnew(stored, files, context).catch(unlessRefused);
  if (anew === undefined)
    return refusal(
      `${name} has changed since, and the change would not be the one that was shown.`,
      file,
      previewAgain(stored),
    );
  const asksPerson = stored.record.approval === 'human';
  return refusal(
    `${name} has changed since, but not where the change is. The same change is previewed anew for the file as it is now.`,
    file,
    {
      ...anew,
      advice: [
        'Look at the new preview, and apply that',
        ...(asksPerson ? ['The new preview waits for the approval of a person again'] : []),
      ],
    },
  );
}

/** Answers how to go on. An undo is not offered again, because it would be refused again: without a conflict it would have been rebased. */
function previewAgain({ record, repeatedCall }: StoredPreview): object {
  const advice = ['Look at what changed since, then preview the change again'];
  return record.origin.kind === 'revert' ? { advice } : { advice, again: repeatedCall };
}

/** Ignores a refusal such as that of a schema which the new file would break; throws any other error. */
function unlessRefused(error: unknown): undefined {
  if (error instanceof Refusal && ERROR_CATEGORIES[error.code] === 'execution') return undefined;
  throw error;
}

/** Makes the new preview; undefined where it would show something else, or cannot be kept. */
async function previewAnew(stored: StoredPreview, files: readonly RebasedFile[], context: CallContext) {
  const moved = await movedEdits(stored, files, context);
  if (moved === undefined) return undefined;
  const { tool, origin, reason } = stored.record;
  // The present caller may be another one than the caller of the first preview.
  const proposers = proposersOf(stored.record);
  const { reviewed, request, notes } = moved;
  return previewInstead(reviewed, { tool, request, origin, reason, notes, proposers }, context);
}

/**
 * Answers the same change for the present files, as a preview that a reviewer can approve at once. Undefined where no file has
 * changed, where something conflicts, and where it would be another change.
 */
export async function rebasedDraft(
  stored: StoredPreview,
  context: Omit<RebaseContext, 'pause'>,
): Promise<PreviewDraft | undefined> {
  const { caller, origin, tool, reason, files, approval } = stored.record;
  if (origin.kind === 'part') return undefined;
  const pausing = { ...context, pause: () => Promise.resolve() };
  try {
    const now = files.map((file) => {
      const snapshot = snapshotFor(file.file, file.file_op, context);
      return { file, snapshot, rebased: rebase(file, snapshot, context) };
    });
    if (!now.some(({ file, snapshot }) => isChanged(file, snapshot))) return undefined;
    const moved = await movedEdits(stored, now, pausing);
    const verdict = moved && verdictOf(moved.reviewed);
    if (moved === undefined || verdict === undefined || verdict.level === 'deny') return undefined;
    return {
      ...{ caller, policy: context.sandbox.policyFingerprint, tool, request: moved.request, origin },
      ...(reason === undefined ? {} : { reason }),
      ...withProposers(proposersOf(stored.record)),
      // A person signs it, so it needs no less than the preview that it replaces.
      ...neededBy(verdict, approval, context.policy),
      files: moved.reviewed.map(({ file }) => file),
      warnings: [...moved.notes, ...warningsOf(moved.reviewed, context.policy.limits)],
    };
  } catch (error) {
    // A file can no longer be read, or the change can no longer be made.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

type RebaseContext = Pick<CallContext, 'policy' | 'sandbox' | 'state' | 'pause'>;

interface Moved {
  readonly reviewed: readonly ReviewedEdit[];
  /** The call that asks for it now. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
}

/** Moves and proves the edits; undefined where the result would show something else than the preview. */
async function movedEdits(
  { record }: StoredPreview,
  files: readonly RebasedFile[],
  context: RebaseContext,
): Promise<Moved | undefined> {
  const edits: VerifiedEdit[] = [];
  const removedFrom = await removedBefore(record, context);
  for (const { file, snapshot, rebased } of files) {
    if ('reason' in rebased) return undefined;
    await context.pause();
    const { edits: moved, check } = rebased.proof;
    edits.push(recordedEdit({ ...file, edits: moved }, snapshot, check, removedFrom(file.file)));
  }
  const reviewed = await reviewEdits(edits, context);
  if (!reviewed.every(({ file }, index) => isShownAlike(file, record.files[index]))) return undefined;
  const request = files.reduce(movedRequest, { ...Object(record.request) });
  return { reviewed, request, notes: files.flatMap(({ rebased }) => rebased.drift.notes ?? []) };
}

/** Puts the present numbers of documents into the call, which is sent again where the preview is too old. */
function movedRequest(
  request: Readonly<Record<string, unknown>>,
  { file: { file }, rebased: { drift } }: RebasedFile,
): Readonly<Record<string, unknown>> {
  const moved = (edit: unknown): Readonly<Record<string, unknown>> => {
    const fields: Readonly<Record<string, unknown>> = { ...Object(edit) };
    const doc = fields['file'] === file && typeof fields['doc'] === 'number' ? fields['doc'] : undefined;
    return doc === undefined ? fields : { ...fields, doc: drift.documents?.get(doc) ?? doc };
  };
  const { edits } = request;
  return Array.isArray(edits) ? { ...request, edits: edits.map(moved) } : moved(request);
}

/** True where removed comments and effects through aliases are the same; the data is proven already. */
function isShownAlike(now: PreviewFile, shown: PreviewFile | undefined): boolean {
  const beside = (file: PreviewFile): string => canonicalJson([file.removed_comments, file.also_affects]);
  return shown !== undefined && beside(now) === beside(shown);
}
