// Every path at which two versions of a file differ in their data, found by comparing the two, whatever
// any planner meant to do.
import type { Change } from '../../security/index.ts';
import { keyName } from '../tree/keys.ts';
import { indexSegment, keySegment, type NodePath, printNodePath } from '../tree/node-path.ts';
import {
  type Collection,
  type Entry,
  type Item,
  type MappingNode,
  outerStart,
  partsOf,
  propertiesText,
  type SequenceNode,
  type SpanNode,
  type Stream,
  sliceOf,
} from '../tree/span-tree.ts';
import { cutText } from '../tree/wording.ts';
import { dataText, isSamePart, TreeComparison, type TreeText, treeText } from './tree-comparison.ts';

const MAX_SHOWN = 200;

/** In source order. `line` is where the change stands in the new text; for what was removed, in the old one. */
export function findChanges(before: Stream, after: Stream): Change[] {
  return after.documents.flatMap((document, doc) => {
    const old = before.documents[doc];
    if (old === undefined) return [];
    const finder = new ChangeFinder(before, after, doc, treeText(before, old), treeText(after, document));
    finder.compare([], old.root, document.root);
    return finder.changes;
  });
}

class ChangeFinder {
  readonly changes: Change[] = [];
  readonly #doc: number;
  readonly #before: Stream;
  readonly #after: Stream;
  readonly #old: TreeText;
  readonly #new: TreeText;
  readonly #comparison: TreeComparison;

  constructor(before: Stream, after: Stream, doc: number, old: TreeText, next: TreeText) {
    this.#doc = doc;
    this.#before = before;
    this.#after = after;
    this.#old = old;
    this.#new = next;
    const canSkip = old.tagHandles.size + next.tagHandles.size === 0;
    this.#comparison = new TreeComparison(old, next, canSkip);
  }

  compare(path: NodePath, old: SpanNode, next: SpanNode): void {
    if (this.#isSameSource(old, next)) return;
    const isSameHeader = headerText(this.#before.text, old) === headerText(this.#after.text, next);
    if (isSameHeader && old.kind === 'mapping' && next.kind === 'mapping' && hasParts(old, next)) {
      this.#compareMappings(path, old, next);
    } else if (isSameHeader && old.kind === 'sequence' && next.kind === 'sequence' && hasParts(old, next)) {
      this.#compareSequences(path, old, next);
    } else if (!this.#isSame(old, next)) {
      this.#push('replace', path, outerStart(next), old, next);
    }
  }

  #compareMappings(path: NodePath, old: MappingNode, next: MappingNode): void {
    const { from, oldTo, newTo } = differing(old.entries.length, next.entries.length, (i, j) =>
      this.#isSamePart(old.style, old.entries[i], next.entries[j]),
    );
    const [oldEntries, newEntries] = [old.entries.slice(from, oldTo), next.entries.slice(from, newTo)];
    const oldKeys = occurrences(oldEntries.map(({ key }) => dataText(this.#old, key)));
    const newKeys = occurrences(newEntries.map(({ key }) => dataText(this.#new, key)));
    const oldByKey = new Map(oldEntries.map((entry, i) => [oldKeys[i], entry]));
    const newByKey = new Map(newEntries.map((entry, i) => [newKeys[i], entry]));
    const renamed =
      oldKeys.length === newKeys.length ? oldKeys.findIndex((key, i) => key !== newKeys[i]) : -1;
    for (const [i, { key, value }] of newEntries.entries()) {
      const below = [...path, keySegment(keyName(this.#after.text, key))];
      const same = oldByKey.get(newKeys[i]);
      const oldEntry = oldEntries[i];
      if (same !== undefined) this.compare(below, same.value, value);
      else if (i === renamed && oldEntry !== undefined && !newByKey.has(oldKeys[i])) {
        this.#push('rename', below, key.start, oldEntry.key, key);
        this.compare(below, oldEntry.value, value);
      } else this.#push('add', below, outerStart(key), undefined, value);
    }
    for (const [i, { key, value }] of oldEntries.entries()) {
      if (newByKey.has(oldKeys[i]) || (i === renamed && !oldByKey.has(newKeys[i]))) continue;
      this.#push('remove', [...path, keySegment(keyName(this.#before.text, key))], outerStart(key), value);
    }
  }

  #isSamePart(
    style: Collection['style'],
    old: Entry | Item | undefined,
    next: Entry | Item | undefined,
  ): boolean {
    if (old === undefined || next === undefined) return false;
    return isSamePart(this.#before.text, old, this.#after.text, next, style);
  }

  #compareSequences(path: NodePath, old: SequenceNode, next: SequenceNode): void {
    const { from, oldTo, newTo } = differing(old.items.length, next.items.length, (i, j) => {
      const [oldItem, newItem] = [old.items[i], next.items[j]];
      if (this.#isSamePart(old.style, oldItem, newItem)) return true;
      return oldItem !== undefined && newItem !== undefined && this.#isSame(oldItem.value, newItem.value);
    });
    for (let i = from; i < Math.max(oldTo, newTo); i++) {
      const below = [...path, indexSegment(i)];
      const oldItem = i < oldTo ? old.items[i] : undefined;
      const newItem = i < newTo ? next.items[i] : undefined;
      if (oldItem !== undefined && newItem !== undefined) this.compare(below, oldItem.value, newItem.value);
      else if (newItem !== undefined)
        this.#push('add', below, outerStart(newItem.value), undefined, newItem.value);
      else if (oldItem !== undefined) this.#push('remove', below, outerStart(oldItem.value), oldItem.value);
    }
  }

  /** `at`: where it stands in the new text, or in the old one for what was removed. */
  #push(op: Change['op'], path: NodePath, at: number, old: SpanNode | undefined, next?: SpanNode): void {
    const text = ({ text }: Stream, node: SpanNode) => cutText(sliceOf(text, node), MAX_SHOWN);
    this.changes.push({
      op,
      doc: this.#doc,
      path: printNodePath(path),
      ...(old === undefined ? {} : { from: text(this.#before, old) }),
      ...(next === undefined ? {} : { to: text(this.#after, next) }),
      line: (next === undefined ? this.#before : this.#after).lines.at(at),
    });
  }

  #isSame(old: SpanNode, next: SpanNode): boolean {
    return this.#isSameSource(old, next) || this.#comparison.difference(old, next) === undefined;
  }

  /** The quick answer for all that an edit did not come near. */
  #isSameSource(old: SpanNode, next: SpanNode): boolean {
    return sliceOf(this.#before.text, old) === sliceOf(this.#after.text, next);
  }
}

function hasParts(...collections: readonly (MappingNode | SequenceNode)[]): boolean {
  return collections.every((node) => partsOf(node).length > 0);
}

/** What lies between the beginning and the end that two lists share: in a wide collection one new item is one change. */
export function differing(oldLength: number, newLength: number, isSame: (i: number, j: number) => boolean) {
  let from = 0;
  while (from < oldLength && from < newLength && isSame(from, from)) from += 1;
  let [oldTo, newTo] = [oldLength, newLength];
  while (oldTo > from && newTo > from && isSame(oldTo - 1, newTo - 1)) {
    oldTo -= 1;
    newTo -= 1;
  }
  return { from, oldTo, newTo };
}

/** A key that stands twice is two keys here: the first of one side is the first of the other. */
function occurrences(keys: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return keys.map((key) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return `${count} ${key}`;
  });
}

/** Kind, tag and anchor as they are written. */
function headerText(text: string, node: SpanNode): string {
  return `${node.kind} ${propertiesText(text, node).replaceAll(/\s+/g, ' ')}`;
}
