// Finds the nodes that a path of `--mask-path` means to any reader: keys in any letter case, dots that separate keys or belong
// to one, aliases and merges followed, and each item whose field may have the text. A node too many is masked, and none is
// missed. Its time is bounded by nodes × words, because each node is visited once for each number of words.
import type { FieldCondition, PathWord } from '../../security/node-paths/node-path.ts';
import { keyName } from '../tree/keys.ts';
import { type DocumentSpans, type Entry, partsOf, type SpanNode } from '../tree/span-tree.ts';
import { anyOf, mergedBy, nameOf } from './masking-rules.ts';

export function nodesAtMaskedPath(
  text: string,
  document: DocumentSpans,
  words: readonly PathWord[],
): readonly SpanNode[] {
  const walk = new MaskedPathWalk(text, document, words);
  walk.visit(document.root, 0);
  return walk.found;
}

class MaskedPathWalk {
  readonly found: SpanNode[] = [];
  readonly #text: string;
  readonly #document: DocumentSpans;
  readonly #words: readonly PathWord[];
  /** For each number of words that have led to a node, the nodes that were visited. */
  readonly #visited: readonly Set<SpanNode>[];

  constructor(text: string, document: DocumentSpans, words: readonly PathWord[]) {
    this.#text = text;
    this.#document = document;
    this.#words = words;
    this.#visited = Array.from({ length: words.length + 1 }, () => new Set());
  }

  visit(node: SpanNode, at: number): void {
    const visited = this.#visited[at];
    if (visited === undefined || visited.has(node)) return;
    visited.add(node);
    const word = this.#words[at];
    if (word === undefined) this.found.push(node);
    else if (node.kind === 'alias') this.visit(this.#targetOf(node), at);
    else if (word.kind === 'deep') {
      this.visit(node, at + 1);
      if (node.kind !== 'scalar') for (const { value } of partsOf(node)) this.visit(value, at);
    } else if (node.kind === 'mapping') for (const entry of node.entries) this.#visitEntry(entry, at);
    else if (node.kind === 'sequence')
      for (const [index, { value }] of node.items.entries())
        if (this.#namesItem(word, value, index, node.items.length)) this.visit(value, at + 1);
  }

  #visitEntry(entry: Entry, at: number): void {
    for (const source of mergedBy(this.#text, this.#document, entry)) this.visit(source, at);
    const given = (nameOf(this.#document, entry) ?? keyName(this.#text, entry.key)).toLowerCase();
    const word = this.#words[at];
    if (word?.kind === 'every' && !word.isItem) this.visit(entry.value, at + 1);
    // One key may stand for several words: `db.my.nick` for the key `my.nick`.
    let joined = '';
    for (let to = at; to < this.#words.length; to++) {
      const next = this.#words[to];
      if (next?.kind !== 'key') break;
      joined += `${to === at ? '' : '.'}${next.key.toLowerCase()}`;
      if (joined === given) this.visit(entry.value, to + 1);
    }
  }

  #namesItem(word: PathWord, item: SpanNode, index: number, length: number): boolean {
    if (word.kind === 'every') return true;
    if (word.kind === 'index') return (word.index < 0 ? word.index + length : word.index) === index;
    if (word.kind === 'key') return word.index === index;
    return word.kind === 'items' && [word, ...(word.others ?? [])].every((one) => this.#mayHave(item, one));
  }

  #mayHave(item: SpanNode, { field, value }: FieldCondition): boolean {
    const isLike = anyOf([value]);
    const visited = Array.from({ length: field.length + 1 }, () => new Set<SpanNode>());
    const texts: string[] = [];
    const collect = (node: SpanNode, at: number): void => {
      const seen = visited[at];
      if (seen === undefined || seen.has(node)) return;
      seen.add(node);
      if (node.kind === 'alias') collect(this.#targetOf(node), at);
      else if (node.kind === 'scalar' && at === field.length) texts.push(node.value);
      else if (node.kind === 'mapping')
        for (const entry of node.entries) {
          for (const source of mergedBy(this.#text, this.#document, entry)) collect(source, at);
          for (let to = at + 1; to <= field.length; to++)
            if (field.slice(at, to).join('.').toLowerCase() === nameOf(this.#document, entry)?.toLowerCase())
              collect(entry.value, to);
        }
    };
    collect(item, 0);
    return texts.some((text) => text === value || isLike(text));
  }

  #targetOf(node: SpanNode): SpanNode {
    return this.#document.aliasTargets.get(node) ?? node;
  }
}
