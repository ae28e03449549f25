import type { PreviewDraft } from '../../src/security/approval/preview.ts';
import type { FileWrite, VerifiedEdit } from '../../src/security/edits/verified-edit.ts';
import type { Asked } from '../../src/security/state/backend.ts';

export function directWrite(
  edits: readonly VerifiedEdit[],
  fileWriteOf: (edit: VerifiedEdit) => FileWrite,
  requestId?: string,
): Asked<'write'>;

export function draftOf(edits: readonly VerifiedEdit[]): PreviewDraft;
