// config_apply writes exactly what a stored preview showed, or nothing. Everything is checked again: the preview itself, the files, the
// proof, the policy, the approval. A preview that waits for a reviewer is refused with that reason.
import { z } from 'zod';
import { repeatedCallOf, type StoredPreview } from '../security/approval/preview.ts';
import { Refusal } from '../security/errors/refusal.ts';
import { isStricter } from '../security/policy/levels.ts';
import type { Verdict } from '../security/policy/verdict.ts';
import { isWhole } from '../state/preview.ts';
import { toWrite } from './edit.ts';
import { appliedReply } from './edit-reply.ts';
import { loadPreview, policyDenied } from './own.ts';
import { notAsShown, planStored } from './plan-stored.ts';
import { AskFirst } from './question.ts';
import { verdictOf } from './review-edit.ts';
import { shownBefore, warningsOf } from './shown-edits.ts';
import { backendIn, type Reply, tool } from './tool.ts';

export const configApply = tool({
  name: 'config_apply',
  title: 'Apply a preview',
  description:
    'Writes exactly what a preview showed, once, if the files are unchanged; says whose approval is missing.',
  input: z.strictObject({ preview_id: z.string() }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run({ preview_id: id }, context): Promise<Reply> {
    const stored = await loadPreview(id, context);
    const planned = await planStored(stored, context);
    const verdict = requireNoStricter(verdictOf(planned.reviewed), stored);
    const { record } = stored;
    const { policy, confirmed, caller } = context;
    if (record.approval === 'client' && confirmed === undefined) {
      const files = planned.reviewed.map(({ file }) => file);
      throw new AskFirst(stored, { files, warnings: warningsOf(planned.reviewed, policy.limits) });
    }
    const { rules, approvalMessage: message } = policy.changes;
    // A server without rules requires what the preview required when it was made.
    const needs = rules.length === 0 ? (record.needs ?? []) : verdict.needs;
    // The client can cancel until here.
    await context.pause();
    const bases = isWhole(record) ? undefined : planned.reviewed.map(({ file }) => file.base);
    const who = { id: stored.id, confirmed, caller };
    const asked = { ...toWrite(planned, verdict, context), ...who, bases, needs, message };
    const { change, confirmedBy, reviewer } = await refusedFor(stored, () => backendIn(context).apply(asked));
    const by = { confirmed_by: confirmedBy, ...(reviewer === undefined ? {} : { reviewer }) };
    return appliedReply(shownBefore(record.files), { change_id: change, ...by }, record.warnings);
  },
});

/** Returns the verdict. Throws POLICY_DENIED, and PREVIEW_EXPIRED if the rules now require more than when the preview was made. */
function requireNoStricter(verdict: Verdict | undefined, { record }: StoredPreview): Verdict {
  if (verdict === undefined) throw notAsShown();
  if (verdict.level === 'deny') throw policyDenied(verdict);
  if (!isStricter(verdict.level, record.approval)) return verdict;
  throw new Refusal(
    'PREVIEW_EXPIRED',
    `Cannot apply this preview: by now it needs more (${verdict.level}) than when it was made (${record.approval})`,
    {},
    { again: repeatedCallOf(record) },
  );
}

/** Runs `work`; its refusals name the file and, if that has just changed, the call that previews the same again. */
async function refusedFor<Result>({ record }: StoredPreview, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const located = error.at({ file: record.files[0]?.file });
    throw error.code === 'FILE_CHANGED' ? located.hinting({ again: repeatedCallOf(record) }) : located;
  }
}
