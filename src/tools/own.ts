// Loads previews and changes for those to whom they belong.
import {
  type Asker,
  approvalDeclined,
  type DecisionStatus,
  type KeptChange,
  type StoredPreview,
} from '../security/index.ts';
import { backendIn, type CallContext } from './tool.ts';

/** Finds a change, also by the id of its preview; undefined also for another principal's. Throws READ_ONLY. */
export function ownChange(name: string, context: CallContext): Promise<KeptChange | undefined> {
  return backendIn(context).change({ name, by: askerOf(context) });
}

function askerOf({ caller, isOperator }: Asker): Asker {
  return { caller, isOperator };
}

/** Throws PREVIEW_NOT_FOUND, also for another principal's, PREVIEW_USED, PREVIEW_REPLACED, PREVIEW_EXPIRED, or BUSY for one that is being applied. */
export function loadPreview(name: string, context: CallContext): Promise<StoredPreview> {
  const policy = context.sandbox.policyFingerprint;
  return backendIn(context).load({ name, policy, by: askerOf(context) });
}

/** Also throws APPROVAL_DECLINED for one that was rejected. `what`: what could not be done with it then. */
export async function loadOpenPreview(
  id: string,
  what: string,
  context: CallContext,
): Promise<StoredPreview> {
  const stored = await loadPreview(id, context);
  const status = await decisionOn(stored.id, stored.record, context);
  if (status.state === 'rejected') throw approvalDeclined(status, what);
  return stored;
}

/** Returns what reviewers have decided about a preview that needs this by the rules of today. */
export function decisionOn(
  id: string,
  { needs = [] }: Pick<StoredPreview['record'], 'needs'>,
  context: CallContext,
): Promise<DecisionStatus> {
  return backendIn(context).decided({ id, needs });
}
