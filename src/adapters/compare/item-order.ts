// Lists of named items, and of texts that differ from each other: what is in them, and in which order. One that has nothing but
// another order has no other data for who looks its items up, and is not the same for who goes through them.
import { namesIn } from '../tree/item-names.ts';
import { indexSegment, keySegment, type NodePath } from '../tree/node-path.ts';
import type { SequenceNode, SpanNode } from '../tree/span-tree.ts';

/** By "name" or "id", or their texts; undefined for one that has no name of its own. */
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

/** `path`: what paths begin with. */
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
