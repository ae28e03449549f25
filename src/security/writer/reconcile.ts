// How a change ended that was begun and not finished: the files themselves tell. At the start for those whose
// process was killed, and at once for a commit that failed.

import type { PlanFile } from '../approval/preview.ts';
import type { AuditOutcome } from '../audit/log-fields.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { RecordedChange } from '../store/change-store.ts';
import type { State } from '../store/state.ts';

interface SettleContext {
  readonly state: State;
  readonly sandbox: Sandbox;
}

/** So long somebody else may still be putting a batch right that was cut in half. */
const PATIENCE_MS = 60_000;

/** After the sandbox has brought its folders in order. Leaves an audit record of each. Never throws. */
export function settleOrphans({ state, sandbox }: SettleContext): void {
  for (const id of orLeftOpen(() => state.changes.orphans()) ?? []) {
    orLeftOpen(() => settleOrphan(id, { state, sandbox }));
  }
}

/** `hasBegun`: whether the commit came to the point from which on files are replaced. Never throws. */
export function settleFailed(id: string, hasBegun: boolean, { state, sandbox }: SettleContext): void {
  orLeftOpen(() => {
    const change = state.changes.find(id);
    if (change === undefined) return;
    const isAnywhere = hasBegun && change.files.some((file) => shaNow(file, sandbox) === file.result_sha256);
    if (isAnywhere) state.changes.finish(id);
    else forget(change, state);
  });
}

function settleOrphan(id: string, { state, sandbox }: SettleContext): void {
  const change = state.changes.find(id);
  if (change === undefined) {
    // Its process died before the record was whole, and then no file was touched; or somebody has written to it
    // since, and then it is no record any more.
    state.changes.finish(id);
    return;
  }
  // The intent is recorded before any file is touched, and the end where there was one: what stands here beside that,
  // somebody has put here, and nothing is to be said in anybody's name.
  const recorded = state.changes.recordedState(id);
  if (recorded === 'ended') state.changes.finish(id);
  if (recorded === 'never begun') forget(change, state);
  if (recorded !== 'begun') return;
  // Somebody else has applied the preview; this one never got so far.
  const isLoser = change.plan !== undefined && state.plans.changeOf(change.plan) !== id;
  const ending = isLoser ? 'rolled_back' : endingOf(change, sandbox);
  if (ending === 'unknown' && Date.now() - state.changes.openedAtMs(id) < PATIENCE_MS) return;
  record(change, ending, state);
  if (ending === 'rolled_back') forget(change, state);
  else state.changes.finish(id);
}

function endingOf({ files }: RecordedChange, sandbox: Sandbox): AuditOutcome {
  const now = files.map((file) => ({ file, sha256: shaNow(file, sandbox) }));
  if (now.every(({ file, sha256 }) => sha256 === file.result_sha256)) return 'applied';
  if (now.every(({ file, sha256 }) => sha256 === file.base_sha256)) return 'rolled_back';
  return 'unknown';
}

/** Nothing came of it: the preview, if it was one, can be tried again. */
function forget({ id, plan }: RecordedChange, state: State): void {
  state.changes.abandon(id);
  if (plan !== undefined) state.plans.release(plan, id);
}

function record(
  { id, plan, confirmed_by, reviewer, files }: RecordedChange,
  outcome: AuditOutcome,
  { log }: State,
): void {
  for (const { file, base_sha256, result_sha256 } of files) {
    log.audit({
      action: 'recover',
      ...{ outcome, file, base_sha256, result_sha256, plan, change_id: id, confirmed_by, reviewer },
    });
  }
}

/** Undefined where it cannot be read, for whatever reason. */
function shaNow({ file }: PlanFile, sandbox: Sandbox): string | undefined {
  return orLeftOpen(() => sandbox.open(sandbox.parse(file)).read().sha256);
}

function orLeftOpen<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    // What cannot be settled now stays open, and is looked at again at the next start.
    return undefined;
  }
}
