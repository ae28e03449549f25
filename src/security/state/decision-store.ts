// The decisions that reviewers left about plans. Only what a listed reviewer signed counts; anything else in
// the folder is as good as not there, and is reported once to the log.
import { ioRefusal } from '../io-refusal.ts';
import type { Log } from '../log/log.ts';
import { isContentId } from './canonical-json.ts';
import { decisionText, type SignedDecision, verifiedDecision } from './decision.ts';
import type { Reviewer } from './reviewers.ts';
import type { StateFolder } from './state-folder.ts';

const MOST_BYTES = 10_000;

export class DecisionStore {
  readonly #folder: StateFolder;
  readonly #reviewers: readonly Reviewer[];
  readonly #log: Log;

  constructor(folder: StateFolder, reviewers: readonly Reviewer[], log: Log) {
    this.#folder = folder;
    this.#reviewers = reviewers;
    this.#log = log;
  }

  /** Whether anybody's decision could count. */
  get hasReviewers(): boolean {
    return this.#reviewers.length > 0;
  }

  /** Genuine decisions about this plan, in the order of the reviewers file. */
  of(planId: string): readonly SignedDecision[] {
    if (!isContentId(planId)) return [];
    try {
      this.#reportStrangers(planId);
      return this.#reviewers.flatMap(({ id }) => {
        const text = this.#folder.read(nameOf(planId, id), MOST_BYTES);
        const signed = text === undefined ? undefined : verifiedDecision(text, this.#reviewers);
        // A genuine decision about another plan, copied here, is none about this one.
        if (signed !== undefined && signed.key === id && signed.decision.plan === planId) return [signed];
        if (text !== undefined) this.#log.event('warn', 'decision_not_genuine');
        return [];
      });
    } catch (error) {
      throw ioRefusal('read the decision', error);
    }
  }

  /** A reviewer's later decision takes the place of the earlier one. */
  save(signed: SignedDecision): void {
    if (verifiedDecision(decisionText(signed), this.#reviewers) === undefined)
      throw new TypeError('the decision is not signed by a reviewer of the list');
    try {
      this.#folder.replace(nameOf(signed.decision.plan, signed.key), decisionText(signed));
    } catch (error) {
      throw ioRefusal('keep the decision', error);
    }
  }

  /** The plans that somebody has decided about, as far as file names tell: a hint for what to keep longest. */
  decidedIds(): ReadonlySet<string> {
    return new Set(this.#folder.names().map((name) => name.slice(0, 43)));
  }

  /** What was said about a plan that is no longer kept. */
  forget(planId: string): void {
    for (const name of this.#folder.names()) if (name.startsWith(`${planId}.`)) this.#folder.remove(name);
  }

  #reportStrangers(planId: string): void {
    const known = new Set(this.#reviewers.map(({ id }) => nameOf(planId, id)));
    const strangers = this.#folder
      .names()
      .filter((name) => name.startsWith(`${planId}.`) && !known.has(name));
    if (strangers.length > 0) this.#log.event('warn', 'decision_by_unknown_key', { count: strangers.length });
  }
}

function nameOf(planId: string, keyId: string): string {
  return `${planId}.${keyId}.json`;
}
