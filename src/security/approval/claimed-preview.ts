// A preview that may be applied, by this process and nobody else, once. What a commit needs at every level but
// `direct`; it writes exactly the bytes that the preview says, or nothing.
import type { VerifiedEdit } from '../edits/verified-edit.ts';
import { canonicalJson } from '../text/canonical-json.ts';
import { Approved } from './approved.ts';
import type { PreviewFile } from './preview.ts';

const KEY: unique symbol = Symbol('ClaimedPreview');

export class ClaimedPreview {
  readonly #isGenuine = true;
  readonly approved: Approved;
  readonly changeId: string;
  /**
   * Asked again when the intent is recorded: throws APPROVAL_DECLINED or APPROVAL_REQUIRED where the approval no longer
   * holds, and PREVIEW_USED where another process was faster.
   */
  readonly requireStillApproved: () => void;

  /** @internal Made by `claimedPreview` only. */
  constructor(key: typeof KEY, approved: Approved, changeId: string, requireStillApproved: () => void) {
    if (key !== KEY) throw new TypeError('a ClaimedPreview is made by claiming a preview only');
    if (!Approved.isGenuine(approved)) throw new TypeError('only a preview that was approved can be claimed');
    this.approved = approved;
    this.changeId = changeId;
    this.requireStillApproved = requireStillApproved;
    Object.freeze(this);
  }

  /** Whether it was made here, whatever it looks like. */
  static isGenuine(value: unknown): value is ClaimedPreview {
    return typeof value === 'object' && value !== null && #isGenuine in value;
  }

  /** Whether these edits are those of the preview. */
  covers(edits: readonly VerifiedEdit[]): boolean {
    return isAbout(this.approved.preview.record.files, edits);
  }
}

/** Whether these are the edits that were shown: the same files, bases, spans and results, in the same order, and no more. */
export function isAbout(shown: readonly PreviewFile[], edits: readonly VerifiedEdit[]): boolean {
  return (
    shown.length === edits.length &&
    edits.every((edit, index) => {
      const file = shown[index];
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

/** Within this layer only: made by `PreviewStore.claim`. */
export function claimedPreview(
  approved: Approved,
  changeId: string,
  requireStillApproved: () => void,
): ClaimedPreview {
  return new ClaimedPreview(KEY, approved, changeId, requireStillApproved);
}
