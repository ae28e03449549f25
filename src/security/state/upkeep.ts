// Erases what a state keeps of files, for the operator.
import { StateFault } from '../../state/driver.ts';
import type { Caller } from '../../state/preview.ts';
import { recordedEvent } from '../audit/recorded-event.ts';
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
  const event = { type: 'erased', caller } as const;
  try {
    const erased = await store.erase(before.toISOString(), recordedEvent(event, new Date()));
    return { erased, open: (await store.open()).length };
  } catch (error) {
    throw explained(error);
  } finally {
    await close();
  }
}

/** An open write that the operator is asked about. */
export interface AskedWrite {
  readonly id: string;
  readonly since: string;
  readonly files: readonly string[];
}

/**
 * Records that what came of an open write is unknown, if `confirm` agrees: its server cannot settle it any more. Returns undefined if
 * no open write has this id. Throws StartError and Refusal.
 */
export async function endOpenWrite(
  location: StateSource['location'],
  name: string,
  { caller, confirm }: { caller: Caller; confirm: (write: AskedWrite) => Promise<boolean> },
): Promise<boolean | undefined> {
  const { store, close } = await openStore(location, []);
  try {
    const { id = '', status } = (await store.find(name)) ?? {};
    const begun = status?.write === 'open' ? status.begun?.event : undefined;
    if (begun === undefined) return undefined;
    const { files, confirmed_by, reviewer } = begun;
    const asked = { id, since: begun.time, files: files.map(({ file }) => file) };
    if (!(await confirm(asked))) return false;
    const who = { files, caller, confirmed_by, reviewer };
    await store.end(recordedEvent({ type: 'unknown', about: id, settled: true, ...who }, new Date()));
    return true;
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
