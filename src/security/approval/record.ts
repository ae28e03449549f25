// The portable record of an approval: the signed decisions of all reviewers whose approval a change needed, one envelope a
// line. It proves itself by the reviewers' public keys, without the server and its state. It does not prove that the change was
// applied, nor that no reviewer rejected it.
import { canonicalJson, parseCanonical } from '../../state/canonical.ts';
import type { Decision } from '../../state/event.ts';
import { proposersOf } from './preview.ts';
import { isMet, progressText, statusOfNeeds } from './quorum.ts';
import { mayApprove, type Reviewer } from './reviewers.ts';
import { type StatedChange, verifiedStatement } from './statement.ts';

export interface ApprovalRecord {
  readonly approvals: readonly Decision[];
  readonly change: StatedChange;
}

/** Verifies a record. Returns the approvals, or a text that says why the record is not genuine. */
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
  const { change } = first;
  const approvals = statements.map(({ decision }) => decision);
  if (approvals.some(({ decision }) => decision !== 'approve'))
    return 'it holds a decision that is no approval';
  // One reviewer could sign other files, rules or needs beside the id that the others have approved.
  if (countOf(statements.map((one) => [one.decision.preview, one.change])) !== 1)
    return 'its lines differ in what was approved: the preview, its files, the rules, or who has to approve';
  const trails = approvals.map(({ trail }) => trail);
  if (countOf(trails) !== countOf(trails.map(({ seq }) => seq)))
    return 'its lines are from different audit trails';
  const approvedBy = approvals.map(({ reviewer }) => reviewer);
  if (new Set(approvedBy).size !== approvedBy.length) return 'a reviewer is in it twice';
  const proposers = proposersOf(change);
  const listed = reviewers.filter((reviewer) => mayApprove(reviewer, proposers)).map(({ name }) => name);
  if (!approvedBy.every((name) => listed.includes(name))) return 'a reviewer has approved their own change';
  const statuses = statusOfNeeds(change.needs, { approvedBy, listed, proposers });
  if (!statuses.every(isMet)) return `approvals are missing: ${progressText(statuses)}`;
  return { approvals, change };
}

/** Returns the number of different values. */
function countOf(values: readonly unknown[]): number {
  return new Set(values.map(canonicalJson)).size;
}
