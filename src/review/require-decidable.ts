// Checks whether a reviewer can decide about a preview. A rejection is final: to overrule it, the change is previewed again.
import { approvalDeclined } from '../security/approval/approved.ts';
import { proposersOf, requireWhole, type StoredPreview } from '../security/approval/preview.ts';
import { countsForNone, isOneOf } from '../security/approval/quorum.ts';
import { mayApprove, type Reviewer } from '../security/approval/reviewers.ts';
import { Refusal } from '../security/errors/refusal.ts';
import type { Preview } from '../state/preview.ts';
import { judgeStored, policyDenied, underPresentRules } from '../tools/index.ts';
import type { ViewContext } from './file-view.ts';

/** Throws ARGUMENT_INVALID if the decision would not count, and APPROVAL_DECLINED for an approval after a rejection. */
export async function requireDecidable(
  { id, record: stored }: StoredPreview,
  { reviewer, isRejection }: { readonly reviewer: Reviewer; readonly isRejection: boolean },
  context: ViewContext,
): Promise<void> {
  if (stored.approval !== 'human')
    throw new Refusal('ARGUMENT_INVALID', 'Cannot decide this preview: it needs no reviewer.');
  if (isRejection) return;
  const record = await underPresentRules(stored, context);
  const status = await context.backend.decided({ id, needs: record.needs ?? [] });
  if (status.state === 'rejected') throw approvalDeclined(status, 'approve');
  const verdict = judgeStored(requireWhole(stored), context);
  if (verdict.level === 'deny') throw policyDenied(verdict);
  const reason = reasonNotToApprove(record, reviewer);
  if (reason !== undefined)
    throw new Refusal(
      'ARGUMENT_INVALID',
      `Cannot approve this: it would not count, because ${reason}. You can still reject it.`,
    );
}

/** Returns why the approval of this reviewer would not count; undefined if it would. */
export function reasonNotToApprove(record: Preview, reviewer: Reviewer): string | undefined {
  const { needs = [] } = record;
  const proposers = proposersOf(record);
  if (!mayApprove(reviewer, proposers) || (needs.length > 0 && isOneOf(reviewer.name, proposers)))
    return 'you proposed it';
  if (!countsForNone(needs, reviewer.name, proposers)) return undefined;
  const asked = new Set(needs.flatMap(({ approvers = [] }) => approvers));
  return `the rule asks for: ${[...asked].join(', ')}`;
}
