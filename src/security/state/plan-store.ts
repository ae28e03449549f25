// The previews: kept under the hash of all they say, for a time, in a bounded number. An id that was dropped
// or used is known as that for a while. Several processes may share the folder: of two that claim one plan,
// one gets it.
import { randomBytes } from 'node:crypto';
import type { Ledger } from '../audit/ledger.ts';
import { ioRefusal } from '../io-refusal.ts';
import type { Log } from '../log/log.ts';
import { Refusal } from '../refusal.ts';
import type { Approval } from './approval.ts';
import { Approved } from './approved.ts';
import { canonicalJson, contentId, isContentId } from './canonical-json.ts';
import { type ClaimedPlan, claimedPlan } from './claimed-plan.ts';
import type { DecisionStore } from './decision-store.ts';
import type { Plan } from './plan.ts';
import { dropExpired, idsWith, makeRoom, PLAN_BOUNDS, type PlanBounds } from './prune.ts';
import type { StateFolder } from './state-folder.ts';
import { askAgain, type Look, planIn, type StoredPlan, storedPlan } from './stored-plan.ts';

/** What a plan is before the store gives it a nonce and a time. */
export type PlanDraft = Omit<Plan, 'v' | 'nonce' | 'created_at' | 'expires_at'>;

export interface PlanStoreOptions {
  readonly folder: StateFolder;
  readonly decisions: DecisionStore;
  readonly ledger: Ledger;
  readonly log: Log;
  readonly now: () => Date;
  readonly bounds?: PlanBounds;
}

export interface SavedPlan {
  readonly id: string;
  readonly expiresAt: string;
}

const MINUTE_MS = 60_000;

export class PlanStore {
  readonly #options: Required<PlanStoreOptions>;

  constructor(options: PlanStoreOptions) {
    this.#options = { bounds: PLAN_BOUNDS, ...options };
  }

  /** Undefined for a plan that is too large to be kept. */
  save(draft: PlanDraft): SavedPlan | undefined {
    const { folder, decisions, now, bounds } = this.#options;
    const created = now();
    const plan = (nonce: string): Plan => ({
      v: 1,
      nonce,
      created_at: created.toISOString(),
      expires_at: new Date(created.getTime() + lifeMs(draft.approval)).toISOString(),
      ...draft,
    });
    let [text, id] = ['', ''];
    do {
      text = canonicalJson(plan(randomBytes(16).toString('base64url')));
      id = contentId(text);
      // An id that begins with a dash would be taken for an option on a command line.
    } while (id.startsWith('-'));
    const bytes = Buffer.byteLength(text);
    if (bytes > bounds.planBytes || bytes > bounds.totalBytes) return undefined;
    try {
      const dropped = makeRoom(folder, bounds, () => decisions.decidedIds(), created, bytes);
      for (const old of dropped) decisions.forget(old);
      // A preview that a power cut takes, or tears, is made again: its id tells.
      folder.put(`${id}.json`, text);
    } catch (error) {
      throw ioRefusal('keep the preview', error);
    }
    return { id, expiresAt: plan('').expires_at };
  }

  /**
   * The plan that the id names, whole and true. Throws PREVIEW_NOT_FOUND, PREVIEW_USED or PREVIEW_EXPIRED.
   * `policy`: the fingerprint of the one that it must have been made under, if it is to be applied.
   */
  load(id: string, look: Look, policy?: string): StoredPlan {
    const { folder, ledger, log, now } = this.#options;
    if (!isContentId(id)) throw notFound();
    try {
      const text = folder.read(`${id}.json`, this.#options.bounds.planBytes);
      // The trail as well: a mark can be taken away.
      const isMarked = folder.facts(`${id}.used`) !== undefined;
      if (isMarked || ledger.fateOf(id).changeId !== undefined) throw used(this.changeOf(id));
      if (text === undefined)
        throw folder.facts(`${id}.gone`) === undefined ? notFound() : expired('it is too old');
      const read = planIn(id, text);
      // Before anything in it is looked at: another policy may not even let its files be named.
      if (read !== undefined && policy !== undefined && read.policy !== policy)
        throw expired('it was made under another policy', read);
      const plan = read === undefined ? undefined : storedPlan(id, read, look);
      if (plan === undefined) {
        // Somebody has written to the state directory: what the id named is no longer there.
        log.event('error', 'plan_tampered', { sha256: id });
        throw notFound();
      }
      if (plan.isExpired(now())) throw expired('it is too old', plan.plan);
      return plan;
    } catch (error) {
      throw ioRefusal('read the preview', error);
    }
  }

  /**
   * Until when a person may decide about it, for a plan that was made under another policy than this one; undefined
   * for any other. What else it says is none of this policy's business.
   */
  foreignUntil(id: string, policy: string): string | undefined {
    const text = this.#options.folder.read(`${id}.json`, this.#options.bounds.planBytes);
    const plan = text === undefined ? undefined : planIn(id, text);
    return plan?.approval === 'human' && plan.policy !== policy ? plan.expires_at : undefined;
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
      // Now that it is ours alone: another may have applied it, and somebody taken away the mark of that.
      if (this.#options.ledger.fateOf(id).changeId !== undefined) throw used(this.changeOf(id));
    } catch (error) {
      throw ioRefusal('claim the preview', error);
    }
    return claimedPlan(approved, changeId);
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

  /** The ids of plans that wait, whatever their worth: load each to know. Oldest first. */
  waiting(): readonly string[] {
    const { folder } = this.#options;
    return this.#unused()
      .map((id) => ({ id, since: folder.facts(`${id}.json`)?.mtimeNs ?? 0n }))
      .sort((a, b) => (a.since < b.since ? -1 : 1))
      .map(({ id }) => id);
  }

  /** How many wait, by their names alone. */
  get waitingCount(): number {
    return this.#unused().length;
  }

  #unused(): readonly string[] {
    const { folder } = this.#options;
    const used = new Set(idsWith(folder, '.used'));
    return idsWith(folder, '.json').filter((id) => isContentId(id) && !used.has(id));
  }

  /** At start. */
  tidy(): void {
    const { folder, decisions, now } = this.#options;
    for (const id of dropExpired(folder, now())) decisions.forget(id);
  }
}

/** A person needs days, an agent minutes. */
function lifeMs(approval: Approval): number {
  return approval === 'human' ? 7 * 24 * 60 * MINUTE_MS : 15 * MINUTE_MS;
}

function notFound(): Refusal {
  return new Refusal(
    'PREVIEW_NOT_FOUND',
    'Cannot use this preview: there is none with this id. Preview the change again, and apply what that answers.',
  );
}

function expired(reason: string, plan?: Plan): Refusal {
  const again = plan === undefined ? undefined : askAgain(plan);
  return new Refusal(
    'PREVIEW_EXPIRED',
    `Cannot use this preview: ${reason}. Preview the change again.`,
    {},
    again === undefined ? {} : { again },
  );
}

function used(changeId: string | undefined): Refusal {
  const change = changeId === undefined ? '' : ` as change ${changeId}`;
  return new Refusal(
    'PREVIEW_USED',
    `Cannot use this preview: it has been applied already${change}. A preview works once.`,
  );
}
