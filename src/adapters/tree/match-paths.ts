// Finds the nodes that a pattern names: `jobs.*.steps[*].uses`, `**.image`, `containers[name=web].env[*]`. It is one walk over
// the tree with all places of the pattern that can come next, so its time is bounded by nodes × words, whatever the pattern.
// Aliases are not followed: their nodes are matched at their own places.
import { keyName } from './keys.ts';
import { keySegment, type NodePath, type Segment } from './node-path.ts';
import { indexIn, type PathWord } from './path-syntax.ts';
import { selectedItems } from './select-item.ts';
import type { Entry, Item, MappingNode, SequenceNode, SpanNode } from './span-tree.ts';

/** Walks in source order; paths give the occurrence of repeated keys. `found` answers whether to go on. */
export function matchPaths(
  text: string,
  root: SpanNode,
  words: readonly PathWord[],
  found: (node: SpanNode, path: NodePath) => boolean,
): void {
  new Matcher(text, words, found).visit(root, [0]);
}

class Matcher {
  readonly #text: string;
  readonly #words: readonly PathWord[];
  readonly #found: (node: SpanNode, path: NodePath) => boolean;
  /** The path of the visited node. */
  readonly #path: Segment[] = [];
  /** For each place, the list of places to which it was last added. */
  readonly #marks: number[];
  #mark = 0;
  #isOver = false;

  constructor(text: string, words: readonly PathWord[], found: (node: SpanNode, path: NodePath) => boolean) {
    this.#text = text;
    this.#words = words;
    this.#found = found;
    this.#marks = Array.from({ length: words.length + 1 }, () => 0);
  }

  /** Visits a node; `reached` holds the number of words that have led here, for each possible way. */
  visit(node: SpanNode, reached: readonly number[]): void {
    const places = this.#withSkipped(reached);
    if (places.includes(this.#words.length) && !this.#found(node, [...this.#path])) this.#isOver = true;
    if (this.#isOver) return;
    if (node.kind === 'mapping') this.#visitEntries(node, places);
    if (node.kind === 'sequence') this.#visitItems(node, places);
  }

  /** Adds the places after `**`, which can also match no level. */
  #withSkipped(reached: readonly number[]): readonly number[] {
    this.#mark += 1;
    const places: number[] = [];
    for (const place of reached)
      for (let at = place; ; at++) {
        if (this.#marks[at] !== this.#mark) places.push(at);
        this.#marks[at] = this.#mark;
        if (this.#words[at]?.kind !== 'deep') break;
      }
    return places;
  }

  #visitEntries({ entries }: MappingNode, places: readonly number[]): void {
    const repeated = repeatedNames(entries);
    const seen = new Map<string, number>();
    for (const entry of entries) {
      const name = keyName(this.#text, entry.key);
      const isTwice = repeated.has(name);
      const occurrence = isTwice ? (seen.get(name) ?? 0) + 1 : 1;
      if (isTwice) seen.set(name, occurrence);
      const next: number[] = [];
      for (const place of places) next.push(...this.#afterKey(place, name, occurrence));
      // Most keys match nothing, and need no segment.
      if (next.length > 0) this.#enter(entry, keySegment(name, isTwice ? occurrence : undefined), next);
      if (this.#isOver) return;
    }
  }

  #visitItems(list: SequenceNode, places: readonly number[]): void {
    const selected = new Map(
      places.flatMap((place) => {
        const word = this.#words[place];
        return word?.kind === 'items' ? [[word, new Set(selectedItems(list.items, word))] as const] : [];
      }),
    );
    for (const [index, item] of list.items.entries()) {
      this.#enter(
        item,
        index,
        places.flatMap((place) => this.#afterItem(place, selected, index, list.items.length)),
      );
      if (this.#isOver) return;
    }
  }

  #enter(part: Entry | Item, segment: Segment, next: readonly number[]): void {
    if (next.length === 0) return;
    this.#path.push(segment);
    this.visit(part.value, next);
    this.#path.pop();
  }

  #afterKey(place: number, name: string, occurrence: number): readonly number[] {
    const word = this.#words[place];
    if (word?.kind === 'deep') return [place];
    const isEvery = word?.kind === 'every' && !word.isItem;
    const isNamed = (word?.kind === 'key' || word?.kind === 'either') && word.key === name;
    const isOther = word?.kind === 'key' && word.occurrence !== undefined && word.occurrence !== occurrence;
    return isEvery || (isNamed && !isOther) ? [place + 1] : [];
  }

  /** `selected` holds the items of the list that each selector among the words names. */
  #afterItem(
    place: number,
    selected: ReadonlyMap<PathWord, ReadonlySet<number>>,
    index: number,
    length: number,
  ): readonly number[] {
    const word = this.#words[place];
    switch (word?.kind) {
      case 'deep':
        return [place];
      case 'every':
        return [place + 1];
      case 'items':
        return selected.get(word)?.has(index) === true ? [place + 1] : [];
      case 'index':
        return (word.index < 0 ? word.index + length : word.index) === index ? [place + 1] : [];
      case 'either':
        return word.index === index ? [place + 1] : [];
      case 'key':
        return word.isBare && indexIn(word.key) === index ? [place + 1] : [];
      case undefined:
        return [];
    }
  }
}

function repeatedNames(entries: readonly Entry[]): ReadonlySet<string | undefined> {
  const names = new Set<string | undefined>();
  const repeated = new Set<string | undefined>();
  for (const { name } of entries) {
    if (names.has(name)) repeated.add(name);
    names.add(name);
  }
  return repeated;
}
