// What reviewers decided about previews, by the audit trail. An approval counts only with the signature of a listed
// reviewer, and only at the place of the trail that it was signed for: neither a copy elsewhere nor one in another trail
// is a decision. A rejection counts whoever signed it.
import type { PreviewFacts, RecordedDecision } from '../audit/facts.ts';
import type { Log } from '../audit/log.ts';
import type { AuditTrail } from '../audit/trail.ts';
import { canonicalJson } from '../text/canonical-json.ts';
import { type Decision, verifiedDecision } from './decision.ts';
import type { Origin } from './preview.ts';
import type { Reviewer } from './reviewers.ts';

/** What follows from all decisions about a preview. */
export type DecisionStatus =
  | { readonly state: 'pending' }
  | { readonly state: 'approved'; readonly reviewer: string }
  /** What each reviewer kept is a preview of its own. */
  | { readonly state: 'part'; readonly parts: readonly string[] }
  | { readonly state: 'rejected'; readonly reviewer: string; readonly note?: string | undefined };

export interface DecisionContext {
  readonly trail: AuditTrail;
  /** Asked anew each time: an operator may have taken one off the list. */
  readonly reviewers: () => readonly Reviewer[];
  readonly log: Log;
}

export class Decisions {
  readonly #context: DecisionContext;

  constructor(context: DecisionContext) {
    this.#context = context;
  }

  /** Whether anybody's decision could count. */
  get hasReviewers(): boolean {
    return this.#context.reviewers().length > 0;
  }

  /** The last genuine one of each listed reviewer. Throws IO_ERROR where the trail is not whole. */
  of(previewId: string): readonly Decision[] {
    return this.#genuine(previewId, this.#context.trail.statusOf(previewId)).found;
  }

  /**
   * One rejection is enough, until the preview expires: whatever others decide, whatever its reviewer decides later. That
   * of a whole preview counts for its parts.
   */
  status(previewId: string, origin: Origin): DecisionStatus {
    const facts = this.#context.trail.statusOf(previewId);
    const { found, areAll } = this.#genuine(previewId, facts);
    const no = found.find(({ decision }) => decision === 'reject');
    if (no !== undefined) return { state: 'rejected', reviewer: no.reviewer, note: no.note };
    if (facts.rejectedBy !== undefined) return { state: 'rejected', reviewer: facts.rejectedBy };
    if (origin.kind === 'part') {
      const whole = this.status(origin.of, { kind: 'edit' });
      if (whole.state === 'rejected') return whole;
    }
    // A record that is not genuine may stand where its reviewer approved a part only.
    if (!areAll) return { state: 'pending' };
    const parts = found.flatMap(({ part }) => part ?? []);
    if (parts.length > 0) return { state: 'part', parts: [...new Set(parts)] };
    // Looked for by name: an approval must never be what remains when all else is excluded.
    const yes = found.find(({ decision }) => decision === 'approve');
    return yes === undefined ? { state: 'pending' } : { state: 'approved', reviewer: yes.reviewer };
  }

  /** Whether a part was neither rejected by itself nor applied, and is not being applied. */
  isOpenPart(partId: string): boolean {
    const { rejectedBy, changeId } = this.#context.trail.statusOf(partId);
    return rejectedBy === undefined && changeId === undefined;
  }

  /** In the order of the reviewers' list. */
  #genuine(
    previewId: string,
    { decisions }: PreviewFacts,
  ): { readonly found: readonly Decision[]; readonly areAll: boolean } {
    const reviewers = this.#context.reviewers();
    const known = reviewers.flatMap(({ name }) => decisions.get(name) ?? []);
    const found = known.flatMap((recorded) => genuine(previewId, recorded, reviewers) ?? []);
    if (found.length < decisions.size) this.#context.log.event('warn', 'decision_not_genuine');
    return { found, areAll: found.length === known.length };
  }
}

/** Undefined unless it was signed for this preview, for what the record says, and for its place in the trail. */
function genuine(
  previewId: string,
  { action, reviewer, signed, after }: RecordedDecision,
  reviewers: readonly Reviewer[],
): Decision | undefined {
  const decision = verifiedDecision(signed, reviewers);
  if (decision?.preview !== previewId || decision.reviewer !== reviewer || decision.decision !== action)
    return undefined;
  return canonicalJson(decision.trail) === canonicalJson(after) ? decision : undefined;
}
