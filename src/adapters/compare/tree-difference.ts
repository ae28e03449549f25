// The one comparison of two versions of a tree that says where they differ: the highest nodes that came, went or changed. It
// pairs the parts of collections by their keys, by their places, or by the names of items. It reads both trees as they are
// written, or with aliases followed and merges applied.
import type { DataPath, NodePath } from '../../security/node-paths/node-path.ts';
import {
  contentDifference,
  type Data,
  difference,
  isPlainScalar,
  isWrittenAlike,
  nodeHeader,
} from '../prove/expected.ts';
import { type View, WRITTEN } from '../tree/resolved.ts';
import {
  type Collection,
  type DocumentSpans,
  type Entry,
  type Item,
  isCollection,
  isSectional,
  type MappingNode,
  outerStart,
  partsOf,
  propertiesText,
  type SequenceNode,
  type SpanNode,
  type Stream,
  sliceOf,
} from '../tree/span-tree.ts';
import { limitReached } from '../tree/wording.ts';
import { differing } from './changed-lines.ts';

export interface Difference {
  /** `order`: the same parts stand in another order. Of mappings this changes the data only where they merge others. */
  readonly op: 'add' | 'remove' | 'replace' | 'rename' | 'order';
  readonly path: NodePath;
  /** The nodes; for a renamed key, these are keys. */
  readonly old: SpanNode | undefined;
  readonly next: SpanNode | undefined;
  /** The last step of the path; undefined at the root. */
  readonly step: Step | undefined;
  /** The offset in the new text; in the old one for what was removed. */
  readonly at: number;
}

/** A version of a document, and how it is read. */
export interface Side {
  readonly stream: Stream;
  readonly document: DocumentSpans;
  readonly view: View;
}

/** The name of each item of a list; undefined for one that has none of its own. */
export type NameItems = (list: SequenceNode) => readonly (string | undefined)[];

export interface Pairing {
  /** Items are paired by these names where all of both lists have one. */
  readonly nameItems?: NameItems;
  /** True if the first key that differs may be a renamed one. */
  readonly hasRenames?: boolean;
}

/** A step of a path, with the collections that it leads through. */
export interface Step {
  readonly above: Step | undefined;
  readonly depth: number;
  readonly segment: string | number;
  /** The two versions of the collection; one is missing in what was added or removed. */
  readonly old: Collection | undefined;
  readonly next: Collection | undefined;
  /** The part of the new version, or of the old one where it was removed. */
  readonly part: Entry | Item;
}

/** Throws LIMIT_EXCEEDED where aliases lead deeper than any reader would follow them. */
export function requireDepth(step: Step | undefined): void {
  if (step !== undefined && step.depth > MAX_DEPTH) throw limitReached('depth', MAX_DEPTH, 'levels');
}

export function stepTo(step: Omit<Step, 'depth'>): Step {
  return { ...step, depth: (step.above?.depth ?? 0) + 1 };
}

/** The path that the steps lead along. */
export function pathTo(step: Step | undefined): DataPath {
  const segments: (string | number)[] = [];
  for (let at = step; at !== undefined; at = at.above) segments.push(at.segment);
  return segments.reverse();
}

/** Deeper paths come of an alias that leads back into its own node. */
const MAX_DEPTH = 200;

export class TreeDifference {
  readonly #old: Side & Read;
  readonly #new: Side & Read;
  readonly #pairing: Pairing;
  readonly #isWritten: boolean;
  #found: Difference[] = [];

  constructor(old: Side, next: Side, pairing: Pairing) {
    this.#old = { ...old, text: old.stream.text };
    this.#new = { ...next, text: next.stream.text };
    this.#pairing = pairing;
    this.#isWritten = old.view === WRITTEN && next.view === WRITTEN;
  }

  /** Returns the differences of two nodes in the order of the new text; what was removed from a collection comes last in it. */
  between(old: SpanNode, next: SpanNode): readonly Difference[] {
    this.#found = [];
    this.#compare(undefined, old, next);
    return this.#found;
  }

  /** Returns the differences within two collections of one kind, whatever their tags and anchors are. */
  within(step: Step | undefined, old: Collection, next: Collection): readonly Difference[] {
    this.#found = [];
    this.#compareParts(step, old, next);
    return this.#found;
  }

  #compare(step: Step | undefined, writtenOld: SpanNode, writtenNext: SpanNode): void {
    const [old, next] = [this.#old.view.target(writtenOld), this.#new.view.target(writtenNext)];
    if (!this.#isWritten) requireDepth(step);
    else if (this.#isSameSource(old, next) && this.#isSame(old, next)) return;
    const areCollections = isCollection(old) && isCollection(next) && this.#areAlike(old, next);
    if (areCollections) this.#compareParts(step, old, next);
    else if (!this.#isSame(old, next)) this.#push('replace', step, outerStart(next), { old, next });
  }

  /** True if two collections are compared part by part, and not as a whole. */
  #areAlike(old: Collection, next: Collection): boolean {
    if (old.kind !== next.kind) return false;
    if (!this.#isWritten) return tagOf(this.#old, old) === tagOf(this.#new, next);
    const isSameHeader = headerText(this.#old.text, old) === headerText(this.#new.text, next);
    return isSameHeader && partsOf(old).length > 0 && partsOf(next).length > 0;
  }

  #compareParts(step: Step | undefined, old: Collection, next: Collection): void {
    if (old.kind === 'mapping' && next.kind === 'mapping') this.#compareMappings(step, old, next);
    if (old.kind === 'sequence' && next.kind === 'sequence') this.#compareSequences(step, old, next);
  }

  #compareMappings(above: Step | undefined, old: MappingNode, next: MappingNode): void {
    const [oldEntries, newEntries] = this.#unlikeEntries(old, next);
    const [oldKeys, newKeys] = [keysOf(this.#old, oldEntries), keysOf(this.#new, newEntries)];
    const oldByKey = new Map(oldEntries.map((entry, i) => [oldKeys[i], entry]));
    const newByKey = new Map(newEntries.map((entry, i) => [newKeys[i], entry]));
    const mayBeRenamed = this.#pairing.hasRenames === true && oldKeys.length === newKeys.length;
    const renamed = mayBeRenamed ? oldKeys.findIndex((key, i) => key !== newKeys[i]) : -1;
    for (const [i, part] of newEntries.entries()) {
      const { key, value } = part;
      const step = stepTo({ above, segment: nameOf(this.#new, key), old, next, part });
      const same = oldByKey.get(newKeys[i]);
      const oldEntry = oldEntries[i];
      if (same !== undefined) this.#compare(step, same.value, value);
      else if (i === renamed && oldEntry !== undefined && !newByKey.has(oldKeys[i])) {
        this.#push('rename', step, key.start, { old: oldEntry.key, next: key });
        this.#compare(step, oldEntry.value, value);
      } else this.#push('add', step, outerStart(key), { next: value });
    }
    for (const [i, part] of oldEntries.entries()) {
      if (newByKey.has(oldKeys[i]) || (i === renamed && !oldByKey.has(newKeys[i]))) continue;
      const { key, value } = part;
      const step = stepTo({ above, segment: nameOf(this.#old, key), old, next, part });
      this.#push('remove', step, outerStart(key), { old: value });
    }
    this.#compareOrder(above, [old, oldKeys], [next, newKeys]);
  }

  /** The entries from the first to the last that differ. In another view they may differ anywhere. */
  #unlikeEntries(old: MappingNode, next: MappingNode): readonly [readonly Entry[], readonly Entry[]] {
    if (!this.#isWritten) return [this.#old.view.entries(old), this.#new.view.entries(next)];
    const { from, oldTo, newTo } = differing(old.entries.length, next.entries.length, (i, j) =>
      this.#isSamePart(old, old.entries[i], next, next.entries[j]),
    );
    return [old.entries.slice(from, oldTo), next.entries.slice(from, newTo)];
  }

  #compareSequences(above: Step | undefined, old: SequenceNode, next: SequenceNode): void {
    const [oldNames, names] = [this.#namesOf(old), this.#namesOf(next)];
    const areNamed = oldNames !== undefined && names !== undefined;
    const pairs = areNamed ? pairByName([old, oldNames], [next, names]) : this.#pairItems(old, next);
    for (const [index, oldItem, newItem] of pairs) {
      const part = newItem ?? oldItem;
      if (part === undefined) continue;
      const step = stepTo({ above, segment: index, old, next, part });
      if (oldItem === undefined) this.#push('add', step, outerStart(part.value), { next: part.value });
      else if (newItem === undefined) this.#push('remove', step, outerStart(part.value), { old: part.value });
      else this.#compare(step, oldItem.value, newItem.value);
    }
    if (areNamed) this.#compareOrder(above, [old, oldNames], [next, names]);
  }

  /** The names of the items, where all have one. */
  #namesOf(list: SequenceNode): readonly string[] | undefined {
    const names = this.#pairing.nameItems?.(list).flatMap((name) => name ?? []);
    return names?.length === list.items.length ? names : undefined;
  }

  /** Pairs items by their places, between the beginning and the end that both lists share. */
  #pairItems(old: SequenceNode, next: SequenceNode): readonly ItemPair[] {
    const { from, oldTo, newTo } = differing(old.items.length, next.items.length, (i, j) => {
      const [item, other] = [old.items[i], next.items[j]];
      if (this.#isSamePart(old, item, next, other)) return true;
      return item !== undefined && other !== undefined && this.#isSame(item.value, other.value);
    });
    const between = range(from, Math.max(oldTo, newTo)).map(
      (i): ItemPair => [i, i < oldTo ? old.items[i] : undefined, i < newTo ? next.items[i] : undefined],
    );
    if (this.#isWritten) return between;
    // What is written alike may differ in what its aliases mean.
    const start = range(0, from).map((i): ItemPair => [i, old.items[i], next.items[i]]);
    const end = range(newTo, next.items.length).map(
      (i): ItemPair => [i, old.items[i - newTo + oldTo], next.items[i]],
    );
    return [...start, ...between, ...end];
  }

  #compareOrder(
    step: Step | undefined,
    [old, oldKeys]: readonly [Collection, readonly string[]],
    [next, keys]: readonly [Collection, readonly string[]],
  ): void {
    if (oldKeys.length < 2 || keys.length < 2) return;
    const [all, others] = [new Set(oldKeys), new Set(keys)];
    const order = oldKeys.filter((key) => others.has(key));
    if (keys.filter((key) => all.has(key)).some((key, i) => key !== order[i]))
      this.#push('order', step, outerStart(next), { old, next });
  }
  /** Adds a difference; `at` is the place in the new text, or in the old one for what was removed. */
  #push(
    op: Difference['op'],
    step: Step | undefined,
    at: number,
    { old, next }: { readonly old?: SpanNode; readonly next?: SpanNode },
  ): void {
    this.#found.push({ op, path: pathTo(step), old, next, step, at });
  }

  /** Recognises most equal parts without looking into them. */
  #isSamePart(
    old: Collection,
    part: Entry | Item | undefined,
    next: Collection,
    other: Entry | Item | undefined,
  ) {
    return old.style === next.style && isWrittenAlike(this.#old.text, part, this.#new.text, other, old.style);
  }

  /** True if both are written alike, or read the same for every reader. */
  #isSame(old: SpanNode, next: SpanNode): boolean {
    if (this.#isWritten)
      return difference(dataOf(this.#old, old), dataOf(this.#new, next), true) === undefined;
    const isSameTag = tagOf(this.#old, old) === tagOf(this.#new, next);
    return (
      isSameTag && contentDifference(dataOf(this.#old, old), dataOf(this.#new, next), true) === undefined
    );
  }

  #isSameSource(old: SpanNode, next: SpanNode): boolean {
    if (isSectional(old) || isSectional(next)) return false;
    return sliceOf(this.#old.text, old) === sliceOf(this.#new.text, next);
  }
}

/** The text that nodes are of. */
type Read = Pick<Data, 'text'>;

function dataOf({ text }: Read, node: SpanNode): Data {
  return { node, text };
}

function tagOf(read: Read, node: SpanNode): string | undefined {
  return nodeHeader(dataOf(read, node)).tag;
}

/** Returns the text by which a key is found: two scalars or aliases have the same exactly when they read the same. A collection is known by its source. */
function keyIdentity(read: Read, key: SpanNode): string {
  // This is the case for most keys.
  if (key.kind === 'scalar' && key.style === 'plain' && key.properties === undefined) return `=${key.value}`;
  const { tag, anchor } = nodeHeader(dataOf(read, key));
  const content =
    key.kind === 'scalar' ? [isPlainScalar(key), key.value] : read.text.slice(key.start, key.end);
  return JSON.stringify([key.kind, tag, anchor, content]);
}

type ItemPair = readonly [index: number, old: Item | undefined, next: Item | undefined];

type NamedList = readonly [SequenceNode, readonly string[]];

/** Pairs items by their names, in the order of the new list; removed ones come last. */
function pairByName([old, oldNames]: NamedList, [next, names]: NamedList): readonly ItemPair[] {
  const kept = next.items.map((item, i): ItemPair => [i, old.items[oldNames.indexOf(names[i] ?? '')], item]);
  const gone = old.items.flatMap((item, i): readonly ItemPair[] =>
    names.includes(oldNames[i] ?? '') ? [] : [[i, item, undefined]],
  );
  return [...kept, ...gone];
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

function nameOf({ text, view }: Side & Read, key: SpanNode): string {
  return view.keyName(text, key);
}

/** Returns what keys are paired by. A key that stands twice is two keys here: the first of one side is the first of the other. */
function keysOf(side: Side & Read, entries: readonly Entry[]): readonly string[] {
  const counts = new Map<string, number>();
  return entries.map(({ key }) => {
    const target = side.view.target(key);
    const text = keyIdentity(side, isCollection(target) ? key : target);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return `${count} ${text}`;
  });
}

/** Returns kind, tag and anchor as they are written. */
function headerText(text: string, node: SpanNode): string {
  return `${node.kind} ${propertiesText(text, node).replaceAll(/\s+/g, ' ')}`;
}
