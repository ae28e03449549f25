// The desk with one reviewer's key in hand. The key is in the closure of these functions and nowhere else.
import type { ReviewerKey } from '../../security/index.ts';
import type { ReviewDesk } from '../index.ts';
import type { DeskWithKey } from './routes.ts';

export function deskWithKey(desk: ReviewDesk, key: ReviewerKey, reviewer: string): DeskWithKey {
  return {
    reviewer,
    waiting: () => desk.waiting(),
    open: (id) => ({ ...desk.open(id), parts: [] }),
    approve: (id) => desk.approve(id, key),
    reject: (id, note) => desk.reject(id, note, key),
    history: () => desk.history(),
    filesOf: (changeId) => desk.change(changeId).files,
  };
}
