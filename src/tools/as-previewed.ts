// `preview_id` of a tool that reads: shows files as the preview would make them.

import { splice } from '../security/edits/edit.ts';
import { Refusal } from '../security/errors/refusal.ts';
import { asPreviewed, type Snapshot } from '../security/sandbox/snapshot.ts';
import type { KeptFile } from '../state/preview.ts';
import { loadOpenPreview } from './own.ts';
import type { CallContext } from './tool.ts';

/** Returns a context in which files are read as the preview would make them. Throws what loading the preview throws. */
export async function previewing(id: string | undefined, context: CallContext): Promise<CallContext> {
  if (id === undefined) return context;
  const { record } = await loadOpenPreview(id, 'read', context);
  return { ...context, previewed: new Map(record.files.map((file) => [file.file, file])) };
}

/** `read` is the file as it is, or the proof that there is none. Throws FILE_CHANGED if it is not what the preview was made from. */
export function previewedSnapshot(file: KeptFile, read: Snapshot): Snapshot {
  if (file.file_op === 'delete')
    throw new Refusal('FILE_NOT_FOUND', 'Cannot read this file: the preview deletes it', { file: file.file });
  if (read.sha256 !== file.base_sha256)
    throw new Refusal(
      'FILE_CHANGED',
      'Cannot read this file as the preview would make it: it has changed since',
      { file: file.file },
      { advice: ['Read it without preview_id, or add an edit to the preview, which makes it again'] },
    );
  return asPreviewed(read, splice(read.text, file.edits));
}
