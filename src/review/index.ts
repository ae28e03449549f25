// The door of the room where a person reviews: what waits, what each change is, and what they decide. The
// terminal and the page stand on it.
export { approvalText } from './approval-text.ts';
export type { ChangeDetails, ChangeView } from './change-view.ts';
export type { FileView, Standing } from './file-view.ts';
export type { DecisionView, PartView, PreviewView, Waiting, WaitingState } from './preview-view.ts';
export { elsewhereText } from './preview-view.ts';
export { openReviewService, type ReviewContext, type ReviewService } from './review-service.ts';
