// A preview of the caller by its id: to be applied, added to, or read.
import { declined, type State, type StoredPreview } from '../security/index.ts';
import { requireOwnPreview } from './own.ts';
import { type CallContext, stateOf } from './tool.ts';

/** Throws PREVIEW_NOT_FOUND, PREVIEW_USED, PREVIEW_REPLACED or PREVIEW_EXPIRED. Whose it is has been asked already. */
export function loadPreview(
  id: string,
  { previews }: State,
  { sandbox }: CallContext,
): Promise<StoredPreview> {
  return previews.load(id, sandbox.policyFingerprint);
}

/** Also throws APPROVAL_DECLINED for one that was rejected. `what`: what could not be done with it then. */
export async function loadOpenPreview(
  id: string,
  what: string,
  context: CallContext,
): Promise<StoredPreview> {
  await requireOwnPreview(id, context);
  const state = stateOf(context);
  const stored = await loadPreview(id, state, context);
  const status = await state.decisions.status(stored.id, stored.record, stored.status);
  if (status.state === 'rejected') throw declined(status, what);
  return stored;
}
