// Where a person reviews: what waits, what it would do, and what they decide, signed with their key. It shows
// what it has found out itself, never what a file of the state directory claims. It applies nothing.
import { recomputePreview } from '../adapters/index.ts';
import {
  declined,
  ERROR_CATEGORIES,
  type Plan,
  type Policy,
  type RecomputePreview,
  Refusal,
  type Reviewer,
  type ReviewerKey,
  reviewerOf,
  type Sandbox,
  type SignedDecision,
  StartError,
  type State,
  type StoredPlan,
  signDecision,
} from '../security/index.ts';
import { partOf } from '../tools/index.ts';
import { type ChangeDetails, type ChangeView, changeView } from './change-view.ts';
import { type Eyes, type FileView, fileView } from './file-view.ts';
import {
  type Heard,
  type PreviewView,
  previewView,
  type Summary,
  summaryOf,
  type Waiting,
  waitingView,
} from './preview-view.ts';

export interface ReviewContext {
  readonly policy: Policy;
  readonly sandbox: Sandbox;
  /** With the reviewers whose decisions count; without any, nobody can decide. */
  readonly state: State;
  readonly now?: () => Date;
}

/** Throws nothing; the state directory and the roots are open already. */
export function openReviewService(context: ReviewContext): ReviewService {
  return new ReviewService(context);
}

const MOST_LISTED = 100;

type Said = Pick<SignedDecision['decision'], 'decision' | 'note' | 'part'>;

/** `summary`: of a plan that can be decided about here; `foreignUntil`: of one that belongs to another policy. */
interface Seen {
  readonly summary?: Summary;
  readonly foreignUntil?: string;
}

export class ReviewService {
  readonly #context: ReviewContext;
  readonly #now: () => Date;
  readonly #recompute: RecomputePreview;
  readonly #eyes: Eyes;
  readonly #seen = new Map<string, Seen>();

  constructor(context: ReviewContext) {
    const { policy, sandbox, now = () => new Date() } = context;
    this.#context = context;
    this.#now = now;
    this.#recompute = recomputePreview((file) => sandbox.parse(file), policy.limits);
    this.#eyes = { ...context, recompute: this.#recompute };
  }

  /** What a person has to decide about, and has decided without its being applied yet; oldest first. */
  waiting(): readonly Waiting[] {
    const now = this.#now().toISOString();
    return this.#unused().flatMap(([id, { summary }]) => {
      if (summary === undefined || summary.expires_at <= now || summary.created_at > now) return [];
      return [waitingView(summary, this.#heard(id, summary.origin))];
    });
  }

  /** The ids of what waits for a person under other options, such as those of another server on this state directory. */
  waitingElsewhere(): readonly string[] {
    const { decisions } = this.#context.state;
    const now = this.#now().toISOString();
    return this.#unused().flatMap(([id, { foreignUntil = '' }]) =>
      foreignUntil > now && decisions.of(id).length === 0 ? [id] : [],
    );
  }

  #unused(): readonly (readonly [string, Seen])[] {
    const ids = this.#context.state.plans.waiting();
    for (const id of this.#seen.keys()) if (!ids.includes(id)) this.#seen.delete(id);
    return ids.map((id) => [id, this.#see(id)]);
  }

  /** Looked at once: a list of many large plans would else be slow each time. What is decided about is looked at anew. */
  #see(id: string): Seen {
    const seen = this.#seen.get(id) ?? this.#firstLook(id);
    this.#seen.set(id, seen);
    return seen;
  }

  #firstLook(id: string): Seen {
    try {
      const stored = this.#load(id);
      return stored.plan.approval === 'human' ? { summary: summaryOf(stored) } : {};
    } catch (error) {
      // A disk that fails is said; what is expired, tampered with, applied in this moment or of another policy is not here.
      if (!(error instanceof Refusal) || ERROR_CATEGORIES[error.code] !== 'conflict') throw error;
      const until = this.#context.state.plans.foreignUntil(id, this.#context.sandbox.policyFingerprint);
      return until === undefined ? {} : { foreignUntil: until };
    }
  }

  /** Throws PREVIEW_NOT_FOUND, PREVIEW_EXPIRED or PREVIEW_USED. */
  open(id: string): PreviewView {
    return this.#viewOf(this.#load(id));
  }

  /**
   * Throws StartError for a key that is not on the list, APPROVAL_DECLINED for what somebody has rejected, and what
   * `open` throws.
   */
  approve(id: string, key: ReviewerKey): void {
    this.#decide(id, key, { decision: 'approve' });
  }

  /** `note`: at most 500 characters, which the agent will read. */
  reject(id: string, note: string, key: ReviewerKey): void {
    this.#decide(id, key, note === '' ? { decision: 'reject' } : { decision: 'reject', note });
  }

  /**
   * What would be left of a plan with these parts only, by their index. Throws ARGUMENT_INVALID for none or all of
   * them, and VERIFICATION_FAILED or SCHEMA_VIOLATION where they need the others.
   */
  part(id: string, kept: readonly number[]): readonly FileView[] {
    const { files } = partOf(this.#load(id), kept, this.#context);
    return files.map((file) => fileView(this.#eyes, file));
  }

  /** Answers the id of the plan that holds the part, and is approved; the whole is not. Throws what `part` throws. */
  approvePart(id: string, kept: readonly number[], key: ReviewerKey): string {
    const { plans } = this.#context.state;
    const stored = this.#load(id);
    this.#reviewerOf(key, stored);
    this.#requireUndisputed(stored);
    if (stored.plan.origin.kind === 'part')
      throw new Refusal(
        'ARGUMENT_INVALID',
        'Cannot approve a part of this: it is a part itself. Approve another part of the whole.',
      );
    const saved = plans.save(partOf(stored, kept, this.#context));
    if (saved === undefined)
      throw new Refusal('NO_SPACE', 'Cannot approve this part: it is too large to be kept.');
    // The approval first: a part that nobody has approved is worth nothing, and harms nothing.
    this.#decide(saved.id, key, { decision: 'approve' });
    this.#decide(id, key, { decision: 'part', part: saved.id });
    return saved.id;
  }

  /** For a change that the person who asked for it does not want after all. Never throws. */
  withdraw(id: string): void {
    this.#context.state.plans.discard(id);
  }

  /** Whose key it is. Throws StartError for one that is not on the list. */
  nameOf(key: ReviewerKey): string {
    return this.#listed(key).name;
  }

  /** What was applied, newest first. */
  history(): readonly ChangeView[] {
    const found = this.#context.state.changes
      .ids()
      .flatMap((id) => this.#context.state.changes.find(id) ?? []);
    const undone = new Map<string, string>();
    for (const { id, origin, isOpen, isRecorded } of found)
      if (origin.kind === 'revert' && !isOpen && isRecorded) undone.set(origin.change_id, id);
    return found.slice(0, MOST_LISTED).map((change) => changeView(change, undone.get(change.id)));
  }

  /** One change, with what it did to its files. Throws a Refusal for one that is not kept. */
  change(id: string): ChangeDetails {
    const change = this.#context.state.changes.find(id);
    if (change === undefined)
      throw new Refusal(
        'CHANGE_NOT_FOUND',
        'Cannot show this change: none that was applied here has this id, or its record was dropped.',
        {},
        { advice: ['See what was applied with config-airlock history'] },
      );
    const undoneBy = this.history().find((other) => other.id === id)?.undone_by;
    const files = change.files.map((file) => fileView(this.#eyes, file));
    return { ...changeView(change, undoneBy), files };
  }

  #viewOf(stored: StoredPlan): PreviewView {
    return previewView(stored, this.#heard(stored.id, stored.plan.origin), this.#eyes);
  }

  #heard(id: string, origin: Plan['origin']): Heard {
    const { decisions } = this.#context.state;
    return { decisions: decisions.of(id), standing: decisions.standing(id, origin) };
  }

  #load(id: string): StoredPlan {
    return this.#context.state.plans.load(id, this.#recompute, this.#context.sandbox.policyFingerprint);
  }

  #listed(key: ReviewerKey): Reviewer {
    const reviewer = reviewerOf(key, this.#context.state.reviewers());
    if (reviewer === undefined)
      throw new StartError('this key is not in the reviewers file: its decisions would count for nothing');
    return reviewer;
  }

  #reviewerOf(key: ReviewerKey, { plan }: StoredPlan): Reviewer {
    const reviewer = this.#listed(key);
    if (plan.approval !== 'human')
      throw new Refusal('ARGUMENT_INVALID', 'Cannot decide about this preview: it needs no reviewer.');
    return reviewer;
  }

  /** A "no" stands: whoever thinks otherwise has the change proposed anew. */
  #requireUndisputed({ id, plan }: StoredPlan): void {
    const standing = this.#context.state.decisions.standing(id, plan.origin);
    if (standing.state === 'rejected') throw declined(standing, 'approve');
  }

  #decide(id: string, key: ReviewerKey, said: Said): void {
    const stored = this.#load(id);
    const reviewer = this.#reviewerOf(key, stored);
    if (said.decision !== 'reject') this.#requireUndisputed(stored);
    const at = this.#now().toISOString();
    const signed = signDecision({ v: 1, plan: id, ...said, reviewer: reviewer.name, at }, key);
    const { plans, decisions, log } = this.#context.state;
    // Before it counts: what cannot be accounted for is not decided, and what is being written no longer.
    log.auditAllIf(
      () => plans.requireNotApplied(id),
      stored.plan.files.map(({ file, base_sha256, result_sha256, changes }) => ({
        ...{ action: said.decision, outcome: 'kept', plan: id, reviewer: reviewer.name },
        ...{ file, base_sha256, result_sha256, paths: changes.map(({ path }) => path) },
      })),
    );
    decisions.save(signed);
  }
}
