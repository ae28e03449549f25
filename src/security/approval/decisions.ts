// What reviewers decided about previews, by the audit trail. An approval counts only with the signature of a listed
// reviewer, and only at the place of the trail that it was signed for: neither a copy elsewhere nor one in another trail
// is a decision. A rejection counts whoever signed it.
import type { PreviewFacts, RecordedDecision } from '../audit/facts.ts';
import type { Log } from '../audit/log.ts';
import type { AuditTrail } from '../audit/trail.ts';
import { canonicalJson } from '../text/canonical-json.ts';
import { type Decision, verifiedDecision } from './decision.ts';
import { type Preview, proposersOf } from './preview.ts';
import { isMet, type NeedStatus, statusOfNeeds } from './quorum.ts';
import type { Reviewer } from './reviewers.ts';

/** What follows from all decisions about a preview. */
export type DecisionStatus =
  /** `needs`: of the rules that ask for several reviewers or name them, and what each still lacks. */
  | { readonly state: 'pending'; readonly needs?: readonly NeedStatus[] }
  /** All whose approval counted, with commas between them. */
  | { readonly state: 'approved'; readonly reviewer: string }
  /** What each reviewer kept is a preview of its own. */
  | { readonly state: 'part'; readonly parts: readonly string[] }
  | { readonly state: 'rejected'; readonly reviewer: string; readonly note?: string | undefined };

type Rejection = Extract<DecisionStatus, { state: 'rejected' }>;

/** What of a preview says whose decisions count. */
export type Decidable = Pick<Preview, 'origin' | 'caller' | 'proposers' | 'needs'>;

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
  status(previewId: string, { origin, needs = [], ...asked }: Decidable): DecisionStatus {
    const facts = this.#context.trail.statusOf(previewId);
    const { found, areAll } = this.#genuine(previewId, facts);
    const no =
      rejectionIn(found, facts) ?? (origin.kind === 'part' ? this.#rejectionOf(origin.of) : undefined);
    if (no !== undefined) return no;
    // A record that is not genuine may stand where its reviewer approved a part only.
    const isUnclear = !areAll;
    const parts = found.flatMap(({ part }) => part ?? []);
    if (!isUnclear && parts.length > 0) return { state: 'part', parts: [...new Set(parts)] };
    // Looked for by name: an approval must never be what remains when all else is excluded.
    const approvedBy = isUnclear
      ? []
      : found.flatMap(({ decision, reviewer }) => (decision === 'approve' ? [reviewer] : []));
    const listed = this.#context.reviewers().map(({ name }) => name);
    const statuses = statusOfNeeds(needs, { approvedBy, listed, proposers: proposersOf(asked) });
    const [first] = approvedBy;
    if (first === undefined || !statuses.every(isMet))
      return needs.length === 0 ? { state: 'pending' } : { state: 'pending', needs: statuses };
    if (needs.length === 0) return { state: 'approved', reviewer: first };
    const counted = approvedBy.filter((name) => statuses.some((status) => status.approvedBy.includes(name)));
    return { state: 'approved', reviewer: counted.join(', ') };
  }

  #rejectionOf(previewId: string): Rejection | undefined {
    const facts = this.#context.trail.statusOf(previewId);
    return rejectionIn(this.#genuine(previewId, facts).found, facts);
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

function rejectionIn(found: readonly Decision[], { rejectedBy }: PreviewFacts): Rejection | undefined {
  const no = found.find(({ decision }) => decision === 'reject');
  if (no !== undefined) return { state: 'rejected', reviewer: no.reviewer, note: no.note };
  return rejectedBy === undefined ? undefined : { state: 'rejected', reviewer: rejectedBy };
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
