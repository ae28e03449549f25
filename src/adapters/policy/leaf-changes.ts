// Finds every leaf at which two versions of a document differ as they are written, for judging. The proof names the highest
// node that differs; this goes down to each value. Aliases are not followed here: see resolved-changes.ts.
import type { ChangeOp, DataPath, LeafChange } from '../../security/index.ts';
import { isMerge, keyName, partName } from '../tree/keys.ts';
import {
  type Collection,
  type DocumentSpans,
  type Entry,
  type Item,
  isCollection,
  type MappingNode,
  partsOf,
  type SequenceNode,
  type SpanNode,
  type Stream,
  sliceOf,
} from '../tree/span-tree.ts';
import { differing } from '../verify/changed-lines.ts';
import {
  dataText,
  isPlainScalar,
  isSamePart,
  nodeHeader,
  TreeComparison,
  type TreeText,
  treeText,
} from '../verify/tree-comparison.ts';
import { isAnyKey, isOpen, keysTwice } from './doubtful-nodes.ts';

export type Leaf = Pick<LeafChange, 'op' | 'path' | 'isVague' | 'isOpen' | 'isOfAnyDocument' | 'shifting'>;

export function leafChanges(
  before: Stream,
  old: DocumentSpans,
  after: Stream,
  next: DocumentSpans,
): readonly Leaf[] {
  const finder = new LeafFinder(treeText(before, old), treeText(after, next));
  finder.compare([], old.root, next.root);
  return finder.found;
}

/** Answers all leaves of a document that is new or removed. */
export function allLeaves(stream: Stream, document: DocumentSpans, op: ChangeOp): readonly Leaf[] {
  const tree = treeText(stream, document);
  const finder = new LeafFinder(tree, tree);
  finder.all(op, [], document.root, tree);
  return finder.found;
}

class LeafFinder {
  readonly found: Leaf[] = [];
  readonly #before: TreeText;
  readonly #after: TreeText;
  readonly #canSkip: boolean;
  readonly #comparison: TreeComparison;
  /** See LeafChange. */
  #shifting: readonly number[] = [];
  /** True within a repeated key. */
  #isVague = false;

  constructor(before: TreeText, after: TreeText) {
    this.#before = before;
    this.#after = after;
    this.#canSkip = before.tagHandles.size + after.tagHandles.size === 0;
    this.#comparison = new TreeComparison(before, after, this.#canSkip);
  }

  compare(path: DataPath, old: SpanNode, next: SpanNode): void {
    if (isCollection(old) && isCollection(next) && this.#isWrittenAlike(old, next)) return;
    const [oldHeader, newHeader] = [nodeHeader(this.#before, old), nodeHeader(this.#after, next)];
    if (oldHeader.tag !== newHeader.tag) {
      this.#push('replace', path, true);
      return;
    }
    if (oldHeader.anchor !== newHeader.anchor) this.#push('layout', path);
    const known = this.found.length;
    this.#compareContents(path, old, next);
    // Only a program that knows the tag knows what the whole value means.
    if (oldHeader.tag !== undefined && this.found.slice(known).some(({ op }) => op !== 'layout'))
      this.#push('replace', path, true);
  }

  #compareContents(path: DataPath, old: SpanNode, next: SpanNode): void {
    if (old.kind === 'mapping' && next.kind === 'mapping') this.#compareMappings(path, old, next);
    else if (old.kind === 'sequence' && next.kind === 'sequence') this.#compareSequences(path, old, next);
    else if (old.kind === 'scalar' && next.kind === 'scalar') {
      if (old.value !== next.value || isPlainScalar(old) !== isPlainScalar(next))
        this.#push('replace', path, this.#isVague, isOpen(old) || isOpen(next));
    } else if (old.kind === 'alias' && next.kind === 'alias') {
      if (old.name !== next.name) this.#push('replace', path);
    } else {
      this.#push('replace', path, this.#isVague, isOpen(old) || isOpen(next));
      if (isCollection(old)) this.#below('remove', path, old, this.#before);
      if (isCollection(next)) this.#below('add', path, next, this.#after);
    }
  }

  /** Adds all leaves of a node that is new or removed. */
  all(op: ChangeOp, path: DataPath, node: SpanNode, tree: TreeText): void {
    if (node.properties?.tag !== undefined) this.#push(op, path, true);
    else if (!isCollection(node) || partsOf(node).length === 0)
      this.#push(op, path, this.#isVague, isOpen(node));
    if (isCollection(node)) this.#below(op, path, node, tree);
  }

  #below(op: ChangeOp, path: DataPath, node: MappingNode | SequenceNode, tree: TreeText): void {
    const vague = this.#isVague;
    const twice = node.kind === 'mapping' ? keysTwice([node], tree.text) : undefined;
    for (const [index, part] of partsOf(node).entries()) {
      const name = partName(tree.text, part, index);
      const isTwice = twice?.has(String(name)) ?? false;
      this.#isVague = vague || isTwice;
      this.#under(path, part, name, () => this.all(op, [...path, name], part.value, tree), isTwice);
    }
    this.#isVague = vague;
  }

  #compareMappings(path: DataPath, old: MappingNode, next: MappingNode): void {
    const { from, oldTo, newTo } = differing(old.entries.length, next.entries.length, (i, j) =>
      this.#isSamePart(old, old.entries[i], next, next.entries[j]),
    );
    const oldKeys = this.#keysOf(old.entries.slice(from, oldTo), this.#before);
    const newKeys = this.#keysOf(next.entries.slice(from, newTo), this.#after);
    const vague = this.#isVague;
    const twice = keysTwice([old, next], this.#before.text, this.#after.text);
    for (const [key, entry] of newKeys) {
      const name = this.#nameOf(entry, this.#after);
      const same = oldKeys.get(key);
      this.#isVague = vague || twice.has(name);
      this.#under(
        path,
        entry,
        name,
        () => {
          if (same === undefined) this.all('add', [...path, name], entry.value, this.#after);
          else this.compare([...path, name], same.value, entry.value);
        },
        twice.has(name),
      );
    }
    for (const [key, entry] of oldKeys) {
      if (newKeys.has(key)) continue;
      const name = this.#nameOf(entry, this.#before);
      this.#isVague = vague || twice.has(name);
      const remove = () => this.all('remove', [...path, name], entry.value, this.#before);
      this.#under(path, entry, name, remove, twice.has(name));
    }
    this.#isVague = vague;
    const common = [...newKeys.keys()].filter((key) => oldKeys.has(key));
    const order = [...oldKeys.keys()].filter((key) => newKeys.has(key));
    if (common.every((key, index) => key === order[index])) return;
    // For some readers the order decides whether merged keys come before or after the others.
    const isMerging = [...old.entries, ...next.entries].some(isMerge);
    this.#push(isMerging ? 'replace' : 'layout', path, isMerging || vague);
  }

  /**
   * A key that a template fills in may be any, and so may one with a tag; `<<` in quotes merges for some. Of several of one name
   * readers take the first or the last: what goes in one shows the others.
   */
  #under(
    path: DataPath,
    part: Entry | Item,
    name: string | number,
    compare: () => void,
    isTwice = false,
  ): void {
    const known = this.found.length;
    compare();
    if (this.found.length === known || !('key' in part)) return;
    if (isAnyKey(part, String(name)))
      this.found.push({ op: 'replace', path, isVague: true, isOfAnyDocument: true });
    if (isTwice) this.#push('replace', [...path, name], true);
  }

  #compareSequences(path: DataPath, old: SequenceNode, next: SequenceNode): void {
    const { from, oldTo, newTo } = differing(old.items.length, next.items.length, (i, j) => {
      const [a, b] = [old.items[i], next.items[j]];
      if (this.#isSamePart(old, a, next, b)) return true;
      return (
        a !== undefined && b !== undefined && this.#comparison.difference(a.value, b.value) === undefined
      );
    });
    const shifting = this.#shifting;
    if (old.items.length !== next.items.length) this.#shifting = [...shifting, path.length];
    for (let index = from; index < Math.max(oldTo, newTo); index++) {
      const a = index < oldTo ? old.items[index]?.value : undefined;
      const b = index < newTo ? next.items[index]?.value : undefined;
      if (a !== undefined && b !== undefined) this.compare([...path, index], a, b);
      else if (b !== undefined) this.all('add', [...path, index], b, this.#after);
      else if (a !== undefined) this.all('remove', [...path, index], a, this.#before);
    }
    this.#shifting = shifting;
  }

  /** Answers the entries by the text that readers compare keys by; a repeated key counts as two keys here. */
  #keysOf(entries: readonly Entry[], tree: TreeText): ReadonlyMap<string, Entry> {
    const found = new Map<string, Entry>();
    for (const entry of entries) {
      const text = dataText(tree, entry.key);
      let key = text;
      for (let count = 2; found.has(key); count++) key = `${count} ${text}`;
      found.set(key, entry);
    }
    return found;
  }

  #nameOf({ key }: Entry, { text }: TreeText): string {
    return keyName(text, key);
  }

  /** Recognises most equal parts without looking into them. */
  #isSamePart<Part extends Entry | Item>(
    old: Collection,
    part: Part | undefined,
    next: Collection,
    other: Part | undefined,
  ): boolean {
    if (!this.#canSkip || old.style !== next.style) return false;
    return isSamePart(this.#before.text, part, this.#after.text, other, old.style);
  }

  #isWrittenAlike(old: SpanNode, next: SpanNode): boolean {
    return (
      old.kind === next.kind &&
      sliceOf(this.#before.text, old) === sliceOf(this.#after.text, next) &&
      this.#comparison.difference(old, next) === undefined
    );
  }

  #push(op: ChangeOp, path: DataPath, isVague = this.#isVague, isBelowOpen = false): void {
    const shifting = this.#shifting.length === 0 ? {} : { shifting: this.#shifting };
    const unsure = isVague ? { isVague } : isBelowOpen ? { isOpen: true } : {};
    this.found.push({ op, path, ...shifting, ...unsure });
  }
}
