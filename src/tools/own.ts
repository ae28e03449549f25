// Loads previews and changes for those to whom they belong.
import {
  type Asker,
  approvalDeclined,
  type DecisionStatus,
  type KeptChange,
  ownerOf,
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

/**
 * Returns the context of an undo. The change is `undoing` only for the principal who made it: the verified one, or whoever uses
 * this machine where the state is not shared; and no longer once a part of it was undone. A command of the operator may undo it, under all rules.
 */
export async function undoingOwn(change: KeptChange | undefined, context: CallContext): Promise<CallContext> {
  const { caller, isOperator = false, policy } = context;
  if (policy.changes.undoWithinMs === undefined) return context;
  const isSole = caller.scopes !== undefined || !(await backendIn(context).facts({})).isShared;
  const isWhole = change !== undefined && change.isUndoneInPart !== true;
  const isMade = isWhole && ownerOf(caller) === ownerOf(change.caller);
  return { ...context, undoing: !isOperator && isSole && isMade ? change : undefined };
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
