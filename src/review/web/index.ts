// The entry point of the page, which shows the review to one browser on this machine.

export type { UndoActions } from './routes.ts';
export { serveReviewPage } from './serve-page.ts';
