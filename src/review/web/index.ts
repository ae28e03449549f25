// The entry point of the page, which shows the review to one browser on this machine.

export { serveReviewPage } from './serve-page.ts';
export type { UndoActions } from './undoing.ts';
