// Decides whether a preview may be applied, and who confirmed it. A write at any level but `direct` needs that. No argument of a
// request and no variable of the environment can confirm.

import { userInfo } from 'node:os';
import { shortId } from '../../state/canonical.ts';
import { ignoring, Refusal } from '../errors/refusal.ts';
import type { ApprovalNeed } from '../policy/change-policy.ts';
import type { ConfirmedBy } from '../policy/levels.ts';
import { visibleLine } from '../text/visible.ts';
import { type DecisionContext, decisionStatus, type Rejection } from './decisions.ts';
import type { StoredPreview } from './preview.ts';
import { type NeedStatus, progressText } from './quorum.ts';

/** A preview that may be written, and who confirmed it. */
export interface Approved {
  readonly preview: StoredPreview;
  readonly confirmedBy: ConfirmedBy;
  readonly reviewer?: string | undefined;
  /** What the rules ask of reviewers, and these have approved. */
  readonly needs: readonly ApprovalNeed[];
  /** The number of the last decision that was looked at: the write is refused if there is a later one. */
  readonly decidedAt: number;
}

/**
 * The person whose yes came with a call: the one at the client, whom the server has asked, or the one at the terminal; `declined` is
 * a no at the client. No argument of a request can set it.
 */
export type Confirmation = 'client' | 'terminal' | 'declined';

/** What a call brings to be approved. */
export interface AskedApproval {
  readonly confirmed: Confirmation | undefined;
  /** What the rules of today ask of reviewers. */
  readonly needs: readonly ApprovalNeed[];
  /** What the operator tells agents that wait for a reviewer. */
  readonly message?: string | undefined;
}

/** Approves a preview as its level asks. Throws the APPROVAL_* that says what is missing, and a plain Error if the client was not asked. */
export async function approve(
  preview: StoredPreview,
  { confirmed, needs, message }: AskedApproval,
  context: DecisionContext,
): Promise<Approved> {
  const { approval } = preview.record;
  const by = { preview, needs: [], decidedAt: preview.status.decidedAt };
  // Only a signature counts here; even the person at this terminal cannot do without one.
  if (approval === 'human') return approvedByReviewer(preview, needs, context, message);
  if (confirmed === 'terminal') return { ...by, confirmedBy: 'terminal', reviewer: accountName() };
  if (approval === 'client' && confirmed !== 'client') throw new Error('the client was not asked');
  return { ...by, confirmedBy: approval };
}

/**
 * Approves by the signatures of reviewers over this very preview, if they meet `needs`. Throws APPROVAL_REQUIRED where nobody has
 * decided or only a part was approved, and APPROVAL_DECLINED with the reviewer's note. `message` is what the operator tells agents.
 */
export async function approvedByReviewer(
  preview: StoredPreview,
  needs: readonly ApprovalNeed[],
  context: DecisionContext,
  message?: string,
): Promise<Approved> {
  const present = await context.store.statusOf(preview.id);
  const status = await decisionStatus({ ...preview, status: present }, needs, context);
  switch (status.state) {
    case 'rejected':
      throw approvalDeclined(status);
    case 'part':
      throw approvedInPart(status.parts);
    case 'pending':
      throw context.reviewers().length > 0 ? approvalPending(preview, status.needs, message) : noReviewers();
    case 'approved':
      return {
        preview,
        confirmedBy: 'human',
        reviewer: status.reviewer,
        needs,
        decidedAt: present.decidedAt,
      };
  }
}

/** Returns the name of the operating system's user, or its number if it has no name. */
function accountName(): string {
  return ignoring('all', () => userInfo().username) ?? `uid ${process.getuid?.()}`;
}

function approvalPending(
  { id, record }: StoredPreview,
  needs: readonly NeedStatus[] = [],
  message?: string,
): Refusal {
  const pending = needs.length === 0 ? 'it is pending' : `it is pending, with ${progressText(needs)}`;
  const name = shortId('pv', id);
  const who = needs.length === 0 ? 'A person' : 'Each of them';
  const next =
    message === undefined
      ? `${who} has to run "config-airlock approve ${name}" in a terminal, with the options that this server was started with (the same --config, or --root, --state-dir and --reviewers).`
      : visibleLine(message.replaceAll('{id}', name));
  return new Refusal(
    'APPROVAL_REQUIRED',
    `Cannot apply this preview yet: ${pending}. ${next}`,
    {},
    {
      advice: [
        message === undefined
          ? 'Tell the person what the change is for, and that "config-airlock review", with the same options, shows all that waits'
          : 'Tell the person what the change is for',
        'Ask again with the same call once they have decided',
        ...record.rules.map(({ rule, file, path, say }) =>
          visibleLine(
            `It needs a person because of the rule ${rule}: ${file} ${path}${say === undefined ? '' : `. ${say}`}`,
          ),
        ),
      ],
    },
  );
}

function noReviewers(): Refusal {
  return new Refusal(
    'APPROVAL_REQUIRED',
    'Cannot apply this preview yet: it is pending, and this server knows no reviewer who could sign it. Its operator names them with --reviewers.',
    {},
    { advice: ['Tell the operator to look at the reviewers file that the server was started with'] },
  );
}

function approvedInPart(parts: readonly string[]): Refusal {
  const [first = '', ...others] = parts.map((part) => shortId('pv', part));
  const advice =
    others.length === 0
      ? 'Apply that preview instead'
      : 'Ask the person which of those previews to apply: each is approved by itself';
  return new Refusal(
    'APPROVAL_REQUIRED',
    `Cannot apply this preview: it was approved in part, as preview ${[first, ...others].join(', or ')}.`,
    {},
    { previewId: first, advice: [advice] },
  );
}

/** Makes the refusal APPROVAL_DECLINED. `action` completes "Cannot … this preview". */
export function approvalDeclined({ reviewer, note }: Rejection, action = 'apply'): Refusal {
  const isSilent = note === undefined || note === '';
  const reason = isSilent ? '' : `: ${visibleLine(note)}`;
  const change = isSilent ? 'Ask the reviewer what should be different' : 'Change what the note asks for';
  return new Refusal(
    'APPROVAL_DECLINED',
    `Cannot ${action} this preview: ${visibleLine(reviewer)} has rejected it${reason}`,
    {},
    { advice: [`${change}, and preview that`, 'Do not repeat the same change'] },
  );
}

/** Makes the refusal for an answer of the person at the client that is no yes. */
export function approvalDeclinedAtClient(reason: string): Refusal {
  const advice = [
    'Ask the person what should be different, and preview that',
    'Send the same call again only if they change their mind: the preview is kept until it expires',
  ];
  return new Refusal('APPROVAL_DECLINED', `Cannot apply this preview: ${reason}`, {}, { advice });
}
