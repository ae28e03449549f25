// The state, opened: the store, and what this layer makes of it. Previews, decisions and changes are looked at through here; the
// audit trail is written to by `audit`.
import { resolve } from 'node:path';
import {
  canonicalJson,
  NoEngine,
  openSqliteStore,
  StateFault,
  type StateStore,
  sha256Hex,
  type TrailPoint,
  unusableStore,
} from '../../state/index.ts';
import { Decisions } from '../approval/decisions.ts';
import { Previews } from '../approval/previews.ts';
import {
  type Reviewer,
  type ReviewersSource,
  readReviewers,
  requireApprovers,
  reviewersNow,
} from '../approval/reviewers.ts';
import { type AuditEvent, trailRecordOf } from '../audit/audit-record.ts';
import type { Log } from '../audit/log.ts';
import { refusing } from '../audit/state-refusal.ts';
import type { DirectoryHandle } from '../containment/roots.ts';
import { Refusal } from '../errors/refusal.ts';
import { StartError } from '../errors/start-error.ts';
import { canCome, type Policy } from '../policy/policy.ts';
import { requireServablePolicy } from '../sandbox/open-sandbox.ts';
import { Changes } from './changes.ts';
import { adoptStateDir, checkedStatePlace, openStateDir, type StateDir } from './state-dir.ts';

const TIDY_EVERY_MS = 5 * 60_000;

export interface State {
  readonly store: StateStore;
  readonly dir: StateDir;
  readonly previews: Previews;
  readonly decisions: Decisions;
  readonly changes: Changes;
  /** Appends to the audit trail. `isDurable`: it survives a power cut. */
  readonly audit: (events: readonly AuditEvent[], isDurable?: boolean) => Promise<TrailPoint>;
  readonly log: Log;
  readonly now: () => Date;
  /** Throws NO_SPACE for what no person has asked for, where only people's decisions still have room. */
  readonly requireRoom: () => void;
  /** Who may approve at this moment. */
  readonly reviewers: () => readonly Reviewer[];
  readonly reviewersFile: ReviewersSource | undefined;
  /** Hash of the names and places of the roots that are served. */
  readonly roots: string;
}

export interface StateSource {
  readonly dir: string;
  /** The file that names the reviewers and their keys. */
  readonly reviewers?: string | undefined;
}

/** What another thread needs to open the same. Plain data. */
export interface StateHandle {
  readonly dir: DirectoryHandle;
  readonly reviewersFile: ReviewersSource | undefined;
  readonly roots: string;
}

/** Throws StartError for settings that `openState` or `openSandbox` would refuse. Opens nothing, and makes nothing. */
export function requireServable(
  source: StateSource,
  policy: Policy,
): { readonly roots: readonly string[]; readonly reviewersFile: ReviewersSource | undefined } {
  // A root that cannot be served is the better reason.
  const roots = requireServablePolicy(policy);
  const place = checkedStatePlace(source.dir, roots);
  if (source.reviewers === undefined) {
    // Every change would wait for ever.
    if (canCome(policy, 'human'))
      throw new StartError(
        `${policy.approval === 'human' ? '--approval human' : 'a policy by which a change can need a person'} needs reviewers: name the file that lists them with --reviewers; "config-airlock keygen NAME" prints a line for it`,
      );
    return { roots, reviewersFile: undefined };
  }
  const reviewersFile = { file: resolve(source.reviewers), forbidden: [...roots, place] };
  // Once here, where it stops the start, and again for each decision.
  requireApprovers(policy.changes, readReviewers(reviewersFile.file, reviewersFile.forbidden));
  return { roots, reviewersFile };
}

/** Throws StartError. `now` is for tests; nothing that an operator or an agent says reaches it. */
export async function openState(
  source: StateSource,
  policy: Policy,
  log: Log,
  now = () => new Date(),
): Promise<State> {
  // Nothing may be made before it is known that all of it can be served.
  const { roots, reviewersFile } = requireServable(source, policy);
  const dir = openStateDir(source.dir, policy.roots);
  try {
    const places = policy.roots.map(({ name }, index) => ({ name, place: roots[index] ?? '' }));
    const state = stateOn({ dir, reviewersFile, roots: sha256Hex(canonicalJson(places)) }, log, now);
    await logTrailHead(state);
    return state;
  } catch (error) {
    dir.close();
    throw error;
  }
}

/** The store alone, whatever is wrong with its trail: for a command that says what that is. Throws StartError. */
export function openStoreIn(
  dir: string,
  roots: Policy['roots'],
): { readonly store: StateStore; readonly close: () => Promise<void> } {
  const opened = openStateDir(dir, roots);
  const store = refusing(storeIn(opened, true));
  return {
    store,
    close: async () => {
      await store.close();
      opened.close();
    },
  };
}

/** For another thread of this process: the very directory that was opened at start, or none. */
export function reopenState({ dir, ...kept }: StateHandle, log: Log): State {
  return stateOn({ dir: adoptStateDir(dir), ...kept }, log, () => new Date());
}

/** Removes whole texts as they expire, not only at the next start. Keeps no process alive. */
export function startExpiryTimer(state: State): void {
  // A disk that fails is reported by the next call that needs it.
  setInterval(() => void tidy(state).catch(() => undefined), TIDY_EVERY_MS).unref();
}

/** Drops the previews that have expired. */
export async function tidy({ store, now }: State): Promise<void> {
  await store.dropExpired(now().toISOString());
}

export function toHandle({ dir, reviewersFile, roots }: State): StateHandle {
  return { dir: dir.handle, reviewersFile, roots };
}

export async function closeState({ store, dir }: State): Promise<void> {
  await store.close();
  dir.close();
}

/** For whoever keeps the log elsewhere: a state that was put back to an older one has an older end. */
async function logTrailHead({ store, log }: State): Promise<void> {
  try {
    log.anchor('audit_trail', await store.head());
  } catch {
    log.notice('error', 'audit_trail_not_whole');
  }
}

type StateContext = Pick<State, 'dir' | 'reviewersFile' | 'roots'>;

function stateOn({ dir, reviewersFile, roots }: StateContext, log: Log, now: () => Date): State {
  const store = refusing(storeIn(dir), log);
  const reviewers = () => reviewersNow(reviewersFile, log);
  const requireRoom = () => requireRoomIn(dir);
  return {
    ...{ store, dir, log, now, requireRoom, reviewers, reviewersFile, roots },
    previews: new Previews({ store, log, roots, now, requireRoom }),
    decisions: new Decisions({ store, reviewers, log }),
    changes: new Changes(store, roots),
    audit: (events, isDurable = true) =>
      store.append(
        events.map((event) => trailRecordOf(event, now())),
        isDurable,
      ),
  };
}

/** A damaged state, or a newer one, lets files be read; each operation on it says what is wrong. Throws StartError where no engine can be had. */
function storeIn(dir: StateDir, evenDamaged = false): StateStore {
  try {
    return openSqliteStore({ file: dir.database(), check: () => dir.requireSame(), evenDamaged });
  } catch (error) {
    if (error instanceof StateFault) return unusableStore(error);
    if (error instanceof NoEngine) throw new StartError(error.message);
    throw error;
  }
}

function requireRoomIn({ lacksRoom }: StateDir): void {
  if (lacksRoom === undefined) return;
  const isFull = lacksRoom === 'full';
  const why = isFull ? 'the audit trail is full' : 'the disk of the state is almost full';
  const way = isFull ? 'start the server with a new --state-dir, and keep the old one' : 'free some of it';
  throw new Refusal('NO_SPACE', `Cannot record more changes: ${why}. The operator should ${way}.`);
}
