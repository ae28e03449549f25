// Puts the parts of one collection into the order of another's.
import { type Collection, type Entry, type Item, isSectional, partsOf } from '../tree/span-tree.ts';

/**
 * The parts of `after`, in the order of those of `before` where they stand in sections: the order of tables and keys says
 * nothing there, and depends on where their sections are. What is new stands in the place of what is gone, or last.
 */
export function partsLike(before: Collection, after: Collection): readonly (Entry | Item)[] {
  if (before.kind !== 'mapping' || after.kind !== 'mapping') return partsOf(after);
  if (!isSectional(before) && !isSectional(after)) return after.entries;
  const names = new Set(after.entries.map(({ name }) => name));
  const places = new Map(before.entries.map(({ name }, index) => [name, index]));
  const gone = [...places].flatMap(([name, index]) => (names.has(name) ? [] : [index]));
  let next = 0;
  const placed = after.entries.map((entry) => {
    const place = places.get(entry.name) ?? gone[next++] ?? before.entries.length;
    return { entry, place };
  });
  return placed.sort((a, b) => a.place - b.place).map(({ entry }) => entry);
}
