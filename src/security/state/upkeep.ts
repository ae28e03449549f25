// What an operator does with a state as a whole: erase what it keeps of files, and copy it to another place.
import { type Caller, type CopiedState, copyState, StateFault, type StateStore } from '../../state/index.ts';
import { trailRecordOf } from '../audit/audit-record.ts';
import { stateRefusal } from '../audit/state-refusal.ts';
import { StartError } from '../errors/start-error.ts';
import type { Policy } from '../policy/policy.ts';
import { openStore, type StateSource } from './state.ts';

/** Erases the previews and the ended changes from before this time, with their texts and secrets. Answers how many. */
export async function eraseState(store: StateStore, before: Date, caller: Caller): Promise<number> {
  const event = { action: 'erase', outcome: 'applied', files: [], caller } as const;
  return store.erase(before.toISOString(), trailRecordOf(event, new Date()));
}

/** Throws StartError where a place cannot be used or is not empty, and Refusal for what goes wrong in a store. */
export async function copyBetween(
  from: StateSource['place'],
  to: StateSource['place'],
  roots: Policy['roots'],
): Promise<CopiedState> {
  const [source, target] = [await openStore(from, roots), await openStore(to, roots)];
  try {
    return await copyState(source.store, target.store);
  } catch (error) {
    if (error instanceof StateFault) throw stateRefusal(error);
    throw error instanceof Error ? new StartError(error.message) : error;
  } finally {
    await source.close();
    await target.close();
  }
}
