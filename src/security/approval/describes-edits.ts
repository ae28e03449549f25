// Compares the files that a preview or a change describes with the edits that are about to be applied.

import type { PreviewFile } from '../../state/index.ts';
import { canonicalJson } from '../../state/index.ts';
import type { VerifiedEdit } from '../edits/verified-edit.ts';

/** True where both have the same files, bases, spans and results in the same order. */
export function describesEdits(described: readonly PreviewFile[], edits: readonly VerifiedEdit[]): boolean {
  return (
    described.length === edits.length &&
    edits.every((edit, index) => {
      const file = described[index];
      return (
        file !== undefined &&
        file.file === edit.snapshot.path.toString() &&
        file.base_sha256 === edit.snapshot.sha256 &&
        file.result_sha256 === edit.resultSha256 &&
        file.file_op === edit.fileOp &&
        file.mode === edit.mode &&
        canonicalJson(file.edits) === canonicalJson(edit.edits)
      );
    })
  );
}
