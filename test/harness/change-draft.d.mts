import type { PreviewDraft, VerifiedEdit } from '../../src/security/index.ts';

export function draftOf(edits: readonly VerifiedEdit[]): PreviewDraft;
