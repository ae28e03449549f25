// Whether a commit has the approval that the policy asks for. The last question before the disk, whatever was
// asked before: a write that forgot to ask ends here.

import { ClaimedPreview } from '../approval/claimed-preview.ts';
import type { VerifiedEdit } from '../edits/verified-edit.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Approval, ConfirmedBy } from '../policy/approval-level.ts';
import type { Policy } from '../policy/policy.ts';

/** Which confirmations are enough at each level. */
const ACCEPTED_BY_LEVEL: Readonly<Record<Approval, readonly ConfirmedBy[]>> = {
  direct: ['direct', 'preview', 'client', 'human', 'terminal'],
  preview: ['preview', 'client', 'human', 'terminal'],
  client: ['client', 'human', 'terminal'],
  human: ['human'],
};

/** Throws PREVIEW_REQUIRED where there is no claimed preview; a TypeError for one that is not about these edits. */
export function requireApproved(
  { approval }: Policy,
  edits: readonly VerifiedEdit[],
  claim: ClaimedPreview | undefined,
): void {
  if (claim === undefined) {
    if (approval !== 'direct') throw previewRequired();
    return;
  }
  if (!ClaimedPreview.isGenuine(claim))
    throw new TypeError('only a ClaimedPreview that was claimed allows a write');
  if (!claim.covers(edits)) throw new TypeError('the claimed preview is about other edits');
  if (!ACCEPTED_BY_LEVEL[approval].includes(claim.approved.confirmedBy))
    throw new TypeError('the claimed preview was not approved as the policy asks');
}

export function previewRequired(): Refusal {
  return new Refusal(
    'PREVIEW_REQUIRED',
    'Cannot write: this server writes only what was previewed. Send the same call with dry_run true.',
  );
}
