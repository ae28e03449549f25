// Compares lists of named items, and of different texts, by their items and by their order. A list in another order has the
// same data for readers that look items up, and other data for those that go through them.
import { namesIn } from '../tree/item-names.ts';
import { indexSegment, keySegment, type NodePath } from '../tree/node-path.ts';
import type { SequenceNode, SpanNode } from '../tree/span-tree.ts';

/** Answers the items' names: their "name" or "id", or their texts; undefined for an item without a name of its own. */
export function itemNames(list: SequenceNode): readonly (string | undefined)[] {
  const texts = list.items.map(({ value }) => (value.kind === 'scalar' ? `text ${value.value}` : undefined));
  const isOfTexts = !texts.includes(undefined) && new Set(texts).size === texts.length;
  return isOfTexts ? texts : namesIn(list);
}

export interface Reordered {
  readonly path: NodePath;
  readonly next: SequenceNode;
  /** The names that both lists have, in the order of each. */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Yields the lists whose order differs; `path` is the path of the two nodes. */
export function* reorderedLists(old: SpanNode, next: SpanNode, path: NodePath): Generator<Reordered> {
  if (old.kind === 'mapping' && next.kind === 'mapping') {
    for (const { name, value } of next.entries) {
      const same = old.entries.find((entry) => entry.name === name);
      if (name !== undefined && same !== undefined)
        yield* reorderedLists(same.value, value, [...path, keySegment(name)]);
    }
    return;
  }
  if (old.kind !== 'sequence' || next.kind !== 'sequence') return;
  const [before, after] = [known(itemNames(old)), known(itemNames(next))];
  if (before === undefined || after === undefined) return;
  const [from, to] = [
    before.filter((name) => after.includes(name)),
    after.filter((name) => before.includes(name)),
  ];
  if (from.some((name, index) => name !== to[index])) yield { path, next, from, to };
  for (const [index, { value }] of next.items.entries()) {
    const same = old.items[before.indexOf(after[index] ?? '')];
    if (same !== undefined) yield* reorderedLists(same.value, value, [...path, indexSegment(index)]);
  }
}

function known(names: readonly (string | undefined)[]): readonly string[] | undefined {
  const all = names.flatMap((name) => name ?? []);
  return all.length === names.length ? all : undefined;
}
