// Compares two lists in which the same text may stand several times.

/** Returns those of `items` that have no partner of the same text among `others`; each of these is the partner of one. */
export function unmatched<Item>(
  items: readonly Item[],
  others: readonly Item[],
  textOf: (item: Item) => string,
): readonly Item[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(textOf(other), (left.get(textOf(other)) ?? 0) + 1);
  return items.filter((item) => {
    const count = left.get(textOf(item)) ?? 0;
    left.set(textOf(item), count - 1);
    return count <= 0;
  });
}
