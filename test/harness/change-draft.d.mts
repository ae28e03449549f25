import type { Asked, FileWrite, PreviewDraft, VerifiedEdit } from '../../src/security/index.ts';

export function directWrite(
  edits: readonly VerifiedEdit[],
  fileWriteOf: (edit: VerifiedEdit) => FileWrite,
  requestId?: string,
): Asked<'write'>;

export function draftOf(edits: readonly VerifiedEdit[]): PreviewDraft;
