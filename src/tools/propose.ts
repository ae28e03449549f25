// What becomes of proven edits: reviewed and shown, and either kept as a preview that can be applied, or, where the
// call asks for it and the operator lets it, written at once.
import type { ChangeDraft, Origin, PreviewFile, SavedPreview, VerifiedEdit } from '../security/index.ts';
import { applyChange } from './apply-change.ts';
import { appliedReply, type NotKept, previewReply, type Shown, shownOf, warningsOf } from './edit-reply.ts';
import { type ReviewedEdit, reviewEdits } from './review-edit.ts';
import type { CallContext, Reply } from './tool.ts';

/** The call that asks for an edit, without what guards it: for asking again. */
export interface Asked {
  readonly tool: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
}

export interface Proposal extends Asked {
  /** One a file. */
  readonly edits: readonly VerifiedEdit[];
  readonly dryRun: boolean;
}

/** Throws SCHEMA_VIOLATION, and whatever keeps it from being kept or written. */
export async function propose({ edits, dryRun, ...asked }: Proposal, context: CallContext): Promise<Reply> {
  const reviewed = await reviewEdits(edits, context);
  if (dryRun) return proposePreview(reviewed, asked, context);
  const shown = shownAll(reviewed, context);
  const writes = edits.filter((edit) => !edit.isNoop);
  if (writes.length === 0) return previewReply(shown, dryRun, 'no change', context.policy);
  // The last moment to hear that nobody waits for this any more: from here on it is carried through.
  await context.pause();
  const draft = { ...draftOf(reviewed, asked, context), confirmed_by: 'direct' } as const;
  const change_id = context.criticalSection(() => applyChange(writes, draft, undefined, context));
  return appliedReply(shown, { change_id, confirmed_by: 'direct' });
}

/** Keeps reviewed edits as a preview, and answers it. */
export async function proposePreview(
  reviewed: readonly ReviewedEdit[],
  asked: Asked,
  context: CallContext,
): Promise<Reply> {
  const shown = shownAll(reviewed, context);
  if (reviewed.every(({ isNoop }) => isNoop)) return previewReply(shown, true, 'no change', context.policy);
  // From here on it is carried through.
  await context.pause();
  return context.criticalSection(() => {
    const saved = keep(draftOf(reviewed, asked, context), shown, asked, context);
    return previewReply(shown, true, saved, context.policy);
  });
}

function shownAll(reviewed: readonly ReviewedEdit[], { policy: { limits } }: CallContext): Shown {
  const files = reviewed.map(({ file }) => file);
  return shownOf(files, warningsOf(reviewed, limits), limits);
}

type Draft = Omit<ChangeDraft, 'confirmed_by'>;

/**
 * What a preview and a change both record. A file that does not change is left out: it need not be the same when the
 * rest is applied.
 */
function draftOf(
  reviewed: readonly ReviewedEdit[],
  { origin }: Asked,
  { caller, sandbox }: CallContext,
): Draft {
  const files = reviewed.flatMap(({ file, isNoop }) => (isNoop ? [] : [file]));
  return { caller, policy: sandbox.policyFingerprint, origin, files };
}

function keep(
  draft: Draft,
  { files, warnings }: Shown,
  { tool, request }: Asked,
  context: CallContext,
): SavedPreview | NotKept {
  const { policy, state } = context;
  // Nobody should apply what nobody saw.
  if (files.some((file) => file.diff_truncated)) return 'cut';
  if (state === undefined) return 'read-only';
  const saved = state.previews.save({ ...draft, approval: policy.approval, tool, request, warnings });
  if (saved === undefined) return 'too large';
  try {
    record(saved.id, draft.files, context);
  } catch (error) {
    state.previews.discard(saved.id);
    throw error;
  }
  return saved;
}

function record(
  preview: string,
  files: readonly PreviewFile[],
  { log, caller, requestId }: CallContext,
): void {
  log.noteAll(
    files.map(({ file, base_sha256, result_sha256, changes }) => {
      const paths = changes.map(({ path }) => path);
      const hashes = { base_sha256, result_sha256 };
      const who = { caller, request_id: requestId };
      return { action: 'propose', outcome: 'kept', file, ...hashes, paths, preview, ...who };
    }),
  );
}
