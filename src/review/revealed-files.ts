// Makes the unmasked diffs of a preview for a reviewer who asks for them. They are made from the present files, because a kept preview
// holds no secret.
import { unifiedDiff } from '../adapters/diff/unified-diff.ts';
import type { StoredPreview } from '../security/approval/preview.ts';
import { exactEdit } from '../security/edits/verified-edit.ts';
import { Refusal } from '../security/errors/refusal.ts';
import { displayDiff, displayLine } from '../security/text/visible.ts';
import { isChanged, recordedEdit } from '../tools/index.ts';
import type { ViewContext } from './file-view.ts';

export interface RevealedFile {
  readonly file: string;
  readonly diff: string;
}

/** Returns the diffs. Throws the refusals of reading, and FILE_CHANGED for a file that is no longer the preview's base. */
export async function revealedFiles(
  { record }: StoredPreview,
  { sandbox }: ViewContext,
): Promise<readonly RevealedFile[]> {
  if (!sandbox.hasRoots)
    throw new Refusal('FILE_NOT_FOUND', 'Cannot show the masked values: the files are on another machine.');
  const revealed: RevealedFile[] = [];
  for (const stored of record.files) {
    const { file, changes, file_op: fileOp } = stored;
    const path = sandbox.parse(file);
    const now = fileOp === 'create' ? sandbox.openAbsent(path) : sandbox.open(path).read();
    if (isChanged(stored, now))
      throw new Refusal('FILE_CHANGED', 'Cannot show the masked values: the file has changed since', {
        file,
      });
    const exact = exactEdit(recordedEdit(stored, now, () => changes));
    const diff = unifiedDiff(file, exact.base, exact.after, exact.edits, undefined, fileOp);
    revealed.push({ file: displayLine(file), diff: displayDiff(diff) });
  }
  return revealed;
}
