// Brings in order what a killed server left behind: unfinished batches, temporary files, dead locks. Touches
// nothing but plain files of this user with one of our random names and one link, and only while holding
// their folder's lock, so never the temporary file of a server that lives. Bounded; what it does not reach, or the
// system does not permit, stays for the next start.
import type { Log } from '../audit/log.ts';
import type { HeldDirectory } from '../containment/held.ts';
import type { PinnedRoot } from '../containment/roots.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { closing } from '../fs/fd-io.ts';
import type { FolderName } from '../locking/intent.ts';
import { hasDeadLock, lockFolder } from '../locking/lock.ts';
import { batchOf, isBreakerName, isJournalName, isTempName, LOCK_NAME } from '../paths/denylist.ts';
import type { Recovery } from './recovery.ts';
import type { FolderAt } from './recovery-record.ts';

const MAX_ENTRIES = 50_000;
const MAX_DEPTH = 64;

type Root = Pick<PinnedRoot, 'name' | 'directory'>;
type Visibility = (components: readonly string[]) => boolean;

/** `isVisible` tells which folders a commit could have written to. */
export function sweep(
  roots: readonly Root[],
  isVisible: Visibility,
  { recovery, log }: { readonly recovery: Recovery; readonly log: Log },
): void {
  let count = 0;
  const tidy = (at: FolderAt, names: readonly string[]) => {
    count += removeLeftovers(at, names, recovery);
  };
  for (const root of roots) visit(root, isVisible, tidy);
  if (count > 0) log.notice('warn', 'leftovers_swept', { count });
}

/** For a server that may not write: says that something waits, and touches nothing. */
export function lookForLeftovers(roots: readonly Root[], isVisible: Visibility, log: Log): void {
  let count = 0;
  const look = ({ directory }: FolderAt, names: readonly string[]) => {
    const isWaiting =
      names.some(isJournalName) || ignoring('expected', () => hasDeadLock(directory)) === true;
    if (isWaiting) count += 1;
  };
  for (const root of roots) visit(root, isVisible, look);
  if (count > 0) log.notice('warn', 'recovery_waiting', { reason: 'read_only', count });
}

/** Calls `act` for every folder that holds a file of ours. */
function visit(
  root: Root,
  isVisible: Visibility,
  act: (at: FolderAt, names: readonly string[]) => void,
): void {
  let budget = MAX_ENTRIES;
  const folder = (directory: HeldDirectory, path: FolderName['path']): void => {
    const { entries } = ignoring('expected', () => directory.entries(budget)) ?? { entries: [] };
    budget -= entries.length;
    const names = entries.map(({ name }) => name);
    if (names.some(isOurs)) act({ name: { root: root.name, path }, directory }, names);
    if (path.length >= MAX_DEPTH) return;
    for (const { name, hint } of entries) {
      const inside = [...path, name];
      if (budget <= 0 || (hint !== 'directory' && hint !== 'unknown') || !isVisible(inside)) continue;
      const inner = ignoring('expected', () => directory.enter(name));
      if (inner === undefined || typeof inner === 'string') continue;
      closing(inner, () => folder(inner, inside));
    }
  };
  folder(root.directory, []);
}

function isOurs(name: string): boolean {
  return name === LOCK_NAME || isTempName(name) || isJournalName(name) || isBreakerName(name);
}

function removeLeftovers(at: FolderAt, names: readonly string[], recovery: Recovery): number {
  // Taking the lock breaks a dead one; a live one means that its owner is at work, and is left alone.
  const lock = ignoring('expected', () =>
    lockFolder(at.directory, { waitMs: 0, recover: (intent) => recovery.recover(at, intent) }),
  );
  if (lock === undefined) return 0;
  try {
    const waiting = names
      .filter(isJournalName)
      .map(batchOf)
      .filter((batch) => ignoring('expected', () => recovery.recoverJournal(at, batch)) !== true);
    // Nobody needs the right to break a lock that was there before ours.
    const done = names.filter(
      (name) => isBreakerName(name) || (isTempName(name) && !waiting.includes(batchOf(name))),
    );
    return done.filter((name) => removed(at.directory, name)).length;
  } finally {
    lock.release();
  }
}

function removed(directory: HeldDirectory, name: string): boolean {
  const facts = ignoring('expected', () => directory.look(name));
  if (facts?.kind !== 'file' || facts.links !== 1) return false;
  if (facts.uid !== (process.geteuid?.() ?? facts.uid)) return false;
  const isGone = ignoring('expected', () => {
    directory.unlink(name);
    return true;
  });
  return isGone === true;
}
