// Finds the nodes that a pattern names: `jobs.*.steps[*].uses`, `**.image`, `containers[name=web].env[*]`. It is one walk over
// the tree with all words of the pattern that can come next, so its time is bounded by nodes × words, whatever the pattern.
// Aliases are not followed: their nodes are matched at their own places.
import {
  keySegment,
  type NodePath,
  type PathWord,
  type Segment,
  type Selector,
} from '../../security/node-paths/node-path.ts';
import { keyName } from './keys.ts';
import { selectedItems } from './select-item.ts';
import type { Entry, Item, MappingNode, SequenceNode, SpanNode } from './span-tree.ts';

/** Called for each node that is found; returns whether to go on. The path is valid only during the call. */
type Found = (node: SpanNode, path: NodePath) => boolean;

/** Walks in source order; paths give the occurrence of repeated keys. */
export type FindPaths = (text: string, root: SpanNode, found: Found) => void;

/** Finds the nodes of one pattern below one node. */
export function matchPaths(text: string, root: SpanNode, words: readonly PathWord[], found: Found): void {
  compilePattern(words)(text, root, found);
}

type IsKey = (name: string) => boolean;

/** Compiles a pattern for many nodes. `compileKey` tells what a word says about keys: a search knows wildcards within them. */
export function compilePattern(
  words: readonly PathWord[],
  compileKey: (key: string) => IsKey = (key) => (name) => name === key,
): FindPaths {
  const keys = words.map((word): IsKey => {
    if (word.kind === 'key') return compileKey(word.key);
    const isAny = word.kind === 'deep' || (word.kind === 'every' && !word.isItem);
    return () => isAny;
  });
  return (text, root, found) => new Matcher(text, words, keys, found).visit(root, [0]);
}

class Matcher {
  readonly #text: string;
  readonly #words: readonly PathWord[];
  /** The test of keys for each word. */
  readonly #keys: readonly IsKey[];
  readonly #found: Found;
  /** The path of the visited node. */
  readonly #path: Segment[] = [];
  /** The least number of words that name a node, without `**` at the end. */
  readonly #least: number;
  /** For each number of words, the list of such numbers to which it was last added. */
  readonly #marks: number[];
  #mark = 0;
  #isOver = false;

  constructor(text: string, words: readonly PathWord[], keys: readonly IsKey[], found: Found) {
    this.#text = text;
    this.#words = words;
    this.#keys = keys;
    this.#found = found;
    this.#least = words.findLastIndex(({ kind }) => kind !== 'deep') + 1;
    this.#marks = Array.from({ length: words.length + 1 }, () => 0);
  }

  /** Visits a node; `led` holds the number of words that have led here, for each possible reading. */
  visit(node: SpanNode, led: readonly number[]): void {
    const isNamed = led.some((count) => count >= this.#least);
    if (isNamed && !this.#found(node, this.#path)) this.#isOver = true;
    if (this.#isOver) return;
    if (node.kind === 'mapping') this.#visitEntries(node, this.#withSkipped(led));
    if (node.kind === 'sequence') this.#visitItems(node, this.#withSkipped(led));
  }

  /** Adds the words after `**`, which can also match no level. */
  #withSkipped(led: readonly number[]): readonly number[] {
    this.#mark += 1;
    const reached: number[] = [];
    for (const count of led)
      for (let at = count; ; at++) {
        if (this.#marks[at] !== this.#mark) reached.push(at);
        this.#marks[at] = this.#mark;
        if (this.#words[at]?.kind !== 'deep') break;
      }
    return reached;
  }

  #visitEntries({ entries }: MappingNode, reached: readonly number[]): void {
    const repeated = repeatedNames(entries);
    const seen = new Map<string, number>();
    for (const entry of entries) {
      const name = entry.name ?? keyName(this.#text, entry.key);
      const occurrence = repeated?.has(name) === true ? (seen.get(name) ?? 0) + 1 : undefined;
      if (occurrence !== undefined) seen.set(name, occurrence);
      const led: number[] = [];
      for (const at of reached) if (this.#namesKey(at, name, occurrence)) led.push(this.#next(at));
      // Most keys match nothing, and need no segment.
      if (led.length > 0) this.#enter(entry, keySegment(name, occurrence), led);
      if (this.#isOver) return;
    }
  }

  #visitItems(list: SequenceNode, reached: readonly number[]): void {
    const selected = new Map<Selector, ReadonlySet<number>>();
    for (const at of reached) {
      const word = this.#words[at];
      if (word?.kind === 'items') selected.set(word, new Set(selectedItems(list.items, word)));
    }
    for (const [index, item] of list.items.entries()) {
      const led: number[] = [];
      for (const at of reached)
        if (this.#namesItem(at, selected, index, list.items.length)) led.push(this.#next(at));
      if (led.length > 0) this.#enter(item, index, led);
      if (this.#isOver) return;
    }
  }

  #enter(part: Entry | Item, segment: Segment, led: readonly number[]): void {
    this.#path.push(segment);
    this.visit(part.value, led);
    this.#path.pop();
  }

  /** Below a part that it names, `**` may lead on. */
  #next(at: number): number {
    return this.#words[at]?.kind === 'deep' ? at : at + 1;
  }

  #namesKey(at: number, name: string, occurrence = 1): boolean {
    if (this.#keys[at]?.(name) !== true) return false;
    const word = this.#words[at];
    return word?.kind !== 'key' || word.occurrence === undefined || word.occurrence === occurrence;
  }

  /** `selected` holds the items of the list that each selector among the words names. */
  #namesItem(
    at: number,
    selected: ReadonlyMap<Selector, ReadonlySet<number>>,
    index: number,
    length: number,
  ): boolean {
    const word = this.#words[at];
    switch (word?.kind) {
      case 'deep':
      case 'every':
        return true;
      case 'items':
        return selected.get(word)?.has(index) === true;
      case 'index':
        return (word.index < 0 ? word.index + length : word.index) === index;
      case 'key':
        return word.index === index;
      case undefined:
        return false;
    }
  }
}

/** Returns the names that stand twice; undefined for most mappings, which have none. */
function repeatedNames(entries: readonly Entry[]): ReadonlySet<string | undefined> | undefined {
  const once = new Set(entries.map(({ name }) => name));
  if (once.size === entries.length) return undefined;
  // The second time, it is away already.
  return new Set(entries.flatMap(({ name }) => (once.delete(name) ? [] : [name])));
}
