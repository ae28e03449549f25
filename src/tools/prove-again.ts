// Proves a stored preview on the present files: they are read through the sandbox again and must be unchanged, and the edits
// are proven and reviewed anew. Nothing that was stored is trusted without this.
import { dataChanges, recomputeChanges } from '../adapters/index.ts';
import {
  type Change,
  canonicalJson,
  isStricter,
  type PreviewFile,
  Refusal,
  type StoredPreview,
  type Verdict,
  type VerifiedEdit,
  versionsOf,
} from '../security/index.ts';
import { CallSize } from './call-size.ts';
import { isChanged, recordedEdit, snapshotFor } from './file-operations.ts';
import { ownChange, undoingOwn } from './own.ts';
import { policyDenied } from './policy-refusal.ts';
import { locating } from './read-file.ts';
import { type ReviewedEdit, reviewOne, verdictOf } from './review-edit.ts';
import { type CurrentFile, refusalOfChanged } from './run-again.ts';
import { warningsOf } from './shown-edits.ts';
import type { CallContext } from './tool.ts';

export interface ProvenAgain {
  /** The edits in the preview's order. */
  readonly edits: readonly VerifiedEdit[];
  /** The files as the preview shows them, computed anew, and the warnings about them. */
  readonly files: readonly PreviewFile[];
  readonly warnings: readonly string[];
  /** The present verdict, whose level is no stricter than that of the preview. */
  readonly verdict: Verdict;
}

/** Proves it. Throws the refusals of reading, FILE_CHANGED, VERIFICATION_FAILED, SCHEMA_VIOLATION, POLICY_DENIED, PREVIEW_EXPIRED. */
export async function proveAgain(stored: StoredPreview, context: CallContext): Promise<ProvenAgain> {
  const now = await unchangedFiles(stored, context);
  const edits: VerifiedEdit[] = [];
  const reviewed: ReviewedEdit[] = [];
  const undoing = await undoingAs(stored, context);
  for (const { file, snapshot } of now) {
    await context.pause();
    const edit = locating({ file: file.file }, () => proven({ file, snapshot }, context));
    edits.push(edit);
    reviewed.push(await reviewOne(edit, undoing));
  }
  const verdict = verdictOf(reviewed);
  if (verdict === undefined) throw notAsShown();
  requireNoStricter(verdict, stored);
  const shown = reviewed.map(({ file }) => file);
  return { edits, files: shown, warnings: warningsOf(reviewed, context.policy.limits), verdict };
}

/** Reads the files. Throws FILE_CHANGED, mostly with a new preview, if one is not what the preview was made of; and the refusals of reading. */
export async function unchangedFiles(
  stored: StoredPreview,
  context: CallContext,
): Promise<readonly CurrentFile[]> {
  const now: CurrentFile[] = [];
  const size = new CallSize();
  for (const file of stored.record.files) {
    await context.pause();
    const snapshot = locating({ file: file.file }, () => snapshotFor(file.file, file.file_op, context));
    if (isChanged(file, snapshot)) throw await refusalOfChanged(stored, { file, snapshot }, context);
    size.addFile(snapshot.sizeBytes);
    now.push({ file, snapshot });
  }
  return now;
}

/** Answers the context with the change that the preview takes back; as it was where it takes back none. */
async function undoingAs({ record }: StoredPreview, context: CallContext): Promise<CallContext> {
  const { origin } = record;
  if (origin.kind !== 'revert' || context.policy.changes.undoWithinMs === undefined) return context;
  return undoingOwn(await ownChange(origin.change_id, context), context);
}

/** Throws POLICY_DENIED, and PREVIEW_EXPIRED where it needs more by now than its preview said. */
function requireNoStricter(verdict: Verdict, { record, repeatedCall }: StoredPreview): void {
  if (verdict.level === 'deny') throw policyDenied(verdict);
  if (!isStricter(verdict.level, record.approval)) return;
  throw new Refusal(
    'PREVIEW_EXPIRED',
    `Cannot apply this preview: by now it needs more (${verdict.level}) than when it was made (${record.approval})`,
    {},
    { again: repeatedCall },
  );
}

/** Proves one file of it. Throws VERIFICATION_FAILED. */
function proven({ file, snapshot }: CurrentFile, { policy }: Pick<CallContext, 'policy'>): VerifiedEdit {
  const check = (text: string): readonly Change[] => {
    const [before, after] = versionsOf(file.file_op, snapshot.text, text);
    const changes = recomputeChanges(snapshot.path, before, after, policy.limits);
    if (canonicalJson(changes) !== canonicalJson(dataChanges(file.changes))) throw notAsShown();
    return file.changes;
  };
  const edit = recordedEdit(file, snapshot, check);
  if (edit.resultSha256 !== file.result_sha256) throw notAsShown();
  return edit;
}

function notAsShown(): Refusal {
  return new Refusal(
    'VERIFICATION_FAILED',
    'Cannot apply this preview: the result would not be what it showed. Nothing was written.',
  );
}
