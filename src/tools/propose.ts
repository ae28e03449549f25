// What becomes of proven edits: shown, and either kept as a preview that can be applied, or, where the call asks
// for it and the operator lets it, written at once.
import type { ChangeDraft, Origin, PlanDraft, PlanFile, SavedPlan, VerifiedEdit } from '../security/index.ts';
import { applyChange } from './apply-change.ts';
import { appliedReply, previewReply, type Shown, showEdit, shownOf } from './edit-reply.ts';
import { requireSchemas } from './require-schemas.ts';
import type { CallContext, Reply } from './tool.ts';

export interface Proposal {
  /** One a file. */
  readonly edits: readonly VerifiedEdit[];
  readonly dryRun: boolean;
  readonly tool: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
}

/** Throws SCHEMA_VIOLATION, and whatever keeps it from being kept or written. */
export async function propose(proposal: Proposal, context: CallContext): Promise<Reply> {
  const { edits, dryRun } = proposal;
  const described: { readonly file: PlanFile; readonly warnings: readonly string[] }[] = [];
  for (const edit of edits) {
    await context.pause();
    const notes = requireSchemas(
      { path: edit.snapshot.path, base: edit.snapshot.text, after: edit.after },
      context,
    );
    await context.pause();
    described.push(await showEdit(edit, notes, context));
  }
  const shown = shownOf(described, context.policy.limits);
  const isNoop = edits.every((edit) => edit.isNoop);
  // What does not change need not be kept, nor be the same when the rest is applied.
  const changing = described.flatMap(({ file }, index) => (edits[index]?.isNoop === true ? [] : [file]));
  if (isNoop) return previewReply(shown, { dryRun, unkept: 'no change' }, context.policy);
  // The last moment to hear that nobody waits for this any more: from here on it is carried through.
  await context.pause();
  if (dryRun) return context.criticalSection(() => kept(proposal, changing, shown, context));
  const writes = edits.filter((edit) => !edit.isNoop);
  const changeId = context.criticalSection(() =>
    applyChange(
      writes,
      { ...about(proposal, changing, context), confirmed_by: 'direct' },
      undefined,
      context,
    ),
  );
  return appliedReply(shown, { change_id: changeId, confirmed_by: 'direct' });
}

function kept(proposal: Proposal, files: readonly PlanFile[], shown: Shown, context: CallContext): Reply {
  const { policy, state } = context;
  const reply = (saved: SavedPlan | 'cut' | 'read-only' | 'too large'): Reply =>
    previewReply(
      shown,
      typeof saved === 'string' ? { dryRun: true, unkept: saved } : { dryRun: true, saved },
      policy,
    );
  // Nobody should apply what nobody saw.
  if (shown.files.some((file) => file.diff_truncated)) return reply('cut');
  if (state === undefined) return reply('read-only');
  const { tool, request } = proposal;
  const warnings = shown.warnings;
  const draft: PlanDraft = {
    ...about(proposal, files, context),
    approval: policy.approval,
    tool,
    request,
    warnings,
  };
  const saved = state.plans.save(draft);
  if (saved === undefined) return reply('too large');
  try {
    record(saved.id, files, context);
  } catch (error) {
    state.plans.discard(saved.id);
    throw error;
  }
  return reply(saved);
}

/** What a preview and a change both say of where they come from. */
function about(
  { origin }: Proposal,
  files: readonly PlanFile[],
  context: CallContext,
): Omit<ChangeDraft, 'confirmed_by'> {
  return { caller: context.caller, policy: context.sandbox.policyFingerprint, origin, files };
}

function record(plan: string, files: readonly PlanFile[], { log, caller, requestId }: CallContext): void {
  log.noteAll(
    files.map(({ file, base_sha256, result_sha256, changes }) => {
      const paths = changes.map(({ path }) => path);
      const hashes = { base_sha256, result_sha256 };
      const who = { caller, request_id: requestId };
      return { action: 'propose', outcome: 'kept', file, ...hashes, paths, plan, ...who };
    }),
  );
}
