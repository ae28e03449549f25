// Whose a preview or a change is: ids belong to the principal that a transport has verified. For everybody else they
// answer as ids that do not exist.
import { type Caller, type KeptChange, previewNotFound } from '../security/index.ts';
import { type CallContext, stateOf } from './tool.ts';

/** The operator's commands, which read the state anyway, act on all of them. */
export function isOwn({ caller, isOperator = false }: CallContext, by: Caller | undefined): boolean {
  return isOperator || ownerOf(caller) === ownerOf(by);
}

/** Undefined for whoever uses this machine, where no transport has verified anybody. */
function ownerOf(caller: Caller | undefined): string | undefined {
  return caller?.scopes === undefined ? undefined : caller.principal;
}

/** Throws PREVIEW_NOT_FOUND for another principal's, whatever has become of it. */
export async function requireOwnPreview(name: string, context: CallContext): Promise<void> {
  const by = await stateOf(context).previews.callerOf(name);
  if (!isOwn(context, by)) throw previewNotFound();
}

/** Undefined also for another principal's. Throws READ_ONLY. */
export async function ownChange(name: string, context: CallContext): Promise<KeptChange | undefined> {
  const change = await stateOf(context).changes.find(name);
  return change !== undefined && isOwn(context, change.caller) ? change : undefined;
}
