// The portable record of an approval: the signed decisions of all reviewers whose approval a change needed, one envelope a
// line. It proves itself by the reviewers' public keys, without the server and its state. It does not prove that the change was
// applied, nor that no reviewer rejected it.
import { canonicalJson, type Decision, parseCanonical } from '../../state/index.ts';
import { verifiedStatement } from './decision.ts';
import { isMet, progressText, statusOfNeeds } from './quorum.ts';
import { mayApprove, type Reviewer } from './reviewers.ts';
import type { StatedChange, Statement } from './statement.ts';

export interface ApprovalRecord {
  readonly approvals: readonly Decision[];
  readonly change: StatedChange;
}

/** Verifies a record. Answers the approvals, or a text that says why the record is not genuine. */
export function verifiedRecord(text: string, reviewers: readonly Reviewer[]): ApprovalRecord | string {
  if (!text.endsWith('\n')) return 'its last line has no end';
  const statements = [];
  for (const [index, line] of text.slice(0, -1).split('\n').entries()) {
    const statement = verifiedStatement(parseCanonical(line), reviewers);
    if (statement === undefined) return `line ${index + 1} is not what a listed reviewer has signed`;
    statements.push(statement);
  }
  const [first] = statements;
  if (first === undefined) return 'it is empty';
  const { change, decision } = first;
  const approvals = statements.map((one) => one.decision);
  if (approvals.some((one) => one.decision !== 'approve')) return 'it holds a decision that is no approval';
  // A reviewer could state another change beside the id that the others have approved.
  const isSame = (one: Statement) =>
    one.decision.preview === decision.preview && sameChange(one.change) === sameChange(change);
  if (!statements.every(isSame)) return 'it is about several changes';
  const approvedBy = approvals.map(({ reviewer }) => reviewer);
  if (new Set(approvedBy).size !== approvedBy.length) return 'a reviewer is in it twice';
  const listed = reviewers
    .filter((reviewer) => mayApprove(reviewer, change.proposers))
    .map(({ name }) => name);
  if (!approvedBy.every((name) => listed.includes(name))) return 'a reviewer has approved their own change';
  const asked = statements.flatMap((one) => one.change.needs);
  const needs = [...new Map(asked.map((need) => [canonicalJson(need), need])).values()];
  const statuses = statusOfNeeds(needs, { approvedBy, listed, proposers: change.proposers });
  if (!statuses.every(isMet)) return `approvals are missing: ${progressText(statuses)}`;
  return { approvals, change };
}

/** Returns the change as text, without the rules, which may have been others when the next reviewer signed. */
function sameChange({ rules: _, needs: __, ...change }: StatedChange): string {
  return canonicalJson(change);
}
