// Reads what reviewers decided about previews from the audit trail. An approval counts only with the signature of a listed
// reviewer, and only as long as the trail still holds the record that the reviewer saw at its end. A rejection counts whoever
// signed it.
import {
  type Decision,
  type Event,
  isClosed,
  type Preview,
  type PreviewStatus,
  type Store,
} from '../../state/index.ts';
import type { Log } from '../audit/log.ts';
import { verifiedStatement } from './decision.ts';
import { proposersOf } from './preview.ts';
import { coversNeeds, isMet, type NeedStatus, statusOfNeeds } from './quorum.ts';
import { mayApprove, type Reviewer } from './reviewers.ts';
import type { Statement } from './statement.ts';

/** The state of a preview, as it follows from all decisions about it. */
export type DecisionStatus =
  /** `needs` lists the rules that ask for several or for named reviewers, and says what each still lacks. */
  | { readonly state: 'pending'; readonly needs?: readonly NeedStatus[] }
  /** `reviewer` names all whose approval counted, with commas between them. */
  | { readonly state: 'approved'; readonly reviewer: string }
  /** Reviewers approved parts only. Each part is a preview of its own, and `parts` holds their ids. */
  | { readonly state: 'part'; readonly parts: readonly string[] }
  | { readonly state: 'rejected'; readonly reviewer: string; readonly note?: string | undefined };

type Rejection = Extract<DecisionStatus, { state: 'rejected' }>;

/** The fields of a preview that decide whose decisions count. */
export type Decidable = Pick<Preview, 'origin' | 'caller' | 'proposers' | 'needs'>;

export interface DecisionContext {
  readonly store: Store;
  /** The list is read anew each time, because an operator may have taken a reviewer off it. */
  readonly reviewers: () => readonly Reviewer[];
  readonly log: Log;
}

/** The event that a decision is recorded as. */
export const RECORDED_AS = { approve: 'approved', reject: 'rejected' } as const;

export class Decisions {
  readonly #context: DecisionContext;

  constructor(context: DecisionContext) {
    this.#context = context;
  }

  /** True where at least one reviewer is listed. */
  get hasReviewers(): boolean {
    return this.#context.reviewers().length > 0;
  }

  /** Reads the status of a preview from the store. */
  known(previewId: string): Promise<PreviewStatus> {
    return this.#context.store.statusOf(previewId);
  }

  /** Answers the last genuine decision of each listed reviewer. */
  async genuineOf(previewId: string): Promise<readonly Decision[]> {
    const status = await this.#context.store.statusOf(previewId);
    return (await this.#genuine(previewId, status)).found.map(({ decision }) => decision);
  }

  /**
   * Decides the state of a preview. One rejection is enough until the preview expires, whatever anybody decides later; a
   * rejection of a whole preview counts for its parts, too. An approval counts if no more is needed than its reviewer was shown.
   * `known` is the status in the store, where the caller has read it already.
   */
  async status(
    previewId: string,
    { origin, needs = [], ...asked }: Decidable,
    known?: PreviewStatus,
  ): Promise<DecisionStatus> {
    const status = known ?? (await this.#context.store.statusOf(previewId));
    const { found, areAll } = await this.#genuine(previewId, status);
    const rejection =
      rejectionIn(found, status) ?? (origin.kind === 'part' ? await this.#rejectionOf(origin.of) : undefined);
    if (rejection !== undefined) return rejection;
    // Approvals are collected by their name, so that no unknown kind of decision can count as one.
    const proposers = proposersOf(asked);
    const able = this.#context.reviewers().filter((reviewer) => mayApprove(reviewer, proposers));
    const listed = able.map(({ name }) => name);
    const approvals = found.filter(
      ({ decision: { decision, reviewer }, change }) =>
        decision === 'approve' && listed.includes(reviewer) && coversNeeds(change.needs, needs),
    );
    // A decision that is not genuine may have been a rejection, so that no approval can count beside it.
    const approvedBy = areAll ? approvals.map(({ decision }) => decision.reviewer) : [];
    const statuses = statusOfNeeds(needs, { approvedBy, listed, proposers });
    const [first] = approvedBy;
    const isApproved = first !== undefined && statuses.every(isMet);
    if (!isApproved && status.parts.length > 0) return { state: 'part', parts: [...new Set(status.parts)] };
    if (!isApproved) return needs.length === 0 ? { state: 'pending' } : { state: 'pending', needs: statuses };
    if (needs.length === 0) return { state: 'approved', reviewer: first };
    const counted = approvedBy.filter((name) => statuses.some((one) => one.approvedBy.includes(name)));
    return { state: 'approved', reviewer: counted.join(', ') };
  }

  async #rejectionOf(previewId: string): Promise<Rejection | undefined> {
    const status = await this.#context.store.statusOf(previewId);
    return rejectionIn((await this.#genuine(previewId, status)).found, status);
  }

  /** True where a part was neither rejected by itself nor applied, and is not being applied. */
  async isOpenPart(partId: string): Promise<boolean> {
    const status = await this.#context.store.statusOf(partId);
    return status.write === undefined && !isClosed(status);
  }

  /** Answers the genuine decisions in the order of the reviewers' list; `areAll` is false where a listed reviewer's last one is not genuine. */
  async #genuine(
    previewId: string,
    { decisions }: PreviewStatus,
  ): Promise<{ readonly found: readonly Statement[]; readonly areAll: boolean }> {
    const reviewers = this.#context.reviewers();
    const found: Statement[] = [];
    let areAll = true;
    const signed = decisions.filter((one) => one.signed !== undefined);
    for (const { name } of reviewers) {
      const own = signed.filter((recorded) => recorded.reviewer === name);
      const last = await this.#lastOf(previewId, own, reviewers);
      if (last !== undefined) found.push(last);
      else if (own.length > 0) areAll = false;
    }
    const isAnyUnknown = signed.some(({ reviewer }) => reviewers.every(({ name }) => name !== reviewer));
    if (!areAll || isAnyUnknown) this.#context.log.event('warn', 'decision_not_genuine');
    return { found, areAll };
  }

  /**
   * Answers the last decision of one reviewer, or undefined unless it is genuine. A decision that was signed earlier than the
   * one before it is a replayed copy, and does not count.
   */
  async #lastOf(
    previewId: string,
    recorded: readonly Event[],
    reviewers: readonly Reviewer[],
  ): Promise<Statement | undefined> {
    let last: Statement | undefined;
    let latest = -1;
    for (const one of recorded) {
      last = await this.#genuineIn(previewId, one, reviewers);
      if (last === undefined) continue;
      const { seq } = last.decision.trail;
      if (seq < latest) last = undefined;
      else latest = seq;
    }
    return last;
  }

  /** Answers the decision, or undefined unless it was signed for this preview, for what the record says, and in this trail. */
  async #genuineIn(
    previewId: string,
    { type, reviewer, signed }: Event,
    reviewers: readonly Reviewer[],
  ): Promise<Statement | undefined> {
    const statement = verifiedStatement(signed, reviewers);
    const decision = statement?.decision;
    if (decision?.preview !== previewId || decision.reviewer !== reviewer) return undefined;
    if (RECORDED_AS[decision.decision] !== type) return undefined;
    return (await this.#context.store.holds(decision.trail)) ? statement : undefined;
  }
}

function rejectionIn(found: readonly Statement[], { decisions }: PreviewStatus): Rejection | undefined {
  const genuine = found.find(({ decision }) => decision.decision === 'reject')?.decision;
  if (genuine !== undefined) return { state: 'rejected', reviewer: genuine.reviewer, note: genuine.note };
  const recorded = decisions.find(({ type }) => type === 'rejected');
  return recorded && { state: 'rejected', reviewer: recorded.reviewer ?? '' };
}
