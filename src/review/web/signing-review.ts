// The desk with one reviewer's key in hand. The key is in the closure of these functions and nowhere else.
import type { ReviewerKey } from '../../security/index.ts';
import type { ReviewService } from '../index.ts';
import type { SigningReview } from './routes.ts';

/** Throws StartError for a key that is not on the list. */
export function signingReview(desk: ReviewService, key: ReviewerKey): SigningReview {
  return {
    reviewer: desk.nameOf(key),
    waiting: () => desk.waiting(),
    waitingElsewhere: () => desk.waitingElsewhere(),
    open: (id) => desk.open(id),
    approve: (id) => desk.approve(id, key),
    reject: (id, note) => desk.reject(id, note, key),
    part: (id, kept) => desk.part(id, kept),
    approvePart: (id, kept) => desk.approvePart(id, kept, key),
    history: () => desk.history(),
    change: (id) => desk.change(id),
  };
}
