// The door of the page: the review desk, shown to one browser on this machine.
export { deskWithKey } from './signing-review.ts';
export { serveReviewPage } from './serve-page.ts';
