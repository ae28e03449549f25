// The core of the proof: the tree of the result is the old one with the intended changes, and nothing else. The intents tell
// how the parts of the collections on their paths correspond; all others must read the same.
import type { Intent, NewData, NewKey, Position } from '../edit/intent.ts';
import type { Json } from '../tree/json.ts';
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
 * alias means or a merge needs. All intents are of the old tree, and none is within the place of another; one of a whole
 * document stands alone. Linear in the number of nodes. With `isWhole`, equal text is not taken as proof of equal meaning.
 */
export function requireIntended(
  before: Stream,
  after: Stream,
  intents: readonly Intent[],
  isWhole: boolean,
): void {
  const kept = before.documents.map((document, index) => ({ document, index }));
  const results = [...after.documents];
  const [intent] = intents;
  if (intent?.kind === 'remove document') kept.splice(intent.index, 1);
  const [added] = intent?.kind === 'add document' ? results.splice(intent.index, 1) : [];
  if (kept.length !== results.length) throw differs('the number of documents would change');
  const placed = intents.filter((one) => 'at' in one);
  for (const [place, { document, index }] of kept.entries()) {
    const result = results[place];
    if (result === undefined) throw differs('a document would vanish');
    const aliases = new AliasMeanings(document, before.text, result);
    const check = new IntentCheck(treeText(before, document), treeText(after, result), aliases, isWhole);
    const aimed = placed
      .filter(({ at }) => at.document === index)
      .map((one) => ({ intent: one, below: one.at.indexes }));
    check.requireIntents(aimed, document.root, result.root);
    requireMergeable(document, result, after.text);
  }
  if (intent?.kind === 'add document') requireNewDocument(after, added, intent.value);
}

/** Checks a new document, which has no counterpart in the old tree. */
function requireNewDocument(after: Stream, added: DocumentSpans | undefined, value: NewData): void {
  if (added === undefined) throw differs('the new document would not be one');
  const tree = treeText(after, added);
  const check = new IntentCheck(tree, tree, new AliasMeanings(added, after.text, added), true);
  check.requireNewRoot(value, added.root);
  requireMergeable(undefined, added, after.text);
}

/** An intent with a place in a document, and the indexes that lead on to it from a node on the way. */
interface Aimed {
  readonly intent: Extract<Intent, { readonly at: Position }>;
  readonly below: readonly number[];
}

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

  requireNewRoot(value: NewData, after: SpanNode): void {
    this.#requireNew(value, {}, after);
  }

  /** Checks that `after` is `before` with the intents, whose places are at this node or below it. */
  requireIntents(aimed: readonly Aimed[], before: SpanNode, after: SpanNode): void {
    if (aimed.length === 0) {
      requireNone(this.#old.difference(before, after));
      return;
    }
    const [replaced] = aimed.flatMap(({ intent, below }) =>
      intent.kind === 'replace' && below.length === 0 ? [intent] : [],
    );
    if (replaced === undefined) {
      this.#requireParts(aimed, before, after);
      return;
    }
    if (aimed.length > 1) throw new Error('a node that is replaced takes no other intent');
    const header = nodeHeader(this.#before, before);
    const kept = replaced.keeps === 'anchor' ? { anchor: header.anchor } : header;
    this.#requireNew(replaced.value, replaced.keeps === 'nothing' ? {} : kept, after);
    this.#aliases.replaced(before, after);
  }

  /** Checks that both collections have the same parts, but for the intents, which are at these parts or below them. */
  #requireParts(aimed: readonly Aimed[], before: SpanNode, after: SpanNode): void {
    const own = aimed.flatMap(({ intent, below }) => (below.length === 0 ? [intent.kind] : []));
    const count = (kind: Intent['kind']) => own.filter((one) => one === kind).length;
    const [collection, result] = this.#requireCollections(before, after, count('insert') - count('remove'));
    const [parts, others] = [partsOf(collection), partsLike(collection, result)];
    const pair = { before: collection, after: result, others };
    let [from, at] = [0, 0];
    const pass = (to: number): void => {
      requireNone(this.#old.runDifference(pair, from, to, at));
      [from, at] = [to, at + to - from];
    };
    for (const [index, group] of byPart(aimed)) {
      pass(index);
      const inserted = group.flatMap(({ intent, below }) =>
        intent.kind === 'insert' && below.length === 0 ? [intent] : [],
      );
      // Two parts for one place have no order, so they are never intended together.
      for (const { key, value } of inserted) this.#requireNewPart(key, value, others[at++]);
      const inner = group.filter(({ intent, below }) => below.length > 0 || intent.kind !== 'insert');
      if (inner.length === 0) continue;
      from += 1;
      if (inner.some(({ intent, below }) => intent.kind === 'remove' && below.length === 0)) continue;
      this.#requirePart(inner, parts[index], others[at++]);
    }
    pass(parts.length);
  }

  /** Checks one part that stays; its key is another one where it is renamed. */
  #requirePart(
    aimed: readonly Aimed[],
    part: Entry | Item | undefined,
    other: Entry | Item | undefined,
  ): void {
    if (part === undefined || other === undefined) throw differs('a part would vanish');
    const [renamed] = aimed.flatMap(({ intent, below }) =>
      intent.kind === 'rename' && below.length === 0 ? [intent] : [],
    );
    if (renamed === undefined) requireNone(this.#old.keyDifference(part, other));
    else if ('key' in part && 'key' in other)
      this.#requireKey(renamed.key, nodeHeader(this.#before, part.key), other.key);
    else throw new Error('only an entry has a name');
    const inner = aimed.flatMap(({ intent, below: [first, ...below] }) =>
      first === undefined ? [] : [{ intent, below }],
    );
    this.requireIntents(inner, part.value, other.value);
  }

  /** Returns two collections of one kind, of which the second must have `more` parts in addition. */
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
      if (fragment.asked !== undefined && !holdsData(after, fragment.asked))
        throw differs('the data would not be those that were asked for');
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

/** True if the node reads as these data, whatever wrote it. */
function holdsData(node: SpanNode, json: Json): boolean {
  if (node.kind === 'scalar') return node.typedValue === json;
  if (typeof json !== 'object' || json === null || node.kind === 'alias') return false;
  if (Array.isArray(json) !== (node.kind === 'sequence')) return false;
  const members = new Map(Object.entries(json));
  return (
    partsOf(node).length === members.size &&
    partsOf(node).every((part, index) => {
      const member = members.get('key' in part ? (part.name ?? '') : String(index));
      return member !== undefined && holdsData(part.value, member);
    })
  );
}

/** Groups the intents of a collection by the part that each is at, leads through, or comes before; in the order of the parts. */
function byPart(aimed: readonly Aimed[]): readonly (readonly [number, readonly Aimed[]])[] {
  const groups = new Map<number, Aimed[]>();
  for (const one of aimed) {
    const { intent, below } = one;
    const index = below[0] ?? ('index' in intent ? intent.index : 0);
    const group = groups.get(index);
    if (group === undefined) groups.set(index, [one]);
    else group.push(one);
  }
  return [...groups].sort(([a], [b]) => a - b);
}

function requireNone(difference: string | undefined): void {
  if (difference !== undefined) throw differs(difference);
}
