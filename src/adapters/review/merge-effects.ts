// Finds merged keys (`<<`) that a change hides, uncovers, or removes. No reader merges deeply: a hidden mapping is hidden whole.
import type { Change } from '../../security/index.ts';
import { isMerge } from '../tree/keys.ts';
import { nodeAt } from '../tree/locate.ts';
import { parseNodePath, printNodePath } from '../tree/node-path.ts';
import type { DocumentSpans, MappingNode, SpanNode, Stream } from '../tree/span-tree.ts';
import { documentBefore } from '../verify/pair-documents.ts';

const MAX_NAMES = 8;

/** The most keys and sources that are looked at for all changes of an edit. */
const MAX_LOOKS = 500_000;

/** Kinds of changes that are not about keys. */
const NOT_OF_KEYS: readonly Change['op'][] = ['comment', 'rename', 'text', 'create', 'delete'];

export class Merges {
  readonly #stream: Stream;
  readonly #result: Stream;
  readonly #entries = new Map<MappingNode, ReadonlyMap<string, SpanNode>>();
  #looksLeft = MAX_LOOKS;

  /** Takes the file before the changes and after them; `result` numbers the documents. */
  constructor(stream: Stream, result: Stream) {
    this.#stream = stream;
    this.#result = result;
  }

  /** Yields one sentence for each change that hides, uncovers or removes merged keys. */
  *effectsOf(change: Change): Generator<string> {
    if (!this.#stream.text.includes('<<')) return;
    const document = documentBefore(this.#stream, this.#result, change.doc);
    if (document === undefined || NOT_OF_KEYS.includes(change.op)) return;
    const path = parseNodePath(change.path);
    const last = path.at(-1);
    const mapping = nodeAt(document.root, path.slice(0, -1));
    if (last === undefined || last.kind === 'index' || mapping?.kind !== 'mapping') return;
    if (last.key !== '<<') yield* this.#effectsOfKey(change, document, mapping, last.key);
    else if (change.op !== 'add') {
      const own = this.#entriesOf(document, mapping);
      const names = this.#mergedNames(document, mapping).filter((key) => !own.has(key));
      const parent = printNodePath(path.slice(0, -1)) || 'the document';
      if (names.length > 0)
        yield `${parent}: these keys came from the merge (<<) that changes: ${listed(names)}.`;
    }
    if (this.#looksLeft <= 0)
      yield 'The merges (<<) bring in more than was looked over for keys that are hidden or uncovered.';
  }

  *#effectsOfKey(
    { op, path }: Change,
    document: DocumentSpans,
    mapping: MappingNode,
    key: string,
  ): Generator<string> {
    if (op === 'replace') return;
    const hidden = this.#mergedValue(document, mapping, key);
    if (hidden === undefined) return;
    if (op === 'remove') {
      yield `${path}: with its own key gone, the one from the merge (<<) shows.`;
      return;
    }
    const names =
      hidden.kind === 'mapping'
        ? [...new Set([...this.#entriesOf(document, hidden).keys(), ...this.#mergedNames(document, hidden)])]
        : [];
    const what = names.length === 0 ? 'the value' : `the whole mapping with ${listed(names)}`;
    yield `${path}: this new key hides ${what} that the merge (<<) supplied.`;
  }

  /** The first source of a key wins. */
  #mergedValue(document: DocumentSpans, mapping: MappingNode, key: string): SpanNode | undefined {
    for (const source of this.#sources(document, mapping, new Set())) {
      const value = this.#entriesOf(document, source).get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #mergedNames(document: DocumentSpans, mapping: MappingNode): readonly string[] {
    const names = new Set<string>();
    for (const source of this.#sources(document, mapping, new Set()))
      for (const name of this.#entriesOf(document, source).keys()) if (this.#looksLeft-- > 0) names.add(name);
    return [...names];
  }

  /** The mappings that are merged, each once, as they come before one another. */
  *#sources(document: DocumentSpans, mapping: MappingNode, seen: Set<SpanNode>): Generator<MappingNode> {
    if (seen.has(mapping)) return;
    seen.add(mapping);
    const meaning = (node: SpanNode): SpanNode => document.aliasTargets.get(node) ?? node;
    for (const { value } of mapping.entries.filter(isMerge)) {
      const merged = meaning(value);
      const sources = merged.kind === 'sequence' ? merged.items.map((item) => meaning(item.value)) : [merged];
      for (const source of sources) {
        if (this.#looksLeft-- <= 0) return;
        if (source.kind !== 'mapping') continue;
        yield source;
        yield* this.#sources(document, source, seen);
      }
    }
  }

  /** Answers the entries of the mapping itself. */
  #entriesOf({ aliasTargets }: DocumentSpans, mapping: MappingNode): ReadonlyMap<string, SpanNode> {
    const known = this.#entries.get(mapping);
    if (known !== undefined) return known;
    const found = new Map<string, SpanNode>();
    for (const { name, value } of mapping.entries)
      if (name !== undefined && name !== '<<' && !found.has(name))
        found.set(name, aliasTargets.get(value) ?? value);
    this.#entries.set(mapping, found);
    return found;
  }
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return names.slice(0, MAX_NAMES).join(', ') + more;
}
