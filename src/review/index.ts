// The entry point of the review: the pending previews, the views of changes, and the decisions of reviewers. The terminal and the page
// are built on it.
export { approvalText } from './approval-text.ts';
export type { ChangeDetails, ChangeView } from './change-view.ts';
export { type FileState, type FileView, STATE_TEXTS } from './file-view.ts';
export { type Folded, foldedNotes } from './folded-view.ts';
export { NOTICE_KINDS, type Notice, type NoticeKind } from './notices.ts';
export { type ChangePatch, mailOf } from './patches.ts';
export { includesFile, type Pending, type PendingFilter } from './pending.ts';
export type { DecisionView, PartView, PreviewView, Waiting, WaitingState } from './preview-view.ts';
export { elsewhereText, isCurrent, isElsewhere, queueNotes, unlistedText } from './preview-view.ts';
export type { RevealedFile } from './revealed-files.ts';
export { type ReviewContext, ReviewService } from './review-service.ts';
export { namedFiles } from './summary.ts';
export { distance, instant, moment } from './times.ts';
