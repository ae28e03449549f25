// All that is kept in the state directory, opened together: the previews, the changes, and the audit trail, which has
// the decisions and to which the log of this state writes.
import { resolve } from 'node:path';
import { Decisions } from '../approval/decisions.ts';
import {
  type Reviewer,
  type ReviewersSource,
  readReviewers,
  requireApprovers,
  reviewersNow,
} from '../approval/reviewers.ts';
import type { TrailPoint } from '../audit/facts.ts';
import type { Log } from '../audit/log.ts';
import { readHead } from '../audit/record.ts';
import { stateRefusal } from '../audit/state-refusal.ts';
import { AuditTrail } from '../audit/trail.ts';
import type { DirectoryHandle } from '../containment/roots.ts';
import { ignoring, stateGone } from '../errors/io-refusal.ts';
import { unlessRefused } from '../errors/refusal.ts';
import { StartError } from '../errors/start-error.ts';
import { canCome, type Policy } from '../policy/policy.ts';
import { requireServablePolicy } from '../sandbox/open-sandbox.ts';
import { canonicalJson, sha256Hex } from '../text/canonical-json.ts';
import { ChangeStore, changeIds } from './change-store.ts';
import { PreviewStore } from './preview-store.ts';
import { adoptStateDir, checkedStatePlace, openStateDir, type StateDir } from './state-dir.ts';

const TIDY_EVERY_MS = 5 * 60_000;

export interface State {
  readonly dir: StateDir;
  readonly previews: PreviewStore;
  readonly decisions: Decisions;
  readonly changes: ChangeStore;
  readonly trail: AuditTrail;
  /** The same log, but its audit records go into the trail as well. */
  readonly log: Log;
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
  /** Where the trail ended for the thread before. */
  readonly trailEnd?: TrailPoint | undefined;
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
export function openState(source: StateSource, policy: Policy, log: Log, now = () => new Date()): State {
  // Nothing may be made before it is known that all of it can be served.
  const { roots, reviewersFile } = requireServable(source, policy);
  const dir = openStateDir(source.dir, policy.roots);
  try {
    const places = policy.roots.map(({ name }, index) => ({ name, place: roots[index] ?? '' }));
    const state = stateOn({ dir, reviewersFile, roots: sha256Hex(canonicalJson(places)) }, log, now);
    logTrailHead(state);
    return state;
  } catch (error) {
    dir.close();
    throw error;
  }
}

/** For another thread of this process: the very directory that was opened at start, or none. */
export function reopenState({ dir, ...kept }: StateHandle, log: Log): State {
  const state = stateOn({ dir: adoptStateDir(dir), ...kept }, log, () => new Date());
  // Before the time of any call begins. What is wrong with the trail is said by the call that needs it.
  ignoring('all', () => state.trail.readOn());
  return state;
}

/** Throws IO_ERROR, and logs it, where the state directory was removed. */
export function requireStateThere({ dir, log }: State): void {
  const action = 'serve this call';
  if (dir.isRemoved) throw stateRefusal(action, stateGone(action), log);
}

/** Removes whole texts as they expire, not only at the next start. Keeps no process alive. */
export function startExpiryTimer(state: State): void {
  // A disk that fails is reported by the next call that needs it.
  setInterval(() => ignoring('all', () => tidy(state)), TIDY_EVERY_MS).unref();
}

/** Drops what has expired, and what is too much. */
export function tidy({ previews, changes }: State): void {
  // Where another process holds the lock, they go the next time.
  unlessRefused(() => previews.tidy(), ['BUSY']);
  changes.tidy();
}

export function toHandle({ dir, reviewersFile, roots }: State): StateHandle {
  return { dir: dir.handle, reviewersFile, roots };
}

/** For whoever keeps the log elsewhere: a trail that was put back to an older one has an older end. */
function logTrailHead({ dir, log }: State): void {
  const head = readHead(dir.audit);
  if (head === 'unreadable') log.event('error', 'audit_trail_not_whole');
  else if (head !== undefined) log.event('info', 'audit_trail', { count: head.seq, sha256: head.sha256 });
}

type StateContext = Pick<State, 'dir' | 'reviewersFile' | 'roots'> & Pick<StateHandle, 'trailEnd'>;

function stateOn({ dir, reviewersFile, roots, trailEnd }: StateContext, log: Log, now: () => Date): State {
  const kept = () => ({
    previews: previews.remembered,
    changes: new Set(changeIds(dir.changes)),
    at: now().toISOString(),
  });
  const trail = new AuditTrail({
    ...{ folder: dir.audit, lock: () => dir.lock(), now, kept },
    isDiskLow: () => dir.isDiskLow,
    mustMeet: trailEnd,
  });
  const stateLog = log.withTrail(trail);
  const reviewers = () => reviewersNow(reviewersFile, stateLog);
  const decisions = new Decisions({ trail, reviewers, log: stateLog });
  const shared = { trail, log: stateLog, roots, now };
  const previews = new PreviewStore({ folder: dir.previews, texts: dir.texts, decisions, ...shared });
  return {
    ...{ dir, previews, decisions, trail, log: stateLog, reviewers, reviewersFile, roots },
    changes: new ChangeStore({ folder: dir.changes, ...shared }),
  };
}
