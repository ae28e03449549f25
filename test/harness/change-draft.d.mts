import type { ChangeDraft, VerifiedEdit } from '../../src/security/index.ts';

export function draftOf(edits: readonly VerifiedEdit[]): ChangeDraft;
