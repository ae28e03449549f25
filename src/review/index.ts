// The door of the room where a person reviews: what waits, what each change is, and what they decide. The
// terminal and the page stand on it.
export { approvalWords } from './approval-text.ts';
export type { ChangeDetails, ChangeView } from './change-view.ts';
export type { FileView, Standing } from './file-view.ts';
export type { DecisionView, PartView, PlanView, Waiting, WaitingState } from './preview-view.ts';
export { elsewhereWords } from './preview-view.ts';
export { openReviewDesk, type ReviewContext, type ReviewDesk } from './review-service.ts';
