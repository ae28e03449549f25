// Decides to whom a preview or a change belongs: to the principal that a transport has verified. For everybody else its id
// answers like one that does not exist.
import type { Caller, KeptChange } from '../security/index.ts';
import { type CallContext, stateOf } from './tool.ts';

/** True where it belongs to the caller. The operator's commands own all of them, because they can read the state anyway. */
export function isOwn({ caller, isOperator = false }: CallContext, by: Caller | undefined): boolean {
  return isOperator || ownerOf(caller) === ownerOf(by);
}

/** Answers the principal; undefined for users of this machine, where no transport has verified anybody. */
function ownerOf(caller: Caller | undefined): string | undefined {
  return caller?.scopes === undefined ? undefined : caller.principal;
}

/** Finds a change; undefined also for another principal's. Throws READ_ONLY. */
export async function ownChange(name: string, context: CallContext): Promise<KeptChange | undefined> {
  const change = await stateOf(context).changes.find(name);
  return change !== undefined && isOwn(context, change.caller) ? change : undefined;
}
