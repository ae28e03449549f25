// The door of the page: the review desk, shown to one browser on this machine.
export type { DeskWithKey } from './routes.ts';
export { type PageOptions, type ReviewPage, serveReviewPage } from './serve-page.ts';
