// The entry point of the review: what is pending, what each change does, and what reviewers decide. The terminal and the page
// are built on it.
export { approvalText } from './approval-text.ts';
export type { ChangeDetails, ChangeView } from './change-view.ts';
export { type FileState, type FileView, STATE_TEXTS } from './file-view.ts';
export { type Folded, foldedNotes } from './folded-view.ts';
export { NOTICE_KINDS, type Notice, type NoticeKind } from './notices.ts';
export { type ChangePatch, mailOf } from './patches.ts';
export { isAmong, type Pending, type PendingFilter } from './pending.ts';
export type { DecisionView, PartView, PreviewView, Waiting, WaitingState } from './preview-view.ts';
export { elsewhereText, isCurrent, isElsewhere, leftText, queueNotes } from './preview-view.ts';
export { REBASE_CONFLICT, type RebasedView } from './rebased-view.ts';
export type { RevealedFile } from './revealed-files.ts';
export { type ReviewContext, ReviewService } from './review-service.ts';
export { distance, instant, moment } from './times.ts';
