// A plan that may be applied, by this process and nobody else, once. What a commit needs at every level but
// `direct`; it writes exactly the bytes that the plan says, or nothing.
import type { VerifiedEdit } from '../edits/verified-edit.ts';
import { canonicalJson } from '../text/canonical-json.ts';
import { Approved } from './approved.ts';

const KEY: unique symbol = Symbol('ClaimedPlan');

export class ClaimedPlan {
  readonly #approved: Approved;
  readonly #changeId: string;
  readonly #requireStanding: () => void;

  /** @internal Made by `claimedPlan` only. */
  constructor(key: typeof KEY, approved: Approved, changeId: string, requireStanding: () => void) {
    if (key !== KEY) throw new TypeError('a ClaimedPlan is made by claiming a preview only');
    if (!Approved.isGenuine(approved)) throw new TypeError('only a plan that was approved can be claimed');
    this.#approved = approved;
    this.#changeId = changeId;
    this.#requireStanding = requireStanding;
    Object.freeze(this);
  }

  /** Whether it was made here, whatever it looks like. */
  static isGenuine(value: unknown): value is ClaimedPlan {
    return typeof value === 'object' && value !== null && #changeId in value;
  }

  get approved(): Approved {
    return this.#approved;
  }

  get changeId(): string {
    return this.#changeId;
  }

  /**
   * For the last moment before it counts: throws APPROVAL_DECLINED or APPROVAL_REQUIRED where the approval has been taken
   * back meanwhile, and PREVIEW_USED where the plan was applied already and somebody took away the mark of that.
   */
  requireStanding(): void {
    this.#requireStanding();
  }

  /** Whether these edits are those of the plan: the same files, bases, spans and results, and no more. */
  covers(edits: readonly VerifiedEdit[]): boolean {
    const { files } = this.#approved.plan.plan;
    return (
      files.length === edits.length &&
      edits.every((edit, index) => {
        const file = files[index];
        return (
          file !== undefined &&
          file.file === edit.snapshot.path.toString() &&
          file.base_sha256 === edit.snapshot.sha256 &&
          file.result_sha256 === edit.resultSha256 &&
          canonicalJson(file.edits) === canonicalJson(edit.edits)
        );
      })
    );
  }
}

/** Room-internal: `PlanStore.claim` has won the marker. */
export function claimedPlan(approved: Approved, changeId: string, requireStanding: () => void): ClaimedPlan {
  return new ClaimedPlan(KEY, approved, changeId, requireStanding);
}
