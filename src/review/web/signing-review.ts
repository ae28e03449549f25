// The review with one reviewer's key, which is in the closure of these functions and nowhere else.
import type { ReviewerKey } from '../../security/index.ts';
import type { ReviewService } from '../index.ts';

export type SigningReview = ReturnType<typeof signingReview>;

/** Throws StartError for a key that is not on the list. */
export function signingReview(service: ReviewService, key: ReviewerKey) {
  return {
    reviewer: service.nameOf(key),
    waiting: () => service.waiting(),
    waitingElsewhere: () => service.waitingElsewhere(),
    open: (id: string) => service.open(id),
    approve: (id: string) => service.approve(id, key),
    reject: (id: string, note: string) => service.reject(id, note, key),
    part: (id: string, selected: readonly number[]) => service.part(id, selected),
    approvePart: (id: string, selected: readonly number[]) => service.approvePart(id, selected, key),
    history: () => service.history(),
    change: (id: string) => service.change(id),
  };
}
