// Erases what a state keeps of files, for the operator.
import { type Caller, StateFault } from '../../state/index.ts';
import { trailRecordOf } from '../audit/audit-record.ts';
import { stateRefusal } from '../audit/state-refusal.ts';
import { StartError } from '../errors/start-error.ts';
import type { Policy } from '../policy/policy.ts';
import { openStore, type StateSource } from './state.ts';

export interface Erased {
  /** The number of erased previews and changes. */
  readonly erased: number;
  /** The number of changes without an end, which stay. */
  readonly open: number;
}

/** Erases the previews and ended changes from before this time, with their texts and secrets. Throws StartError and Refusal. */
export async function eraseState(
  location: StateSource['location'],
  roots: Policy['roots'],
  { before, caller }: { readonly before: Date; readonly caller: Caller },
): Promise<Erased> {
  const { store, close } = await openStore(location, roots);
  const event = { action: 'erase', outcome: 'applied', files: [], caller } as const;
  try {
    const erased = await store.erase(before.toISOString(), trailRecordOf(event, new Date()));
    return { erased, open: (await store.openChanges()).length };
  } catch (error) {
    throw explained(error);
  } finally {
    await close();
  }
}

/** Explains a failure to the operator, who may know what a database server says about connections and rights. */
function explained(error: unknown): unknown {
  if (!(error instanceof StateFault)) return error instanceof Error ? new StartError(error.message) : error;
  const { kind, cause } = error;
  return kind === 'unreachable' && cause instanceof Error
    ? new StartError(cause.message)
    : stateRefusal(error);
}
