// Removes what a killed server left behind: temporary files and dead locks. Touches nothing but plain files
// of this user with one of our random names and one link, and only while holding their folder's lock, so
// never the temporary file of a server that lives. Bounded; what it does not reach stays for the next start.
import type { HeldDirectory } from '../containment/held.ts';
import { Refusal } from '../refusal.ts';
import { lockFolder } from './lock.ts';
import { isTempName, LOCK_NAME } from './own-names.ts';

const MAX_ENTRIES = 50_000;
const MAX_DEPTH = 64;

/** `isVisible` tells which folders a commit could have written to. Answers how many files were removed. */
export function sweep(root: HeldDirectory, isVisible: (components: readonly string[]) => boolean): number {
  let budget = MAX_ENTRIES;
  const folder = (directory: HeldDirectory, above: readonly string[]): number => {
    const { entries } = quietly(() => directory.entries(budget)) ?? { entries: [] };
    budget -= entries.length;
    const isLeft = entries.some(({ name }) => isTempName(name) || name.startsWith(LOCK_NAME));
    let removed = isLeft
      ? removeLeftovers(
          directory,
          entries.map((entry) => entry.name),
        )
      : 0;
    if (above.length >= MAX_DEPTH) return removed;
    for (const { name, hint } of entries) {
      const components = [...above, name];
      if (budget <= 0 || (hint !== 'directory' && hint !== 'unknown') || !isVisible(components)) continue;
      const inner = quietly(() => directory.enter(name));
      if (inner === undefined || typeof inner === 'string') continue;
      try {
        removed += folder(inner, components);
      } finally {
        inner.close();
      }
    }
    return removed;
  };
  return folder(root, []);
}

function removeLeftovers(directory: HeldDirectory, names: readonly string[]): number {
  // Taking the lock breaks a dead one; a live one means that its owner is at work, and is left alone.
  const lock = quietly(() => lockFolder(directory, 0));
  if (lock === undefined) return 0;
  try {
    return names.filter((name) => isTempName(name) && removed(directory, name)).length;
  } finally {
    lock.release();
  }
}

function removed(directory: HeldDirectory, name: string): boolean {
  const entry = quietly(() => directory.hold(name));
  entry?.close();
  if (entry === undefined || entry.facts.kind !== 'file' || entry.facts.links !== 1) return false;
  if (entry.facts.uid !== (process.geteuid?.() ?? entry.facts.uid)) return false;
  return quietly(() => unlinked(directory, name)) ?? false;
}

function unlinked(directory: HeldDirectory, name: string): true {
  directory.unlink(name);
  return true;
}

// A sweep is a courtesy: what the system does not permit stays where it is.
function quietly<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Refusal || (error instanceof Error && 'errno' in error)) return undefined;
    throw error;
  }
}
