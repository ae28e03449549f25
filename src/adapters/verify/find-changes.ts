// Finds every path at which two versions of a file differ in their data, by comparing the two, whatever a planner meant to do.
import type { Change, FileOp } from '../../security/index.ts';
import { keyName } from '../tree/keys.ts';
import { indexSegment, keySegment, type NodePath, printNodePath } from '../tree/node-path.ts';
import {
  type Collection,
  type DocumentSpans,
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
import { cutText } from '../tree/wording.ts';
import { findChangedActions } from './changed-actions.ts';
import { differing, findChangedLines } from './changed-lines.ts';
import { documentBefore, pairDocuments } from './pair-documents.ts';
import { dataText, isSamePart, TreeComparison, type TreeText, treeText } from './tree-comparison.ts';

const MAX_SHOWN = 200;

/** Answers the changes in source order. `line` is the place in the new text; for what was removed, in the old one. */
export function findChanges(before: Stream, after: Stream): Change[] {
  if (before.isAbsent !== after.isAbsent)
    return [{ op: before.isAbsent === true ? 'create' : 'delete', doc: 0, path: '', line: 1 }];
  if (before.hasStructure === false || after.hasStructure === false) return findChangedLines(before, after);
  const text = ({ text }: Stream, node: SpanNode) => cutText(sliceOf(text, node), MAX_SHOWN);
  const changes = pairDocuments(before, after).flatMap(({ old: oldDoc, next: newDoc }): Change[] => {
    const doc = newDoc ?? oldDoc ?? 0;
    const [gone, come] = [before.documents[oldDoc ?? -1], after.documents[newDoc ?? -1]];
    const place = { doc, path: '' };
    if (gone !== undefined && come === undefined)
      return [{ op: 'remove', ...place, from: text(before, gone.root), line: lineOf(before, gone) }];
    if (gone === undefined && come !== undefined)
      return [{ op: 'add', ...place, to: text(after, come.root), line: lineOf(after, come) }];
    return findDifferences(before, after, doc).map(({ op, path, old, next, line }) => ({
      ...{ op, doc, path: printNodePath(path) },
      ...(old === undefined ? {} : { from: text(before, old) }),
      ...(next === undefined ? {} : { to: text(after, next) }),
      line,
    }));
  });
  return [...changes, ...findChangedActions(before, after, changes.length === 0)];
}

const lineOf = ({ lines }: Stream, { root }: DocumentSpans): number => lines.at(outerStart(root));

/** One change with its nodes; for a renamed key, these are keys. */
export interface Difference {
  readonly op: Exclude<Change['op'], 'comment' | 'text' | FileOp>;
  readonly path: NodePath;
  readonly old: SpanNode | undefined;
  readonly next: SpanNode | undefined;
  /** For a removed or renamed node: the collection of the new text that had it. */
  readonly container: Collection | undefined;
  readonly line: number;
}

/** Answers the differences in one document of the new text; none where it is new. */
export function findDifferences(before: Stream, after: Stream, doc: number): readonly Difference[] {
  const [old, next] = [documentBefore(before, after, doc), after.documents[doc]];
  if (old === undefined || next === undefined) return [];
  const finder = new ChangeFinder(before, after, treeText(before, old), treeText(after, next));
  finder.compare([], old.root, next.root);
  return finder.differences;
}

/** A node, and the text and document that it stands in. */
export interface Place {
  readonly stream: Stream;
  readonly document: DocumentSpans;
  readonly node: SpanNode;
}

/** The name of each item of a list; undefined for one that has none of its own. */
export type NameItems = (list: SequenceNode) => readonly (string | undefined)[];

/**
 * Compares two nodes anywhere that no edit connects: items are paired by their names where all have one, and keys are never
 * taken for renamed. `path` is the path of the two nodes.
 */
export function compareNodes(
  before: Place,
  after: Place,
  path: NodePath,
  nameItems: NameItems,
): readonly Difference[] {
  const texts = [treeText(before.stream, before.document), treeText(after.stream, after.document)] as const;
  const finder = new ChangeFinder(before.stream, after.stream, ...texts, nameItems);
  finder.compare(path, before.node, after.node);
  return finder.differences;
}

class ChangeFinder {
  readonly differences: Difference[] = [];
  readonly #nameItems: NameItems | undefined;
  readonly #before: Stream;
  readonly #after: Stream;
  readonly #old: TreeText;
  readonly #new: TreeText;
  readonly #comparison: TreeComparison;

  constructor(before: Stream, after: Stream, old: TreeText, next: TreeText, nameItems?: NameItems) {
    this.#nameItems = nameItems;
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
      this.#push('replace', path, outerStart(next), { old, next });
    }
  }

  #compareMappings(path: NodePath, old: MappingNode, next: MappingNode): void {
    const { from, oldTo, newTo } = differing(old.entries.length, next.entries.length, (i, j) =>
      isSamePart(this.#before.text, old.entries[i], this.#after.text, next.entries[j], old.style),
    );
    const [oldEntries, newEntries] = [old.entries.slice(from, oldTo), next.entries.slice(from, newTo)];
    const oldKeys = occurrences(oldEntries.map(({ key }) => dataText(this.#old, key)));
    const newKeys = occurrences(newEntries.map(({ key }) => dataText(this.#new, key)));
    const oldByKey = new Map(oldEntries.map((entry, i) => [oldKeys[i], entry]));
    const newByKey = new Map(newEntries.map((entry, i) => [newKeys[i], entry]));
    const mayBeRenamed = this.#nameItems === undefined && oldKeys.length === newKeys.length;
    const renamed = mayBeRenamed ? oldKeys.findIndex((key, i) => key !== newKeys[i]) : -1;
    for (const [i, { key, value }] of newEntries.entries()) {
      const below = [...path, keySegment(keyName(this.#after.text, key))];
      const same = oldByKey.get(newKeys[i]);
      const oldEntry = oldEntries[i];
      if (same !== undefined) this.compare(below, same.value, value);
      else if (i === renamed && oldEntry !== undefined && !newByKey.has(oldKeys[i])) {
        this.#push('rename', below, key.start, { old: oldEntry.key, next: key, container: next });
        this.compare(below, oldEntry.value, value);
      } else this.#push('add', below, outerStart(key), { next: value });
    }
    for (const [i, { key, value }] of oldEntries.entries()) {
      if (newByKey.has(oldKeys[i]) || (i === renamed && !oldByKey.has(newKeys[i]))) continue;
      const gone = [...path, keySegment(keyName(this.#before.text, key))];
      this.#push('remove', gone, outerStart(key), { old: value, container: next });
    }
  }

  #compareSequences(path: NodePath, old: SequenceNode, next: SequenceNode): void {
    const [oldNames = [], newNames = []] = [old, next].map((list) => this.#nameItems?.(list) ?? [undefined]);
    if (![...oldNames, ...newNames].includes(undefined)) {
      this.#compareByName(path, [old, oldNames], [next, newNames]);
      return;
    }
    const { from, oldTo, newTo } = differing(old.items.length, next.items.length, (i, j) => {
      const [oldItem, newItem] = [old.items[i], next.items[j]];
      if (isSamePart(this.#before.text, oldItem, this.#after.text, newItem, old.style)) return true;
      return oldItem !== undefined && newItem !== undefined && this.#isSame(oldItem.value, newItem.value);
    });
    for (let i = from; i < Math.max(oldTo, newTo); i++) {
      const below = [...path, indexSegment(i)];
      const oldItem = i < oldTo ? old.items[i] : undefined;
      const newItem = i < newTo ? next.items[i] : undefined;
      if (oldItem !== undefined && newItem !== undefined) this.compare(below, oldItem.value, newItem.value);
      else if (newItem !== undefined)
        this.#push('add', below, outerStart(newItem.value), { next: newItem.value });
      else if (oldItem !== undefined)
        this.#push('remove', below, outerStart(oldItem.value), { old: oldItem.value, container: next });
    }
  }

  #compareByName(
    path: NodePath,
    [old, oldNames]: readonly [SequenceNode, ReturnType<NameItems>],
    [next, newNames]: readonly [SequenceNode, ReturnType<NameItems>],
  ): void {
    for (const [i, { value }] of next.items.entries()) {
      const same = old.items[oldNames.indexOf(newNames[i])];
      const below = [...path, indexSegment(i)];
      if (same === undefined) this.#push('add', below, outerStart(value), { next: value });
      else this.compare(below, same.value, value);
    }
    for (const [i, { value }] of old.items.entries())
      if (!newNames.includes(oldNames[i]))
        this.#push('remove', [...path, indexSegment(i)], outerStart(value), { old: value, container: next });
  }

  /** Adds a difference; `at` is the place in the new text, or in the old one for what was removed. */
  #push(
    op: Difference['op'],
    path: NodePath,
    at: number,
    nodes: Partial<Pick<Difference, 'old' | 'next' | 'container'>>,
  ): void {
    const { lines } = nodes.next === undefined ? this.#before : this.#after;
    const none = { old: undefined, next: undefined, container: undefined };
    this.differences.push({ op, path, ...none, ...nodes, line: lines.at(at) });
  }

  #isSame(old: SpanNode, next: SpanNode): boolean {
    return this.#isSameSource(old, next) || this.#comparison.difference(old, next) === undefined;
  }

  /** The quick answer for all that an edit did not come near. */
  #isSameSource(old: SpanNode, next: SpanNode): boolean {
    if (isSectional(old) || isSectional(next)) return false;
    return sliceOf(this.#before.text, old) === sliceOf(this.#after.text, next);
  }
}

function hasParts(...collections: readonly (MappingNode | SequenceNode)[]): boolean {
  return collections.every((node) => partsOf(node).length > 0);
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

/** Answers kind, tag and anchor as they are written. */
function headerText(text: string, node: SpanNode): string {
  return `${node.kind} ${propertiesText(text, node).replaceAll(/\s+/g, ' ')}`;
}
