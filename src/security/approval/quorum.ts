// Counts how many reviewers still have to approve, where a rule asks for several or names them. Each rule is counted separately.
// A reviewer counts once, and a proposer of the change never. These are pure functions; decisions.ts checks the signatures.
import type { ApprovalNeed } from '../policy/change-policy.ts';

/** The approvals that one rule has, and who could still give one. */
export interface NeedStatus {
  readonly need: ApprovalNeed;
  /** Names of the reviewers whose approval counts for this rule. */
  readonly approvedBy: readonly string[];
  /** Names of the reviewers who could still approve it. */
  readonly others: readonly string[];
}

export interface Voters {
  /** Names of those who have approved, in the order of the reviewers' list. */
  readonly approvedBy: readonly string[];
  /** The names of all reviewers who are on the list at this moment. */
  readonly listed: readonly string[];
  /** Names of those who asked for the change; their approval does not count. */
  readonly proposers: readonly string[];
}

/** Returns the progress of each need, in the same order. */
export function statusOfNeeds(
  needs: readonly ApprovalNeed[],
  { approvedBy, listed, proposers }: Voters,
): readonly NeedStatus[] {
  return needs.map((need) => {
    const mayApprove = (name: string) => !isOneOf(name, proposers) && isNamed(name, need);
    return {
      need,
      approvedBy: approvedBy.filter(mayApprove),
      others: listed.filter((name) => mayApprove(name) && !approvedBy.includes(name)),
    };
  });
}

export function isMet({ need, approvedBy }: NeedStatus): boolean {
  return approvedBy.length >= need.count;
}

/** True if rules ask for approvals, and one by this reviewer would count for none of them. */
export function countsForNone(
  needs: readonly ApprovalNeed[],
  reviewer: string,
  proposers: readonly string[],
): boolean {
  if (needs.length === 0) return false;
  return isOneOf(reviewer, proposers) || !needs.some((need) => isNamed(reviewer, need));
}

/** True if the needs that a reviewer was shown ask for all that is needed now: as many approvals, from no other people. */
export function coversNeeds(shown: readonly ApprovalNeed[], now: readonly ApprovalNeed[]): boolean {
  return now.every(({ count, approvers }) =>
    shown.some(
      (need) =>
        need.count >= count &&
        (approvers === undefined || need.approvers?.every((name) => approvers.includes(name)) === true),
    ),
  );
}

/** Compares without case: names are plain ASCII, and no two of a list differ in case alone. */
export function isSameName(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}

/** True if the name is one of the others, whatever their case. */
export function isOneOf(name: string, others: readonly string[]): boolean {
  return others.some((other) => isSameName(name, other));
}

function isNamed(name: string, { approvers }: ApprovalNeed): boolean {
  return approvers === undefined || approvers.includes(name);
}

/** Writes the progress of each rule, such as `1 of 2 approvals (alice); needs one more of: bob, carol`. */
export function progressText(statuses: readonly NeedStatus[]): string {
  const isOne = statuses.length === 1;
  return statuses
    .map((status) => (isOne ? textOf(status) : `rule ${status.need.rule}: ${textOf(status)}`))
    .join('; ');
}

function textOf(status: NeedStatus): string {
  const { need, approvedBy, others } = status;
  const names = approvedBy.length === 0 ? '' : ` (${approvedBy.join(', ')})`;
  const has = `${approvedBy.length} of ${need.count} ${need.count === 1 ? 'approval' : 'approvals'}${names}`;
  if (isMet(status)) return has;
  const missing = need.count - approvedBy.length;
  if (others.length < missing)
    return `${has}; there are not enough other reviewers whom the rule allows: the operator has to name more`;
  return `${has}; needs ${missing === 1 ? 'one' : missing} ${approvedBy.length === 0 ? '' : 'more '}of: ${others.join(', ')}`;
}
