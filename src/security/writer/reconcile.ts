// Finds out from the files how a change ended that was begun and not finished: at the start for those whose process
// was killed, and at once for a commit that failed. What cannot be decided now stays open until the next start.
import type { PreviewFile } from '../approval/preview.ts';
import type { AuditOutcome } from '../audit/log-fields.ts';
import { ignoring } from '../errors/io-refusal.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { RecordedChange } from '../store/change-store.ts';
import type { State } from '../store/state.ts';

interface ReconcileContext {
  readonly state: State;
  readonly sandbox: Sandbox;
}

/** How long another process may still be recovering an interrupted batch. */
const PATIENCE_MS = 60_000;

/** After the sandbox has brought its folders in order. Leaves an audit record of each. Never throws. */
export function reconcileOrphans({ state, sandbox }: ReconcileContext): void {
  for (const id of ignoring('all', () => state.changes.orphans()) ?? []) {
    ignoring('all', () => reconcileOrphan(id, { state, sandbox }));
  }
}

/** `hasBegun`: whether the commit came to the point from which on files are replaced. Never throws. */
export function reconcileFailed(id: string, hasBegun: boolean, { state, sandbox }: ReconcileContext): void {
  ignoring('all', () => {
    const change = state.changes.find(id);
    if (change === undefined) return;
    const isAnywhere = hasBegun && change.files.some((file) => shaNow(file, sandbox) === file.result_sha256);
    if (isAnywhere) state.changes.finish(id);
    else forget(change, state);
  });
}

function reconcileOrphan(id: string, { state, sandbox }: ReconcileContext): void {
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
  const isLoser = change.preview !== undefined && state.previews.changeOf(change.preview) !== id;
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
function forget({ id }: RecordedChange, state: State): void {
  state.changes.abandon(id);
}

function record(
  { id, preview, confirmed_by, reviewer, files }: RecordedChange,
  outcome: AuditOutcome,
  { log }: State,
): void {
  for (const { file, base_sha256, result_sha256 } of files) {
    log.audit({
      action: 'recover',
      ...{ outcome, file, base_sha256, result_sha256, preview, change_id: id, confirmed_by, reviewer },
    });
  }
}

/** Undefined where it cannot be read, for whatever reason. */
function shaNow({ file }: PreviewFile, sandbox: Sandbox): string | undefined {
  return ignoring('all', () => sandbox.open(sandbox.parse(file)).read().sha256);
}
