// What reviewers have decided about a preview, by the events about it. An approval counts only with the signature of a listed
// reviewer, and only as long as the trail still holds the record that the reviewer saw at its end. A rejection counts whoever
// signed it.
import type { Decision, Event, PreviewStatus } from '../../state/event.ts';
import type { Preview } from '../../state/preview.ts';
import type { Store } from '../../state/store.ts';
import type { Log } from '../audit/log.ts';
import type { ApprovalNeed } from '../policy/change-policy.ts';
import { proposersOf, type StoredPreview } from './preview.ts';
import { coversNeeds, isMet, type NeedStatus, statusOfNeeds } from './quorum.ts';
import { mayApprove, type Reviewer } from './reviewers.ts';
import { isAbout, type Statement, statementIn } from './statement.ts';

export interface Rejection {
  readonly reviewer: string;
  readonly note?: string | undefined;
}

/** The state of a preview, as it follows from all decisions about it. `decisions` has the last genuine one of each listed reviewer. */
export type DecisionStatus = {
  readonly decisions: readonly Decision[];
} /** `needs` lists the rules that ask for several or for named reviewers, and says what each still lacks. */ & (
  | { readonly state: 'pending'; readonly needs?: readonly NeedStatus[] }
  /** `reviewer` names all whose approval counted, with commas between them. */
  | { readonly state: 'approved'; readonly reviewer: string }
  /** Reviewers approved parts only. Each part is a preview of its own, and `parts` holds their ids. */
  | { readonly state: 'part'; readonly parts: readonly string[] }
  | ({ readonly state: 'rejected' } & Rejection)
);

export interface DecisionContext {
  readonly store: Pick<Store, 'holds' | 'statusOf'>;
  /** The list is read anew each time, because an operator may have taken a reviewer off it. */
  readonly reviewers: () => readonly Reviewer[];
  readonly log: Log;
}

/**
 * Decides the state of a preview that needs this. One rejection is enough until the preview expires, whatever anybody decides later; a
 * rejection of a whole preview counts for its parts, too. An approval counts if no more is needed than its reviewer was shown.
 */
export async function decisionStatus(
  { record, status }: StoredPreview,
  needs: readonly ApprovalNeed[],
  context: DecisionContext,
): Promise<DecisionStatus> {
  const reviewers = context.reviewers();
  const { found, areAll } = await genuineOf(record, status, reviewers, context);
  const decisions = found.map(({ decision }) => decision);
  const { origin } = record;
  const rejection =
    rejectionIn(status, reviewers) ??
    (origin.kind === 'part' ? rejectionIn(await context.store.statusOf(origin.of), reviewers) : undefined);
  if (rejection !== undefined) return { state: 'rejected', ...rejection, decisions };
  const proposers = proposersOf(record);
  const listed = reviewers.filter((reviewer) => mayApprove(reviewer, proposers)).map(({ name }) => name);
  // Approvals are collected by their name, so that no unknown kind of decision can count as one.
  const approvals = found.filter(
    ({ decision: { decision, reviewer, trail }, change }) =>
      decision === 'approve' &&
      trail.seq >= status.splitAt &&
      listed.includes(reviewer) &&
      coversNeeds(change.needs, needs),
  );
  // A decision that is not genuine may have been a rejection, so that no approval can count beside it.
  const approvedBy = areAll ? approvals.map(({ decision }) => decision.reviewer) : [];
  const statuses = statusOfNeeds(needs, { approvedBy, listed, proposers });
  const counted =
    needs.length === 0
      ? approvedBy.slice(0, 1)
      : approvedBy.filter((name) => statuses.some((one) => one.approvedBy.includes(name)));
  if (approvedBy.length > 0 && statuses.every(isMet))
    return { state: 'approved', reviewer: counted.join(', '), decisions };
  const parts = [...new Set(status.parts)];
  if (parts.length > 0) return { state: 'part', parts, decisions };
  return { state: 'pending', ...(needs.length === 0 ? {} : { needs: statuses }), decisions };
}

/** Returns the last rejection that a listed reviewer has signed, or the first one without its note; undefined if there is none. */
export function rejectionIn(
  { decisions }: PreviewStatus,
  reviewers: readonly Reviewer[],
): Rejection | undefined {
  const rejected = decisions.filter(({ type }) => type === 'rejected');
  const [first] = rejected;
  if (first === undefined) return undefined;
  const signed = rejected.flatMap((one) => statementIn(one, reviewers) ?? []).at(-1)?.decision;
  return { reviewer: signed?.reviewer ?? first.reviewer ?? '', note: signed?.note };
}

/** Returns the genuine decisions in the order of the reviewers' list; `areAll` is false if a listed reviewer's last one is not genuine. */
async function genuineOf(
  preview: Preview,
  { decisions }: PreviewStatus,
  reviewers: readonly Reviewer[],
  { store, log }: DecisionContext,
): Promise<{ readonly found: readonly Statement[]; readonly areAll: boolean }> {
  const found: Statement[] = [];
  let areAll = true;
  const signed = decisions.filter((one) => one.signed !== undefined);
  for (const { name } of reviewers) {
    const own = signed.filter((recorded) => recorded.reviewer === name);
    const last = await lastOf(own, preview, reviewers, store);
    if (last !== undefined) found.push(last);
    else if (own.length > 0) areAll = false;
  }
  const isAnyUnknown = signed.some(({ reviewer }) => reviewers.every(({ name }) => name !== reviewer));
  if (!areAll || isAnyUnknown) log.event('warn', 'decision_not_genuine');
  return { found, areAll };
}

/**
 * Returns the last decision of one reviewer; undefined unless it was signed for what this preview makes of its files, and in this
 * trail. A decision that was signed earlier than the one before it is a replayed copy, and does not count.
 */
async function lastOf(
  recorded: readonly Event[],
  preview: Preview,
  reviewers: readonly Reviewer[],
  store: DecisionContext['store'],
): Promise<Statement | undefined> {
  let last: Statement | undefined;
  let latest = -1;
  for (const one of recorded) {
    last = statementIn(one, reviewers);
    if (last === undefined) continue;
    const { trail } = last.decision;
    const isGenuine = isAbout(last.change, preview) && (await store.holds(trail));
    if (!isGenuine || trail.seq < latest) last = undefined;
    else latest = trail.seq;
  }
  return last;
}
