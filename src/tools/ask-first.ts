// Thrown in the place of a reply where a plan needs the yes of the person at the client, and nobody has asked
// for it yet. No refusal: the server asks, and makes the same call again with the answer.
import type { StoredPlan } from '../security/index.ts';
import { questionAbout } from './question.ts';

export class AskFirst extends Error {
  override readonly name = 'AskFirst';
  readonly plan: string;
  readonly question: string;

  /** Throws APPROVAL_UNAVAILABLE for a plan that is too long to be asked about. */
  constructor(plan: StoredPlan, warnings: readonly string[]) {
    super('the person at the client has to be asked');
    this.plan = plan.id;
    this.question = questionAbout(plan, warnings);
  }
}
