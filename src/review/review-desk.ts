// Where a person reviews: what waits, what it would do, and what they decide, signed with their key. It shows
// what it has found out itself, never what a file of the state directory claims. It applies nothing.
import { lookWith } from '../adapters/index.ts';
import {
  AuditTrail,
  ChangeStore,
  DecisionStore,
  type Log,
  type Look,
  PlanStore,
  type Policy,
  Refusal,
  type Reviewer,
  type ReviewerKey,
  reviewerOf,
  type Sandbox,
  StartError,
  type StateDir,
  type StoredPlan,
  signDecision,
} from '../security/index.ts';
import { type ChangeView, changeView } from './change-view.ts';
import { type FileView, fileView } from './file-view.ts';
import { type PlanView, planView, type Waiting } from './plan-view.ts';

export interface ReviewGround {
  readonly policy: Policy;
  readonly sandbox: Sandbox;
  readonly state: StateDir;
  /** Whose decisions count; without any, nobody can decide. */
  readonly reviewers: readonly Reviewer[];
  readonly log: Log;
  readonly now?: () => Date;
}

/** Throws nothing; the state directory and the roots are open already. */
export function openReviewDesk(ground: ReviewGround): ReviewDesk {
  return new ReviewDesk(ground);
}

const MOST_LISTED = 100;

export class ReviewDesk {
  readonly #ground: ReviewGround;
  readonly #now: () => Date;
  readonly #look: Look;
  readonly #decisions: DecisionStore;
  readonly #plans: PlanStore;
  readonly #changes: ChangeStore;
  readonly #trail: AuditTrail;

  constructor(ground: ReviewGround) {
    const { policy, sandbox, state, reviewers, log, now = () => new Date() } = ground;
    this.#ground = ground;
    this.#now = now;
    this.#look = lookWith((file) => sandbox.parse(file), policy.limits);
    this.#decisions = new DecisionStore(state.decisions, reviewers, log);
    this.#plans = new PlanStore({ folder: state.plans, decisions: this.#decisions, log, now });
    this.#changes = new ChangeStore(state.changes, now);
    this.#trail = new AuditTrail({ folder: state.audit, lock: () => state.lock(), now });
  }

  /** What a person has to decide about, and has decided without its being applied yet; oldest first. */
  waiting(): readonly Waiting[] {
    return this.#plans.waiting().flatMap((id) => {
      try {
        const view = this.open(id);
        return [{ ...withoutParts(view), files: view.files.map(({ file }) => file) }];
      } catch (error) {
        // Expired, tampered with, applied in this moment, or none of a person's business.
        if (error instanceof Refusal) return [];
        throw error;
      }
    });
  }

  /** Throws PREVIEW_NOT_FOUND, PREVIEW_EXPIRED or PREVIEW_USED. */
  open(id: string): PlanView {
    return planView(this.#load(id), this.#decisions.of(id), { ...this.#ground, look: this.#look });
  }

  /** Throws StartError for a key that is not on the list, and what `open` throws. */
  approve(id: string, key: ReviewerKey): void {
    this.#decide(id, key, { decision: 'approve' });
  }

  /** `note`: at most 500 characters, which the agent will read. */
  reject(id: string, note: string, key: ReviewerKey): void {
    this.#decide(id, key, note === '' ? { decision: 'reject' } : { decision: 'reject', note });
  }

  /** What was applied, newest first. */
  history(): readonly ChangeView[] {
    const found = this.#changes.ids().flatMap((id) => this.#changes.find(id) ?? []);
    const undone = new Map<string, string>();
    for (const { id, origin, isOpen } of found)
      if (origin.kind === 'revert' && !isOpen) undone.set(origin.change_id, id);
    return found.slice(0, MOST_LISTED).map((change) => changeView(change, undone.get(change.id)));
  }

  /** What a change did to its files. Throws a Refusal for one that is not kept. */
  filesOf(changeId: string): readonly FileView[] {
    const change = this.#changes.find(changeId);
    if (change === undefined)
      throw new Refusal('PREVIEW_NOT_FOUND', 'Cannot show this change: there is none with this id.');
    return change.files.map((file) => fileView({ ...this.#ground, look: this.#look }, file));
  }

  #load(id: string): StoredPlan {
    const stored = this.#plans.load(id, this.#look);
    if (stored.plan.approval !== 'human')
      throw new Refusal('PREVIEW_NOT_FOUND', 'Cannot review this preview: nobody has to approve it.');
    return stored;
  }

  #decide(
    id: string,
    key: ReviewerKey,
    said: { readonly decision: 'approve' | 'reject'; readonly note?: string },
  ): void {
    const reviewer = reviewerOf(key, this.#ground.reviewers);
    if (reviewer === undefined)
      throw new StartError('this key is not in the reviewers file: its decisions would count for nothing');
    const { plan } = this.#load(id);
    const at = this.#now().toISOString();
    const signed = signDecision({ v: 1, plan: id, ...said, reviewer: reviewer.name, at }, key);
    // Before it counts: what cannot be accounted for is not decided.
    this.#trail.append({
      action: said.decision,
      outcome: 'decided',
      plan: id,
      reviewer: reviewer.name,
      files: plan.files.map(({ file, base_sha256, result_sha256, changes }) => ({
        ...{ file, base_sha256, result_sha256 },
        paths: changes.map(({ path }) => path),
      })),
    });
    this.#decisions.save(signed);
  }
}

function withoutParts({ parts: _, ...view }: PlanView): Omit<PlanView, 'parts'> {
  return view;
}
