// Loads previews and changes for those to whom they belong: the principal that a transport has verified. For everybody else the id
// of one answers like an id that does not exist.
import { approvalDeclined, type Caller, type KeptChange, type StoredPreview } from '../security/index.ts';
import { type CallContext, stateOf } from './tool.ts';

/** True where it belongs to the caller. The operator's commands own all of them, because they can read the state anyway. */
export function isOwn({ caller, isOperator = false }: CallContext, by: Caller | undefined): boolean {
  return isOperator || ownerOf(caller) === ownerOf(by);
}

/** Answers the principal; undefined for users of this machine, where no transport has verified anybody. */
export function ownerOf(caller: Caller | undefined): string | undefined {
  return caller?.scopes === undefined ? undefined : caller.principal;
}

/** Finds a change; undefined also for another principal's. Throws READ_ONLY. */
export async function ownChange(name: string, context: CallContext): Promise<KeptChange | undefined> {
  const change = await stateOf(context).changes.find(name);
  return change !== undefined && isOwn(context, change.caller) ? change : undefined;
}

/**
 * Returns the context of an undo. The change is `undoing` only for the principal who made it: the verified one, or whoever uses
 * this machine where the state is not shared; and no longer once a part of it was undone. A command of the operator may undo it, under all rules.
 */
export function undoingOwn(change: KeptChange | undefined, context: CallContext): CallContext {
  const { caller, isOperator = false, state } = context;
  const isSole = caller.scopes !== undefined || (state !== undefined && 'directory' in state.location.handle);
  const isWhole = change !== undefined && change.isUndoneInPart !== true;
  const isMade = isWhole && ownerOf(caller) === ownerOf(change.caller);
  return { ...context, undoing: !isOperator && isSole && isMade ? change : undefined };
}

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
  if (status.state === 'rejected') throw approvalDeclined(status, what);
  return stored;
}
