// Reads what reviewers decided about previews from the audit trail. An approval counts only with the signature of a listed
// reviewer, and only as long as the trail still holds the record that the reviewer saw at its end. A rejection counts whoever
// signed it.
import type { Decision, Event, PreviewStatus } from '../../state/event.ts';
import type { Preview } from '../../state/preview.ts';
import type { Store } from '../../state/store.ts';
import type { Log } from '../audit/log.ts';
import { statementIn } from './decision.ts';
import { proposersOf } from './preview.ts';
import { coversNeeds, isMet, type NeedStatus, statusOfNeeds } from './quorum.ts';
import { mayApprove, type Reviewer } from './reviewers.ts';
import { isAbout, type Statement } from './statement.ts';

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

export interface DecisionContext {
  readonly store: Store;
  /** The list is read anew each time, because an operator may have taken a reviewer off it. */
  readonly reviewers: () => readonly Reviewer[];
  readonly log: Log;
}

export class Decisions {
  readonly #context: DecisionContext;

  constructor(context: DecisionContext) {
    this.#context = context;
  }

  /** True if at least one reviewer is listed. */
  get hasReviewers(): boolean {
    return this.#context.reviewers().length > 0;
  }

  /** Reads the status of a preview from the store. */
  known(previewId: string): Promise<PreviewStatus> {
    return this.#context.store.statusOf(previewId);
  }

  /** Returns the last genuine decision of each listed reviewer. */
  async genuineOf(previewId: string, preview: Preview): Promise<readonly Decision[]> {
    const status = await this.#context.store.statusOf(previewId);
    return (await this.#genuine(preview, status)).found.map(({ decision }) => decision);
  }

  /**
   * Decides the state of a preview. One rejection is enough until the preview expires, whatever anybody decides later; a
   * rejection of a whole preview counts for its parts, too. An approval counts if no more is needed than its reviewer was shown.
   * `known` is the status in the store, where the caller has read it already.
   */
  async status(previewId: string, preview: Preview, known?: PreviewStatus): Promise<DecisionStatus> {
    const { origin, needs = [] } = preview;
    const status = known ?? (await this.#context.store.statusOf(previewId));
    const { found, areAll } = await this.#genuine(preview, status);
    const rejection =
      this.#rejectionIn(status) ??
      (origin.kind === 'part' ? this.#rejectionIn(await this.#context.store.statusOf(origin.of)) : undefined);
    if (rejection !== undefined) return rejection;
    // Approvals are collected by their name, so that no unknown kind of decision can count as one.
    const proposers = proposersOf(preview);
    const able = this.#context.reviewers().filter((reviewer) => mayApprove(reviewer, proposers));
    const listed = able.map(({ name }) => name);
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
    const [first] = approvedBy;
    const isApproved = first !== undefined && statuses.every(isMet);
    if (!isApproved && status.parts.length > 0) return { state: 'part', parts: [...new Set(status.parts)] };
    if (!isApproved) return needs.length === 0 ? { state: 'pending' } : { state: 'pending', needs: statuses };
    if (needs.length === 0) return { state: 'approved', reviewer: first };
    const counted = approvedBy.filter((name) => statuses.some((one) => one.approvedBy.includes(name)));
    return { state: 'approved', reviewer: counted.join(', ') };
  }

  /** Returns the last rejection that a listed reviewer has signed, or the first one without its note. */
  #rejectionIn({ decisions }: PreviewStatus): Rejection | undefined {
    const rejected = decisions.filter(({ type }) => type === 'rejected');
    const [first] = rejected;
    if (first === undefined) return undefined;
    const signed = rejected.flatMap((one) => statementIn(one, this.#context.reviewers()) ?? []).at(-1);
    return {
      state: 'rejected',
      reviewer: signed?.decision.reviewer ?? first.reviewer ?? '',
      note: signed?.decision.note,
    };
  }

  /** Returns the genuine decisions in the order of the reviewers' list; `areAll` is false if a listed reviewer's last one is not genuine. */
  async #genuine(
    preview: Preview,
    { decisions }: PreviewStatus,
  ): Promise<{ readonly found: readonly Statement[]; readonly areAll: boolean }> {
    const reviewers = this.#context.reviewers();
    const found: Statement[] = [];
    let areAll = true;
    const signed = decisions.filter((one) => one.signed !== undefined);
    for (const { name } of reviewers) {
      const own = signed.filter((recorded) => recorded.reviewer === name);
      const last = await this.#lastOf(preview, own, reviewers);
      if (last !== undefined) found.push(last);
      else if (own.length > 0) areAll = false;
    }
    const isAnyUnknown = signed.some(({ reviewer }) => reviewers.every(({ name }) => name !== reviewer));
    if (!areAll || isAnyUnknown) this.#context.log.event('warn', 'decision_not_genuine');
    return { found, areAll };
  }

  /**
   * Returns the last decision of one reviewer; undefined unless it was signed for what this preview makes of its files, and in this
   * trail. A decision that was signed earlier than the one before it is a replayed copy, and does not count.
   */
  async #lastOf(
    preview: Preview,
    recorded: readonly Event[],
    reviewers: readonly Reviewer[],
  ): Promise<Statement | undefined> {
    let last: Statement | undefined;
    let latest = -1;
    for (const one of recorded) {
      last = statementIn(one, reviewers);
      if (last === undefined) continue;
      const { trail } = last.decision;
      const isGenuine = isAbout(last.change, preview) && (await this.#context.store.holds(trail));
      if (!isGenuine || trail.seq < latest) last = undefined;
      else latest = trail.seq;
    }
    return last;
  }
}
