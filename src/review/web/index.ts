// The entry point of the page: the review, shown to one browser on this machine.

export { serveReviewPage } from './serve-page.ts';
export type { Undoing } from './undoing.ts';
