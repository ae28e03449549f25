// Removes what killed processes left in the roots: temporary files and dead locks. Touches nothing but plain files of
// this user with one of our random names and one link, and only while holding their folder's lock, so never the
// temporary file of a living server. Bounded; what it does not reach, or the system does not permit, stays for the
// next start.
import type { Log } from '../audit/log.ts';
import type { HeldDirectory } from '../containment/held.ts';
import type { PinnedRoot } from '../containment/roots.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { closing } from '../fs/fd-io.ts';
import { hasDeadLock, type LockRequest, lockFolder } from '../locking/lock.ts';
import { isBreakerName, isTempName, LOCK_NAME } from '../paths/denylist.ts';

const MAX_ENTRIES = 50_000;
const MAX_DEPTH = 64;

type Root = Pick<PinnedRoot, 'name' | 'directory'>;
type Visibility = (components: readonly string[]) => boolean;

/** `isVisible` tells which folders a commit could have written to. */
export function sweep(
  roots: readonly Root[],
  isVisible: Visibility,
  { isOver, log }: Pick<LockRequest, 'isOver'> & { readonly log: Log },
): void {
  let count = 0;
  for (const root of roots)
    visit(root.directory, isVisible, (directory, names) => {
      count += removeLeftovers(directory, names, isOver);
    });
  if (count > 0) log.notice('warn', 'leftovers_swept', { count });
}

/** For a server that may not write: says that something waits, and touches nothing. */
export function lookForLeftovers(roots: readonly Root[], isVisible: Visibility, log: Log): void {
  let count = 0;
  for (const root of roots)
    visit(root.directory, isVisible, (directory) => {
      if (ignoring('expected', () => hasDeadLock(directory)) === true) count += 1;
    });
  if (count > 0) log.notice('warn', 'recovery_waiting', { reason: 'read_only', count });
}

/** Calls `act` for every folder that holds a file of ours. */
function visit(
  root: HeldDirectory,
  isVisible: Visibility,
  act: (directory: HeldDirectory, names: readonly string[]) => void,
): void {
  let budget = MAX_ENTRIES;
  const folder = (directory: HeldDirectory, path: readonly string[]): void => {
    const { entries } = ignoring('expected', () => directory.entries(budget)) ?? { entries: [] };
    budget -= entries.length;
    const names = entries.map(({ name }) => name).filter(isOurs);
    if (names.length > 0) act(directory, names);
    if (path.length >= MAX_DEPTH) return;
    for (const { name, hint } of entries) {
      const inside = [...path, name];
      if (budget <= 0 || (hint !== 'directory' && hint !== 'unknown') || !isVisible(inside)) continue;
      const inner = ignoring('expected', () => directory.enter(name));
      if (inner === undefined || typeof inner === 'string') continue;
      closing(inner, () => folder(inner, inside));
    }
  };
  folder(root, []);
}

function isOurs(name: string): boolean {
  return name === LOCK_NAME || isTempName(name) || isBreakerName(name);
}

function removeLeftovers(
  directory: HeldDirectory,
  names: readonly string[],
  isOver: LockRequest['isOver'],
): number {
  // Taking the lock breaks a dead one; a live one is left alone, and so is that of a batch that has not ended.
  const lock = ignoring('expected', () => lockFolder(directory, { waitMs: 0, isOver }));
  if (lock === undefined) return 0;
  try {
    // Nobody needs the right to break a lock that was there before ours.
    return names.filter((name) => name !== LOCK_NAME && removed(directory, name)).length;
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
