// The decisions that reviewers left about previews. Only what a listed reviewer signed counts, and only as long as
// the audit trail has it as that reviewer's latest decision; anything else in the folder is as good as not there, and
// is reported to the log. A "no" that the trail has counts without the folder.
import type { AuditIndex, LatestDecision } from '../audit/audit-index.ts';
import type { Log } from '../audit/log.ts';
import { stateRefusal } from '../audit/state-refusal.ts';
import type { StateFolder } from '../records/state-folder.ts';
import { isContentId } from '../text/canonical-json.ts';
import { type Decision, decisionText, type SignedDecision, verifiedDecision } from './decision.ts';
import type { Origin } from './preview.ts';
import type { Reviewer } from './reviewers.ts';

const MOST_BYTES = 10_000;

/** What all decisions about a preview come to. */
export type DecisionStatus =
  | { readonly state: 'pending' }
  | { readonly state: 'approved'; readonly reviewer: string }
  /** What each reviewer kept is a preview of its own. */
  | { readonly state: 'part'; readonly parts: readonly string[] }
  | { readonly state: 'rejected'; readonly reviewer: string; readonly note?: string | undefined };

export interface DecisionContext {
  readonly folder: StateFolder;
  readonly auditIndex: AuditIndex;
  /** Asked anew each time: an operator may have taken one off the list. */
  readonly reviewers: () => readonly Reviewer[];
  readonly log: Log;
}

export class DecisionStore {
  readonly #context: DecisionContext;

  constructor(context: DecisionContext) {
    this.#context = context;
  }

  /** Whether anybody's decision could count. */
  get hasReviewers(): boolean {
    return this.#context.reviewers().length > 0;
  }

  /** Genuine decisions about this preview, in the order of the reviewers file. */
  of(previewId: string): readonly SignedDecision[] {
    if (!isContentId(previewId)) return [];
    try {
      const reviewers = this.#context.reviewers();
      this.#reportStrangers(previewId, reviewers);
      return reviewers.flatMap(({ id }) => {
        const text = this.#context.folder.read(nameOf(previewId, id), MOST_BYTES);
        if (text === undefined) return [];
        const signed = verifiedDecision(text, reviewers);
        // A genuine decision about another preview, copied here, is none about this one.
        if (signed?.key === id && signed.decision.preview === previewId) return [signed];
        this.#context.log.event('warn', 'decision_not_genuine');
        return [];
      });
    } catch (error) {
      throw stateRefusal('read the decision', error, this.#context.log);
    }
  }

  /**
   * One "no" is enough, until the preview expires: whatever others said, whatever its reviewer says later, and of a
   * part also where it was said of the whole.
   */
  status(previewId: string, origin: Origin): DecisionStatus {
    const { latest: recorded, rejectedBy } = this.#context.auditIndex.statusOf(previewId);
    const found = this.of(previewId);
    const no = found.find(({ decision }) => decision.decision === 'reject')?.decision;
    if (no !== undefined) return { state: 'rejected', reviewer: no.reviewer, note: no.note };
    if (rejectedBy !== undefined) return { state: 'rejected', reviewer: rejectedBy };
    if (origin.kind === 'part') {
      const whole = this.status(origin.of, { kind: 'edit' });
      if (whole.state === 'rejected') return whole;
    }
    const last = found.filter(({ decision }) => isLatest(decision, recorded.get(decision.reviewer)));
    // Kept here and nowhere recorded, or the other way round: somebody put it there, or took it away.
    const isTakenAway = this.#context
      .reviewers()
      .some(
        ({ name }) =>
          recorded.get(name)?.last === 'part' && !last.some(({ decision }) => decision.reviewer === name),
      );
    if (last.length < found.length || isTakenAway)
      this.#context.log.event('error', 'decision_not_as_recorded');
    if (isTakenAway) return { state: 'pending' };
    const parts = last.flatMap(({ decision: { part } }) => part ?? []);
    if (parts.length > 0) return { state: 'part', parts: [...new Set(parts)] };
    // Asked for by its name: an approval must never be what is left over.
    const yes = last.find(({ decision }) => decision.decision === 'approve');
    return yes === undefined ? { state: 'pending' } : { state: 'approved', reviewer: yes.decision.reviewer };
  }

  /** Whether a part is neither rejected itself nor applied, or being applied. */
  isOpenPart(partId: string): boolean {
    const { rejectedBy, changeId } = this.#context.auditIndex.statusOf(partId);
    if (rejectedBy !== undefined || changeId !== undefined) return false;
    return !this.of(partId).some(({ decision }) => decision.decision === 'reject');
  }

  /** A reviewer's later decision takes the place of the earlier one. */
  save(signed: SignedDecision): void {
    if (verifiedDecision(decisionText(signed), this.#context.reviewers()) === undefined)
      throw new TypeError('the decision is not signed by a reviewer of the list');
    try {
      this.#context.folder.replace(nameOf(signed.decision.preview, signed.key), decisionText(signed));
    } catch (error) {
      throw stateRefusal('keep the decision', error, this.#context.log);
    }
  }

  /** The decisions about a preview that is no longer kept. */
  forget(previewId: string): void {
    for (const name of this.#context.folder.names())
      if (name.startsWith(`${previewId}.`)) this.#context.folder.remove(name);
  }

  #reportStrangers(previewId: string, reviewers: readonly Reviewer[]): void {
    const known = new Set(reviewers.map(({ id }) => nameOf(previewId, id)));
    const strangers = this.#context.folder
      .names()
      .filter((name) => name.startsWith(`${previewId}.`) && !known.has(name));
    if (strangers.length > 0)
      this.#context.log.event('warn', 'decision_by_unknown_key', { count: strangers.length });
  }
}

/**
 * Recorded last, and signed no earlier than anything else that this reviewer said: a record can be forged by whoever can
 * write the trail, the time in a signature cannot.
 */
function isLatest({ decision, at }: Decision, recorded: LatestDecision | undefined): boolean {
  if (recorded?.last !== decision) return false;
  return Object.entries(recorded.at).every(([kind, time]) => kind === decision || time <= at);
}

function nameOf(previewId: string, keyId: string): string {
  return `${previewId}.${keyId}.json`;
}
