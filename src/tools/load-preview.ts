// A preview of the caller by its id: to be applied, added to, or read.
import { declined, type StoredPreview } from '../security/index.ts';
import { isOwn } from './own.ts';
import { type CallContext, stateOf } from './tool.ts';

/** Throws PREVIEW_NOT_FOUND, also for another principal's, PREVIEW_USED, PREVIEW_REPLACED or PREVIEW_EXPIRED. */
export function loadPreview(id: string, context: CallContext): Promise<StoredPreview> {
  const { policyFingerprint } = context.sandbox;
  return stateOf(context).previews.load(id, policyFingerprint, (by) => isOwn(context, by));
}

/** Also throws APPROVAL_DECLINED for one that was rejected. `what`: what could not be done with it then. */
export async function loadOpenPreview(
  id: string,
  what: string,
  context: CallContext,
): Promise<StoredPreview> {
  const stored = await loadPreview(id, context);
  const status = await stateOf(context).decisions.status(stored.id, stored.record, stored.status);
  if (status.state === 'rejected') throw declined(status, what);
  return stored;
}
