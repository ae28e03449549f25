// Opens the state: the store, the audit trail in it, and the reviewers. All failures of the store become refusals here.
import { resolve } from 'node:path';
import { canonicalJson, sha256Hex } from '../../state/canonical.ts';
import type { TrailPoint } from '../../state/event.ts';
import type { DecisionContext } from '../approval/decisions.ts';
import { ALL_ROOTS } from '../approval/preview.ts';
import {
  currentReviewers,
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
import { closeStore, type OpenedStore, openStore, type StateLocation } from './open-store.ts';
import { checkedStateDirPath } from './state-dir.ts';

const TIDY_EVERY_MS = 5 * 60_000;

export interface State extends OpenedStore, Pick<DecisionContext, 'reviewers' | 'log'> {
  /** Appends to the audit trail. With `isDurable` the records survive a power cut. */
  readonly audit: (events: readonly AuditEvent[], isDurable?: boolean) => Promise<TrailPoint>;
  readonly now: () => Date;
  /** Throws NO_SPACE where only decisions of people still have room. */
  readonly requireRoom: () => void;
  readonly reviewersFile: ReviewersSource | undefined;
  /**
   * The hash of the served roots: of their names and real paths, or of their names alone where several machines serve them. It is
   * `ALL_ROOTS` where the files are on another machine.
   */
  readonly roots: string;
}

export interface StateSource {
  readonly location: StateLocation;
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
  const opened = await openStore(source.location, policy.roots);
  const store = withRefusals(opened.store, log);
  try {
    // Other machines may have the same folder at another path, so that only the name counts there.
    const hashed = policy.roots.map(({ name }, index) =>
      opened.isShared ? { name } : { name, place: roots[index] ?? '' },
    );
    await logTrailHead(store, log);
    return {
      ...{ ...opened, store, log, now, reviewersFile },
      roots: policy.roots.length === 0 ? ALL_ROOTS : sha256Hex(canonicalJson(hashed)),
      reviewers: () => currentReviewers(reviewersFile, log),
      requireRoom: () => requireRoomIn(opened),
      audit: (events, isDurable = true) =>
        store.append(
          events.map((event) => recordedEvent(event, now())),
          isDurable,
        ),
    };
  } catch (error) {
    await closeStore(opened);
    throw error;
  }
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

/** Logs the end of the trail, for operators who keep the log elsewhere: a state that was replaced by an older copy has an older end. */
async function logTrailHead(store: State['store'], log: Log): Promise<void> {
  try {
    log.anchor('audit_trail', await store.head());
  } catch {
    log.notice('error', 'audit_trail_not_whole');
  }
}

/** Throws StartError for a root without a name, because other machines know a root by its name. */
function requireNames({ roots }: Policy): void {
  if (roots.some(({ name }) => name === undefined))
    throw new StartError(
      'the state is shared with other machines, and they know a root by its name: give each one, as in --root NAME=DIR',
    );
}

/** Returns why agents may not add to the state; undefined if they may. People who run a database server watch its disk. */
export function shortageOf({ isShared, dir }: Pick<State, 'isShared' | 'dir'>): 'full' | 'disk' | undefined {
  return isShared ? undefined : dir?.shortage;
}

function requireRoomIn(opened: OpenedStore): void {
  const shortage = shortageOf(opened);
  if (shortage === undefined) return;
  const isFull = shortage === 'full';
  const why = isFull ? 'the audit trail is full' : 'the disk of the state is almost full';
  const remedy = isFull ? 'start the server with a new --state-dir, and keep the old one' : 'free some of it';
  throw new Refusal('NO_SPACE', `Cannot record more changes: ${why}. The operator should ${remedy}.`);
}
