// The state, opened: the store, and what this layer makes of it. Previews, decisions and changes are looked at through here; the
// audit trail is written to by `audit`.
import { resolve } from 'node:path';
import { canonicalJson, type StateStore, sha256Hex, type TrailPoint } from '../../state/index.ts';
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
import {
  directoryPlace,
  directoryStore,
  type PlaceHandle,
  type PostgresSource,
  postgresPlace,
  postgresStore,
  type StatePlace,
} from './place.ts';
import { adoptStateDir, checkedStatePlace, openStateDir } from './state-dir.ts';

const TIDY_EVERY_MS = 5 * 60_000;

export interface State {
  readonly store: StateStore;
  readonly place: StatePlace;
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
  /** Hash that stands for the roots that are served: their names and places, or their names where several machines serve them. */
  readonly roots: string;
}

export interface StateSource {
  readonly place: { readonly directory: string } | { readonly postgres: PostgresSource };
  /** The file that names the reviewers and their keys. */
  readonly reviewers?: string | undefined;
}

/** What another thread needs to open the same. Plain data. */
export interface StateHandle {
  readonly place: PlaceHandle;
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
  const places = 'directory' in source.place ? [checkedStatePlace(source.place.directory, roots)] : [];
  if (places.length === 0) requireNames(policy);
  if (source.reviewers === undefined) {
    // Every change would wait for ever.
    if (canCome(policy, 'human'))
      throw new StartError(
        `${policy.approval === 'human' ? '--approval human' : 'a policy by which a change can need a person'} needs reviewers: name the file that lists them with --reviewers; "config-airlock keygen NAME" prints a line for it`,
      );
    return { roots, reviewersFile: undefined };
  }
  const reviewersFile = { file: resolve(source.reviewers), forbidden: [...roots, ...places] };
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
  const opened = await openStore(source.place, policy.roots);
  try {
    // Another machine may have the same folder elsewhere.
    const places = policy.roots.map(({ name }, index) =>
      'directory' in source.place ? { name, place: roots[index] ?? '' } : { name },
    );
    const state = stateOn(opened, { reviewersFile, roots: sha256Hex(canonicalJson(places)) }, log, now);
    await logTrailHead(state);
    return state;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** The store alone. `evenDamaged`: whatever is wrong with its trail, for a command that says what that is. Throws StartError. */
export async function openStoreIn(
  place: StateSource['place'],
  roots: Policy['roots'],
  evenDamaged = false,
): Promise<{ readonly store: StateStore; readonly close: () => Promise<void> }> {
  const opened = await openStore(place, roots, evenDamaged);
  return { store: refusing(opened.store), close: opened.close };
}

/** For another thread of this process: the very directory that was opened at start, or none. Throws StartError. */
export async function reopenState({ place, ...kept }: StateHandle, log: Log): Promise<State> {
  if ('directory' in place) return reopenStateIn(place.directory, kept, log);
  const { postgres } = place;
  const opened = { place: postgresPlace(postgres), store: await postgresStore(postgres) };
  return stateOn(opened, kept, log, () => new Date());
}

/** The same, for a directory. */
export function reopenStateIn(handle: DirectoryHandle, kept: Omit<StateHandle, 'place'>, log: Log): State {
  const dir = adoptStateDir(handle);
  const opened = { place: directoryPlace(dir), store: directoryStore(dir) };
  return stateOn(opened, kept, log, () => new Date());
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

export function toHandle({ place, reviewersFile, roots }: State): StateHandle {
  return { place: place.handle, reviewersFile, roots };
}

export async function closeState({ store, place }: State): Promise<void> {
  await store.close();
  place.close();
}

/** For whoever keeps the log elsewhere: a state that was put back to an older one has an older end. */
async function logTrailHead({ store, log }: State): Promise<void> {
  try {
    log.anchor('audit_trail', await store.head());
  } catch {
    log.notice('error', 'audit_trail_not_whole');
  }
}

type Opened = Pick<State, 'place' | 'store'>;

/** The store as it is: what goes wrong in it is a StateFault. Throws StartError. */
export async function openStore(
  source: StateSource['place'],
  roots: Policy['roots'],
  evenDamaged = false,
): Promise<Opened & { readonly close: () => Promise<void> }> {
  if ('postgres' in source) {
    const store = await postgresStore(source.postgres, evenDamaged);
    return { place: postgresPlace(source.postgres), store, close: () => store.close() };
  }
  const dir = openStateDir(source.directory, roots);
  try {
    const store = directoryStore(dir, evenDamaged);
    const close = async () => {
      await store.close();
      dir.close();
    };
    return { place: directoryPlace(dir), store, close };
  } catch (error) {
    dir.close();
    throw error;
  }
}

/** Other machines know a root by its name. */
function requireNames({ roots }: Policy): void {
  if (roots.some(({ name }) => name === undefined))
    throw new StartError(
      'the state is shared with other machines, and they know a root by its name: give each one, as in --root NAME=DIR',
    );
}

function stateOn(
  { place, store: opened }: Opened,
  { reviewersFile, roots }: Pick<State, 'reviewersFile' | 'roots'>,
  log: Log,
  now: () => Date,
): State {
  const store = refusing(opened, log);
  const reviewers = () => reviewersNow(reviewersFile, log);
  const requireRoom = () => requireRoomIn(place);
  return {
    ...{ store, place, log, now, requireRoom, reviewers, reviewersFile, roots },
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

function requireRoomIn(place: StatePlace): void {
  const lacksRoom = place.lacksRoom();
  if (lacksRoom === undefined) return;
  const isFull = lacksRoom === 'full';
  const why = isFull ? 'the audit trail is full' : 'the disk of the state is almost full';
  const way = isFull ? 'start the server with a new --state-dir, and keep the old one' : 'free some of it';
  throw new Refusal('NO_SPACE', `Cannot record more changes: ${why}. The operator should ${way}.`);
}
