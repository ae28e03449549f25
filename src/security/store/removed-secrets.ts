// The masked values that changes have removed, which undoing one brings back. They are kept with the change, and nowhere else.
import type { Secret } from '../secrets/masked-text.ts';
import type { ChangeStore } from './change-store.ts';

/** Of the latest: older changes are seldom undone, and each is read whole. */
const MOST_CHANGES = 300;

export function recallRemoved(
  changes: Pick<ChangeStore, 'ids' | 'exactlyOf'>,
  placeholder: string,
): Secret | undefined {
  for (const id of changes.ids().slice(0, MOST_CHANGES)) {
    const removed = changes.exactlyOf(id).flatMap((change) => change.removed);
    const found = removed.find((secret) => secret.placeholder === placeholder);
    if (found !== undefined) return found;
  }
  return undefined;
}
