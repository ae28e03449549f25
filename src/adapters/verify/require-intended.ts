// The core of the proof: the tree of the result is the old one with the intended change, and nothing else. The intent tells how
// the parts of the collections on its path correspond; all others must read the same.
import type { Intent, NewData, NewKey, Position } from '../edit/intent.ts';
import {
  type Collection,
  type DocumentSpans,
  type Entry,
  type Item,
  isCollection,
  partsOf,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { AliasMeanings, requireMergeable } from './meanings.ts';
import { partsLike } from './parts-like.ts';
import {
  differenceOfHeaders,
  differs,
  isPlainScalar,
  NO_HEADER,
  type NodeHeader,
  nodeHeader,
  TreeComparison,
  type TreeText,
  treeText,
} from './tree-comparison.ts';

/**
 * Throws VERIFICATION_FAILED at the first unintended difference, and ANCHOR_IN_USE where the operation removes a node that an
 * alias means or a merge needs. Linear in the number of nodes. With `isWhole`, equal text is not taken as proof of equal
 * meaning.
 */
export function requireIntended(before: Stream, after: Stream, intent: Intent, isWhole: boolean): void {
  const kept = before.documents.map((document, index) => ({ document, index }));
  const results = [...after.documents];
  if (intent.kind === 'remove document') kept.splice(intent.index, 1);
  const [added] = intent.kind === 'add document' ? results.splice(intent.index, 1) : [];
  if (kept.length !== results.length) throw differs('the number of documents would change');
  for (const [place, { document, index }] of kept.entries()) {
    const result = results[place];
    if (result === undefined) throw differs('a document would vanish');
    const aliases = new AliasMeanings(document, before.text, result);
    const check = new IntentCheck(treeText(before, document), treeText(after, result), aliases, isWhole);
    if ('at' in intent && intent.at.document === index)
      check.requireIntent(intent, intent.at.indexes, document.root, result.root);
    else check.requireSame(document.root, result.root);
    requireMergeable(document, result, after.text);
  }
  if (intent.kind === 'add document') requireNewDocument(after, added, intent.value);
}

/** A document that nothing stood for before. */
function requireNewDocument(after: Stream, added: DocumentSpans | undefined, value: NewData): void {
  if (added === undefined) throw differs('the new document would not be one');
  const tree = treeText(after, added);
  const check = new IntentCheck(tree, tree, new AliasMeanings(added, after.text, added), true);
  check.requireNewRoot(value, added.root);
  requireMergeable(undefined, added, after.text);
}

/** An intent with a place in a document. */
type Intended = Extract<Intent, { readonly at: Position }>;

/** The check of one document. */
class IntentCheck {
  readonly #before: TreeText;
  readonly #after: TreeText;
  readonly #aliases: AliasMeanings;
  readonly #old: TreeComparison;

  constructor(before: TreeText, after: TreeText, aliases: AliasMeanings, isWhole: boolean) {
    this.#before = before;
    this.#after = after;
    this.#aliases = aliases;
    const hasPrefixes = this.#before.tagHandles.size + this.#after.tagHandles.size > 0;
    // The meaning of an alias depends on everything before it, and that of a tag on a directive.
    const canSkip = !isWhole && !hasPrefixes && this.#aliases.areNone;
    this.#old = new TreeComparison(this.#before, this.#after, canSkip, this.#aliases.ofOld);
  }

  requireSame(before: SpanNode, after: SpanNode): void {
    requireNone(this.#old.difference(before, after));
  }

  requireNewRoot(value: NewData, after: SpanNode): void {
    this.#requireNew(value, {}, after);
  }

  /** Checks an intent; `path` holds the indexes that lead from `before` to its place. */
  requireIntent(intent: Intended, path: readonly number[], before: SpanNode, after: SpanNode): void {
    const [index, ...below] = path;
    if (index !== undefined) {
      this.#requirePart(before, after, index, (part, other) =>
        this.requireIntent(intent, below, part, other),
      );
      return;
    }
    switch (intent.kind) {
      case 'replace': {
        const header = nodeHeader(this.#before, before);
        const kept = intent.keeps === 'anchor' ? { anchor: header.anchor } : header;
        this.#requireNew(intent.value, intent.keeps === 'nothing' ? {} : kept, after);
        this.#aliases.replaced(before, after);
        return;
      }
      case 'insert': {
        const [collection, result] = this.#requireCollections(before, after, 1);
        const { length } = partsOf(collection);
        this.#requireRun(collection, 0, intent.index, result, 0);
        this.#requireNewPart(intent.key, intent.value, partsLike(collection, result)[intent.index]);
        this.#requireRun(collection, intent.index, length, result, intent.index + 1);
        return;
      }
      case 'remove': {
        const [collection, result] = this.#requireCollections(before, after, -1);
        const { length } = partsOf(collection);
        this.#requireRun(collection, 0, intent.index, result, 0);
        this.#requireRun(collection, intent.index + 1, length, result, intent.index);
        return;
      }
      case 'rename':
        this.#requirePart(
          before,
          after,
          intent.index,
          (part, other) => this.requireSame(part, other),
          intent.key,
        );
    }
  }

  /** Checks that both collections have the same parts, except for the value of one, and for its key where it is renamed. */
  #requirePart(
    before: SpanNode,
    after: SpanNode,
    index: number,
    requireValue: (before: SpanNode, after: SpanNode) => void,
    newName?: NewKey,
  ): void {
    const [collection, result] = this.#requireCollections(before, after, 0);
    const [part, other] = [partsOf(collection)[index], partsLike(collection, result)[index]];
    if (part === undefined || other === undefined) throw differs('a part would vanish');
    this.#requireRun(collection, 0, index, result, 0);
    if (newName === undefined) requireNone(this.#old.keyDifference(part, other));
    else if ('key' in part && 'key' in other)
      this.#requireKey(newName, nodeHeader(this.#before, part.key), other.key);
    else throw new Error('only an entry has a name');
    requireValue(part.value, other.value);
    this.#requireRun(collection, index + 1, partsOf(collection).length, result, index + 1);
  }

  /** Answers two collections of one kind, of which the second must have `more` parts in addition. */
  #requireCollections(before: SpanNode, after: SpanNode, more: number): readonly [Collection, Collection] {
    if (!isCollection(before)) throw new Error('an intent leads through collections');
    requireNone(this.#old.headerDifference(before, after));
    if (!isCollection(after) || after.kind !== before.kind) throw differs('a node would change its kind');
    if (partsOf(after).length !== partsOf(before).length + more)
      throw differs(
        `the number or kind of ${before.kind === 'mapping' ? 'entries' : 'items'} would not be as intended`,
      );
    return [before, after];
  }

  #requireRun(before: Collection, from: number, to: number, after: Collection, at: number): void {
    requireNone(this.#old.runDifference(before, from, to, after, at));
  }

  #requireNewPart(key: NewKey | 'item', value: NewData, part: Entry | Item | undefined): void {
    if (part === undefined || 'key' in part !== (key !== 'item'))
      throw differs('a part would not be as intended');
    if ('key' in part && key !== 'item') this.#requireKey(key, NO_HEADER, part.key);
    this.#requireNew(value, {}, part.value);
  }

  /** Checks new data; `kept` holds what the node keeps of the old one. */
  #requireNew({ around, fragment }: NewData, kept: Partial<NodeHeader>, after: SpanNode): void {
    const [outer, ...inner] = around;
    if (outer === undefined) {
      const { text, deeperBy = 0 } = fragment;
      const tree = { text, deeperBy, tagHandles: this.#before.tagHandles };
      const header = { ...nodeHeader(tree, fragment.node), ...kept };
      requireNone(differenceOfHeaders(header, nodeHeader(this.#after, after)));
      const comparison = new TreeComparison(tree, this.#after, false, this.#aliases.ofNew);
      requireNone(comparison.contentDifference(fragment.node, after));
      return;
    }
    requireNone(differenceOfHeaders({ ...NO_HEADER, ...kept }, nodeHeader(this.#after, after)));
    const kind = outer === 'item' ? 'sequence' : 'mapping';
    if (!isCollection(after) || after.kind !== kind || partsOf(after).length !== 1)
      throw differs('a new collection would not be as intended');
    this.#requireNewPart(outer, { around: inner, fragment }, partsOf(after)[0]);
  }

  #requireKey({ text, isPlain }: NewKey, header: NodeHeader, after: SpanNode): void {
    requireNone(differenceOfHeaders(header, nodeHeader(this.#after, after)));
    const isSame = after.kind === 'scalar' && isPlainScalar(after) === isPlain && after.value === text;
    if (!isSame) throw differs('another key would come out');
  }
}

function requireNone(difference: string | undefined): void {
  if (difference !== undefined) throw differs(difference);
}
