// The previews: kept under the hash of all they say, for a time, in a bounded number. An id that was dropped
// or used is known as that for a while. Several processes may share the folder: of two that claim one plan,
// one gets it.

import { Approved, approvedByReviewer, declined } from '../approval/approved.ts';
import { type ClaimedPlan, claimedPlan } from '../approval/claimed-preview.ts';
import type { DecisionStore } from '../approval/decision-store.ts';
import { expiryOf, type Plan } from '../approval/preview.ts';
import { planIn, type RecomputePreview, type StoredPlan, storedPlan } from '../approval/stored-preview.ts';
import type { Ledger } from '../audit/audit-index.ts';
import type { Log } from '../audit/log.ts';
import { stateRefusal } from '../audit/state-refusal.ts';
import type { Refusal } from '../errors/refusal.ts';
import { keptText } from '../records/record-codec.ts';
import type { StateFolder } from '../records/state-folder.ts';
import { canonicalJson, isContentId } from '../text/canonical-json.ts';
import { freshBytes } from '../text/fresh-bytes.ts';
import { expired, notFound, tooMany, used, WHY_GONE } from './preview-errors.ts';
import { PLAN_BOUNDS, type PlanBounds, type PlanKind } from './preview-quota.ts';
import { dropExpired, idsIn, idsWith, keptPlans, makeRoom, noteKept, whyGone } from './retention.ts';

/** What a plan is before the store gives it a nonce, a time and the roots that the store is for. */
export type PlanDraft = Omit<Plan, 'v' | 'nonce' | 'created_at' | 'expires_at' | 'roots'>;

export interface PlanStoreOptions {
  readonly folder: StateFolder;
  readonly decisions: DecisionStore;
  readonly ledger: Ledger;
  readonly log: Log;
  /** Of the servers' that share the folder, whose they are. */
  readonly roots: string;
  readonly now: () => Date;
  readonly bounds?: PlanBounds;
}

export interface SavedPlan {
  readonly id: string;
  readonly expiresAt: string;
}

export class PlanStore {
  readonly #options: Required<PlanStoreOptions>;

  constructor(options: PlanStoreOptions) {
    this.#options = { bounds: PLAN_BOUNDS, ...options };
  }

  /** Undefined for a plan that is too large to be kept. Throws APPROVAL_UNAVAILABLE where too many wait for a person. */
  save(draft: PlanDraft): SavedPlan | undefined {
    const { folder, roots, now, bounds } = this.#options;
    const created = now();
    const expiresAt = expiryOf(created, draft.approval);
    const plan = (nonce: string): Plan => ({
      v: 1,
      nonce,
      created_at: created.toISOString(),
      expires_at: expiresAt,
      ...draft,
      roots,
    });
    let kept: ReturnType<typeof keptText>;
    // An id that begins with a dash would be taken for an option on a command line.
    do kept = keptText(plan(freshBytes(16).toString('base64url')));
    while (kept.id.startsWith('-'));
    const { id, text } = kept;
    const bytes = Buffer.byteLength(text);
    if (bytes > bounds.planBytes || bytes > bounds.totalBytes) return undefined;
    try {
      this.#makeRoom(draft, bytes);
      // A preview that a power cut takes, or tears, is made again: its id tells.
      const { sizeBytes, mtimeNs: since } = folder.put(`${id}.json`, text);
      noteKept(folder, { id, sizeBytes, since, expiresAt, ...this.#kindOf(draft) });
    } catch (error) {
      throw stateRefusal('keep the preview', error, this.#options.log);
    }
    return { id, expiresAt };
  }

  /**
   * The plan that the id names, whole and true. Throws PREVIEW_NOT_FOUND, PREVIEW_USED or PREVIEW_EXPIRED.
   * `policy`: the fingerprint of the one that it must have been made under, if it is to be applied.
   */
  load(id: string, recompute: RecomputePreview, policy?: string): StoredPlan {
    const { folder, log, roots, now, bounds } = this.#options;
    if (!isContentId(id)) throw notFound();
    try {
      const text = folder.read(`${id}.json`, bounds.planBytes);
      if (text === undefined) throw this.#gone(id);
      const read = planIn(id, text);
      // Before anything in it is looked at: what others' servers keep here is none of ours, and another policy may not
      // even let its files be named.
      if (read !== undefined && read.roots !== roots) throw notFound();
      if (this.#isUsed(id)) throw used(this.changeOf(id));
      if (read !== undefined && policy !== undefined && read.policy !== policy)
        throw expired('it was made under another policy', read);
      const plan = read === undefined ? undefined : storedPlan(id, read, recompute);
      if (plan === undefined) {
        // Somebody has written to the state directory: what the id named is no longer there.
        log.event('error', 'plan_tampered', { sha256: id });
        throw notFound();
      }
      if (plan.isExpired(now())) throw expired('it is too old', plan.plan);
      return plan;
    } catch (error) {
      throw stateRefusal('read the preview', error, this.#options.log);
    }
  }

  /**
   * Until when a person may decide about it, for a plan that was made under another policy than this one, or for other roots; undefined
   * for any other. What else it says is none of this policy's business.
   */
  foreignUntil(id: string, policy: string): string | undefined {
    const text = this.#options.folder.read(`${id}.json`, this.#options.bounds.planBytes);
    const plan = text === undefined ? undefined : planIn(id, text);
    const isForeign = plan?.policy !== policy || plan.roots !== this.#options.roots;
    return plan?.approval === 'human' && isForeign ? plan.expires_at : undefined;
  }

  /** The trail as well as the mark: a mark can be taken away. */
  #isUsed(id: string): boolean {
    const { folder, ledger } = this.#options;
    return ledger.fateOf(id).changeId !== undefined || folder.facts(`${id}.used`) !== undefined;
  }

  /** Why it is not kept, as far as that is known, and told to nobody but the servers of its roots. */
  #gone(id: string): Refusal {
    const { folder, ledger, roots } = this.#options;
    const reason = whyGone(folder, id, roots);
    if (reason === undefined) return notFound();
    if (this.#isUsed(id)) return used(this.changeOf(id));
    const { rejectedBy } = ledger.fateOf(id);
    return rejectedBy === undefined
      ? expired(WHY_GONE[reason])
      : declined({ state: 'rejected', reviewer: rejectedBy });
  }

  /**
   * Of the same kind, and no more than must. A part was made by a person, and has room of its own: else a flood of
   * proposals would leave nothing to decide but all or nothing.
   */
  #makeRoom({ approval, origin }: PlanDraft, newBytes: number): void {
    const { folder, decisions, ledger, now, bounds } = this.#options;
    const kind = this.#kindOf({ approval });
    const more = origin.kind === 'part' ? 2 : 1;
    const wide = { ...bounds, plans: bounds.plans * more, totalBytes: bounds.totalBytes * more };
    const done = () => {
      const used = new Set(idsWith(folder, '.used'));
      ledger.readOn();
      return (id: string) => used.has(id) || ledger.fateSoFar(id).rejectedBy !== undefined;
    };
    const { dropped, isRoom } = makeRoom(folder, wide, { kind, newBytes, now: now(), done });
    for (const id of dropped) decisions.forget(id);
    if (!isRoom) throw tooMany(kind.isForPerson);
  }

  #kindOf({ approval }: Pick<PlanDraft, 'approval'>): PlanKind {
    return { roots: this.#options.roots, isForPerson: approval === 'human' };
  }

  /** For a preview that nobody was told of. Never throws. */
  discard(id: string): void {
    try {
      this.#options.folder.remove(`${id}.json`);
    } catch {
      // Then it lies there until it expires; its id is known to nobody.
    }
  }

  /** Whoever comes first; throws PREVIEW_USED for everybody else. `changeId`: what it is about to become. */
  claim(approved: Approved, changeId: string): ClaimedPlan {
    if (!Approved.isGenuine(approved)) throw new TypeError('only a plan that was approved can be claimed');
    const { id } = approved.plan;
    try {
      const marker = canonicalJson({ v: 1, change_id: changeId });
      if (!this.#options.folder.create(`${id}.used`, marker)) throw used(this.changeOf(id));
    } catch (error) {
      throw stateRefusal('claim the preview', error, this.#options.log);
    }
    return claimedPlan(approved, changeId, () => this.#requireStanding(approved));
  }

  #requireStanding({ plan, confirmedBy }: Approved): void {
    const { ledger, decisions } = this.#options;
    this.requireNotApplied(plan.id);
    // With the reviewer's note, where somebody has rejected it.
    if (confirmedBy === 'human') approvedByReviewer(plan, decisions);
    const { rejectedBy } = ledger.fateOf(plan.id);
    if (rejectedBy !== undefined) throw declined({ state: 'rejected', reviewer: rejectedBy });
  }

  /** By what is recorded, whatever mark is there. Throws PREVIEW_USED. */
  requireNotApplied(id: string): void {
    const { changeId } = this.#options.ledger.fateOf(id);
    if (changeId !== undefined) throw used(changeId);
  }

  /** For an apply that changed nothing: the plan can be tried again. Never throws. */
  release(planId: string, changeId: string): void {
    try {
      if (this.changeOf(planId) === changeId) this.#options.folder.remove(`${planId}.used`);
    } catch {
      // Then it stays used, which is the safe side.
    }
  }

  /** What the plan became when it was applied, or is becoming. */
  changeOf(planId: string): string | undefined {
    const text = this.#options.folder.read(`${planId}.used`, 1_000);
    const marked = /^\{"change_id":"([\w-]{43})","v":1\}$/u.exec(text ?? '')?.[1];
    return this.#options.ledger.fateOf(planId).changeId ?? marked;
  }

  /** The ids of plans that wait, whatever their worth and their roots: load each to know. Oldest first. */
  waiting(): readonly string[] {
    const { folder } = this.#options;
    return this.#unused()
      .map((id) => ({ id, since: folder.facts(`${id}.json`)?.mtimeNs ?? 0n }))
      .sort((a, b) => (a.since < b.since ? -1 : 1))
      .map(({ id }) => id);
  }

  /** How many of these roots wait, whatever their worth. */
  get waitingCount(): number {
    const { folder, roots } = this.#options;
    const unused = new Set(this.#unused());
    return keptPlans(folder).filter((plan) => plan.roots === roots && unused.has(plan.id)).length;
  }

  #unused(): readonly string[] {
    const names = this.#options.folder.names();
    const used = new Set(idsIn(names, '.used'));
    return idsIn(names, '.json').filter((id) => isContentId(id) && !used.has(id));
  }

  /** What has expired goes. */
  tidy(): void {
    const { folder, decisions, now } = this.#options;
    for (const id of dropExpired(folder, now())) decisions.forget(id);
  }
}
