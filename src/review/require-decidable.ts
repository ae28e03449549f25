// Whether a reviewer can decide about a preview. A rejection is final: whoever thinks otherwise has the change previewed again.
import {
  approvalDeclined,
  countsForNone,
  type Decisions,
  mayApprove,
  proposersOf,
  Refusal,
  type Reviewer,
  type StoredPreview,
} from '../security/index.ts';

/** Throws ARGUMENT_INVALID, and APPROVAL_DECLINED for what somebody has rejected. */
export async function requireDecidable(
  { id, record }: StoredPreview,
  { reviewer, isRejection }: { readonly reviewer: Reviewer; readonly isRejection: boolean },
  decisions: Decisions,
): Promise<void> {
  if (record.approval !== 'human')
    throw new Refusal('ARGUMENT_INVALID', 'Cannot decide this preview: it needs no reviewer.');
  if (isRejection) return;
  const standing = await decisions.status(id, record);
  if (standing.state === 'rejected') throw approvalDeclined(standing, 'approve');
  const { needs = [] } = record;
  const { name } = reviewer;
  const proposers = proposersOf(record);
  if (!mayApprove(reviewer, proposers) || countsForNone(needs, name, proposers))
    throw new Refusal(
      'ARGUMENT_INVALID',
      `Cannot approve this: it would not count, because ${name} has proposed the change, or is not among those whom the rule asks for. You can still reject it.`,
    );
}
