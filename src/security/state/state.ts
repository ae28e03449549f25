// Opens the state: the store, the previews, decisions and changes in it, and the audit trail. All failures of the store become
// refusals here.
import { resolve } from 'node:path';
import { canonicalJson, sha256Hex } from '../../state/canonical.ts';
import type { TrailPoint } from '../../state/event.ts';
import type { Store } from '../../state/store.ts';
import { ALL_ROOTS } from '../approval/all-roots.ts';
import { Decisions } from '../approval/decisions.ts';
import { Previews } from '../approval/previews.ts';
import {
  currentReviewers,
  type Reviewer,
  type ReviewersSource,
  readReviewers,
  requireApprovers,
} from '../approval/reviewers.ts';
import type { Log } from '../audit/log.ts';
import { type AuditEvent, recordedEvent } from '../audit/recorded-event.ts';
import { withRefusals } from '../audit/state-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import { StartError } from '../errors/start-error.ts';
import { canCome, type Policy } from '../policy/policy.ts';
import { requireServablePolicy } from '../sandbox/open-sandbox.ts';
import { Changes } from './changes.ts';
import {
  directoryLocation,
  directoryStore,
  type PostgresSource,
  postgresLocation,
  postgresStore,
  type StateLocation,
} from './location.ts';
import { checkedStateDirPath, openStateDir } from './state-dir.ts';

const TIDY_EVERY_MS = 5 * 60_000;

export interface State {
  readonly store: Store;
  readonly location: StateLocation;
  readonly previews: Previews;
  readonly decisions: Decisions;
  readonly changes: Changes;
  /** Appends to the audit trail. With `isDurable` the records survive a power cut. */
  readonly audit: (events: readonly AuditEvent[], isDurable?: boolean) => Promise<TrailPoint>;
  readonly log: Log;
  readonly now: () => Date;
  /** Throws NO_SPACE where only decisions of people still have room. */
  readonly requireRoom: () => void;
  /** Returns who may approve at this moment. */
  readonly reviewers: () => readonly Reviewer[];
  readonly reviewersFile: ReviewersSource | undefined;
  /**
   * The hash of the served roots: of their names and real paths, or of their names alone where several machines serve them. It is
   * `ALL_ROOTS` where the files are on another machine.
   */
  readonly roots: string;
}

export interface StateSource {
  readonly location:
    | { readonly directory: string }
    /** `journal` is the local directory for the journal of writes, which a server needs that can write. */
    | { readonly postgres: PostgresSource; readonly journal: string | undefined };
  /** The path of the file with the reviewers' names and keys. */
  readonly reviewers?: string | undefined;
}

/** Throws StartError for settings that `openState` or `openSandbox` would refuse. Opens and makes nothing. */
export function requireServable(
  source: StateSource,
  policy: Policy,
): { readonly roots: readonly string[]; readonly reviewersFile: ReviewersSource | undefined } {
  // The roots are checked first, because a message about a bad root is the more useful one.
  const roots = requireServablePolicy(policy);
  const { location } = source;
  const dir = 'directory' in location ? location.directory : location.journal;
  if (dir === undefined && roots.length > 0)
    throw new StartError('no state directory: name one with --state-dir, for the journal of writes');
  const stateDirs = dir === undefined ? [] : [checkedStateDirPath(dir, roots)];
  if ('postgres' in location) requireNames(policy);
  if (source.reviewers === undefined) {
    // Without reviewers every change would wait for ever.
    if (canCome(policy, 'human'))
      throw new StartError(
        `${policy.approval === 'human' ? '--approval human' : 'a policy by which a change can need a person'} needs reviewers: name the file that lists them with --reviewers; "config-airlock keygen NAME" prints a line for it`,
      );
    return { roots, reviewersFile: undefined };
  }
  const reviewersFile = { file: resolve(source.reviewers), forbidden: [...roots, ...stateDirs] };
  // The file is read here, where an error stops the start, and again for each decision.
  requireApprovers(policy.changes, readReviewers(reviewersFile.file, reviewersFile.forbidden));
  return { roots, reviewersFile };
}

/** Opens the state. Throws StartError. `now` is for tests; nothing that an operator or an agent says sets it. */
export async function openState(
  source: StateSource,
  policy: Policy,
  log: Log,
  now = () => new Date(),
): Promise<State> {
  // All settings are checked first, so that nothing is made where something cannot be served.
  const { roots, reviewersFile } = requireServable(source, policy);
  const opened = withJournal(await openStore(source.location, policy.roots), source.location, policy.roots);
  try {
    // Other machines may have the same folder at another path, so that only the name counts there.
    const hashed = policy.roots.map(({ name }, index) =>
      'directory' in source.location ? { name, place: roots[index] ?? '' } : { name },
    );
    const served = policy.roots.length === 0 ? ALL_ROOTS : sha256Hex(canonicalJson(hashed));
    const state = stateOn(opened, { reviewersFile, roots: served }, log, now);
    await logTrailHead(state);
    return state;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Opens the store alone. `evenDamaged` also opens one with a damaged trail, for a command that reports the damage. Throws StartError. */
export async function openStoreIn(
  location: StateSource['location'],
  roots: Policy['roots'],
  evenDamaged = false,
): Promise<{ readonly store: Store; readonly close: () => Promise<void> }> {
  const opened = await openStore(location, roots, evenDamaged);
  return { store: withRefusals(opened.store), close: opened.close };
}

/** Removes expired previews regularly, and not only at the start. The timer keeps no process alive. */
export function startExpiryTimer(state: State): void {
  // A failing disk is reported by the next call that needs it.
  setInterval(() => void tidy(state).catch(() => undefined), TIDY_EVERY_MS).unref();
}

/** Removes the previews that have expired. */
export async function tidy({ store, now }: State): Promise<void> {
  await store.dropExpired(now().toISOString());
}

export async function closeState({ store, location }: State): Promise<void> {
  await store.close();
  location.close();
}

/** Logs the end of the trail, for operators who keep the log elsewhere: a state that was replaced by an older copy has an older end. */
async function logTrailHead({ store, log }: State): Promise<void> {
  try {
    log.anchor('audit_trail', await store.head());
  } catch {
    log.notice('error', 'audit_trail_not_whole');
  }
}

type Opened = Pick<State, 'location' | 'store'>;

/** Opens the local directory of the journal as well, for a state in PostgreSQL whose roots are here. */
function withJournal<Store extends Opened>(
  opened: Store,
  source: StateSource['location'],
  roots: Policy['roots'],
): Store {
  if ('directory' in source || source.journal === undefined || roots.length === 0) return opened;
  return { ...opened, location: postgresLocation(source.postgres, openStateDir(source.journal, roots)) };
}

/** Opens the store itself, whose failures are StateFaults. Throws StartError. */
export async function openStore(
  source: StateSource['location'],
  roots: Policy['roots'],
  evenDamaged = false,
): Promise<Opened & { readonly close: () => Promise<void> }> {
  if ('postgres' in source) {
    const store = await postgresStore(source.postgres, evenDamaged);
    return { location: postgresLocation(source.postgres, undefined), store, close: () => store.close() };
  }
  const dir = openStateDir(source.directory, roots);
  try {
    const store = await directoryStore(dir, evenDamaged);
    const close = async () => {
      await store.close();
      dir.close();
    };
    return { location: directoryLocation(dir), store, close };
  } catch (error) {
    dir.close();
    throw error;
  }
}

/** Throws StartError for a root without a name, because other machines know a root by its name. */
function requireNames({ roots }: Policy): void {
  if (roots.some(({ name }) => name === undefined))
    throw new StartError(
      'the state is shared with other machines, and they know a root by its name: give each one, as in --root NAME=DIR',
    );
}

function stateOn(
  { location, store: opened }: Opened,
  { reviewersFile, roots }: Pick<State, 'reviewersFile' | 'roots'>,
  log: Log,
  now: () => Date,
): State {
  const store = withRefusals(opened, log);
  const reviewers = () => currentReviewers(reviewersFile, log);
  const requireRoom = () => requireRoomIn(location);
  return {
    ...{ store, location, log, now, requireRoom, reviewers, reviewersFile, roots },
    previews: new Previews({ store, log, roots, now, requireRoom }),
    decisions: new Decisions({ store, reviewers, log }),
    changes: new Changes(store, roots),
    audit: (events, isDurable = true) =>
      store.append(
        events.map((event) => recordedEvent(event, now())),
        isDurable,
      ),
  };
}

function requireRoomIn(location: StateLocation): void {
  const shortage = location.shortage();
  if (shortage === undefined) return;
  const isFull = shortage === 'full';
  const why = isFull ? 'the audit trail is full' : 'the disk of the state is almost full';
  const remedy = isFull ? 'start the server with a new --state-dir, and keep the old one' : 'free some of it';
  throw new Refusal('NO_SPACE', `Cannot record more changes: ${why}. The operator should ${remedy}.`);
}
