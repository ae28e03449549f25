// Proves a stored preview on the present files: they are read through the sandbox again and must be unchanged, and the edits
// are proven and reviewed anew. Nothing that was stored is trusted without this.
import { recomputeChanges } from '../adapters/index.ts';
import {
  type Change,
  canonicalJson,
  type FileWrite,
  Refusal,
  type StoredPreview,
  type VerifiedEdit,
  versionsOf,
} from '../security/index.ts';
import { CallSize } from './call-size.ts';
import { type Planned, writesOf } from './edit.ts';
import { isChanged, recordedEdit, snapshotFor } from './file-operations.ts';
import { locating } from './read-file.ts';
import { type ReviewedEdit, reviewOne } from './review-edit.ts';
import { type CurrentFile, refusalOfChanged } from './run-again.ts';
import type { CallContext } from './tool.ts';

/** Proves its edits in their order. Throws the refusals of reading, FILE_CHANGED, VERIFICATION_FAILED and SCHEMA_VIOLATION. */
export async function planStored(stored: StoredPreview, context: CallContext): Promise<Planned> {
  const now = await unchangedFiles(stored, context);
  const writes: FileWrite[] = [];
  const reviewed: ReviewedEdit[] = [];
  for (const { file, snapshot } of now) {
    await context.pause();
    const edit = locating({ file: file.file }, () => proven({ file, snapshot }, context));
    reviewed.push(await reviewOne(edit, context));
    writes.push(...writesOf([edit]));
  }
  return { reviewed, writes, notes: [], skipped: [] };
}

/** Reads the files. Throws FILE_CHANGED, mostly with a new preview, if one is not what the preview was made of; and the refusals of reading. */
async function unchangedFiles(stored: StoredPreview, context: CallContext): Promise<readonly CurrentFile[]> {
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

/** Proves one file of it. Throws VERIFICATION_FAILED. */
function proven({ file, snapshot }: CurrentFile, { policy }: Pick<CallContext, 'policy'>): VerifiedEdit {
  const check = (text: string): readonly Change[] => {
    const [before, after] = versionsOf(file.file_op, snapshot.text, text);
    const changes = recomputeChanges(snapshot.path, before, after, policy.limits);
    if (canonicalJson(changes) !== canonicalJson(file.changes)) throw notAsShown();
    return file.changes;
  };
  const edit = recordedEdit(file, snapshot, check);
  if (edit.resultSha256 !== file.result_sha256) throw notAsShown();
  return edit;
}

/** Makes the refusal of a preview whose edits would not do now what it showed. */
export function notAsShown(): Refusal {
  return new Refusal(
    'VERIFICATION_FAILED',
    'Cannot apply this preview: the result would not be what it showed. Nothing was written.',
  );
}
