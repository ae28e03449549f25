// The one comparison of trees: whether two nodes read the same for every reader. Kinds, key order, tags, spellings of plain
// scalars, decoded values of all others, anchors and the names of aliases count. No schema is applied: `1.10`, `1.1` and
// `"1.1"` differ. Aliases are not followed, so that alias bombs cost nothing.

import { type Clues, Refusal } from '../../security/index.ts';
import { deepened } from '../edit/template-part.ts';
import { columnOf } from '../tree/lines.ts';
import {
  type AliasNode,
  type Collection,
  type DocumentSpans,
  type Entry,
  type Item,
  isCollection,
  partsOf,
  type ScalarNode,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { endsInBrackets, holdsActions } from '../tree/word-ends.ts';
import { partsLike } from './parts-like.ts';

/** An observer that gets the pairs on which aliases depend, in source order. */
export interface PairObserver {
  readonly anchored: (before: SpanNode, after: SpanNode) => void;
  readonly alias: (before: AliasNode, after: AliasNode) => void;
}

export class TreeComparison {
  readonly #before: TreeText;
  readonly #after: TreeText;
  readonly #canSkip: boolean;
  readonly #observer: PairObserver | undefined;
  /** The results for collections: aligning lists asks for a pair first, and later for the pairs within. */
  readonly #found = new Map<
    SpanNode,
    { readonly after: SpanNode; readonly difference: string | undefined }
  >();

  /** Takes two trees. With `canSkip`, parts that are written the same count as the same, and the observer does not see them. */
  constructor(before: TreeText, after: TreeText, canSkip: boolean, observer?: PairObserver) {
    this.#before = before;
    this.#after = after;
    this.#canSkip = canSkip;
    this.#observer = observer;
  }

  /** Returns the first difference, as the reason why an edit cannot be made; undefined if the nodes read the same. */
  difference(before: SpanNode, after: SpanNode): string | undefined {
    if (!isCollection(before))
      return this.headerDifference(before, after) ?? this.contentDifference(before, after);
    const found = this.#found.get(before);
    if (found?.after === after) return found.difference;
    const difference = this.headerDifference(before, after) ?? this.contentDifference(before, after);
    this.#found.set(before, { after, difference });
    return difference;
  }

  headerDifference(before: SpanNode, after: SpanNode): string | undefined {
    if (before.properties === undefined && after.properties === undefined) return undefined;
    const difference = differenceOfHeaders(nodeHeader(this.#before, before), nodeHeader(this.#after, after));
    if (difference === undefined && before.properties?.anchor !== undefined)
      this.#observer?.anchored(before, after);
    return difference;
  }

  contentDifference(before: SpanNode, after: SpanNode): string | undefined {
    switch (before.kind) {
      case 'scalar':
        if (after.kind !== 'scalar') return 'a node would change its kind';
        return this.#isSameScalar(before, after) ? undefined : 'another value would come out';
      case 'alias':
        if (after.kind !== 'alias' || before.name !== after.name) return 'an alias would change';
        this.#observer?.alias(before, after);
        return undefined;
      case 'mapping':
      case 'sequence': {
        const { length } = partsOf(before);
        if (after.kind !== before.kind || partsOf(after).length !== length)
          return `the number or kind of ${before.kind === 'mapping' ? 'entries' : 'items'} would not be as intended`;
        return this.runDifference({ before, after, others: partsLike(before, after) }, 0, length, 0);
      }
    }
  }

  /** Returns the first difference between the parts `from`…`to` and as many parts of the other collection from `at` on. */
  runDifference(
    { before, after, others }: PairedParts,
    from: number,
    to: number,
    at: number,
  ): string | undefined {
    const parts = partsOf(before);
    const canSkip = this.#canSkip && before.style === after.style && before.style !== 'sections';
    for (let index = from; index < to; index++) {
      const [part, other] = [parts[index], others[at + index - from]];
      if (part === undefined || other === undefined) return 'a part would vanish';
      if (canSkip && isSamePart(this.#before.text, part, this.#after.text, other, before.style)) continue;
      const difference = this.keyDifference(part, other) ?? this.difference(part.value, other.value);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }

  keyDifference(before: Entry | Item, after: Entry | Item): string | undefined {
    return 'key' in before && 'key' in after ? this.difference(before.key, after.key) : undefined;
  }

  #isSameScalar(before: ScalarNode, after: ScalarNode): boolean {
    const [{ text }, { text: other }] = [this.#before, this.#after];
    // The meaning of a block scalar also depends on its surroundings.
    const { deeperBy = 0 } = this.#before;
    const isBySource = deeperBy === 0 && before.style === after.style && before.block === undefined;
    if (isBySource && text.slice(before.start, before.end) === other.slice(after.start, after.end))
      return true;
    // A plain value that would end within brackets is a string, so that the quotes it gets there do not change its type.
    const isAlike =
      isPlainScalar(before) === isPlainScalar(after) ||
      (isPlainScalar(before) && !holdsActions(before) && endsInBrackets(before.value));
    const value = deeperBy === 0 ? before.value : deepened(before.value, deeperBy);
    return isAlike && value === after.value;
  }
}

/** Two collections of one kind; `others` are the parts of the second in the order of the first. */
export interface PairedParts {
  readonly before: Collection;
  readonly after: Collection;
  readonly others: readonly (Entry | Item)[];
}

export function differenceOfHeaders(expected: NodeHeader, actual: NodeHeader): string | undefined {
  if (expected.tag !== actual.tag) return 'a tag would change';
  return expected.anchor === actual.anchor ? undefined : 'an anchor would change';
}

/** The text that nodes are of, and the tag prefixes that hold there. */
export interface TreeText {
  readonly text: string;
  readonly tagHandles: DocumentSpans['tagHandles'];
  /** See `NewData`. */
  readonly deeperBy?: number;
}

export function treeText({ text }: Stream, { tagHandles }: DocumentSpans): TreeText {
  return { text, tagHandles };
}

/** The parts that every node has beside its content. */
export interface NodeHeader {
  /** The tag, resolved by the document's %TAG directives. */
  readonly tag: string | undefined;
  readonly anchor: string | undefined;
}

export const NO_HEADER: NodeHeader = { tag: undefined, anchor: undefined };

export function nodeHeader({ text, tagHandles }: TreeText, { properties }: SpanNode): NodeHeader {
  if (properties === undefined) return NO_HEADER;
  const { tag, anchor } = properties;
  return {
    tag: tag === undefined ? undefined : resolveTag(text.slice(tag.start, tag.end), tagHandles),
    anchor: anchor?.name,
  };
}

function resolveTag(source: string, tagHandles: TreeText['tagHandles']): string {
  if (source.startsWith('!<')) return source.slice(2, -1);
  const handle = /^!(?:[^!]*!)?/.exec(source)?.[0] ?? '!';
  const prefix = tagHandles.get(handle) ?? (handle === '!!' ? 'tag:yaml.org,2002:' : undefined);
  return prefix === undefined ? source : prefix + source.slice(handle.length);
}

/** True for a scalar whose spelling gives its type; all others are strings. */
export function isPlainScalar({ style }: ScalarNode): boolean {
  return style === 'plain' || style === 'empty';
}

/** Returns the text by which a key is found: two scalars or aliases have the same exactly when they read the same. A collection is known by its source. */
export function keyIdentity(tree: TreeText, key: SpanNode): string {
  // This is the case for most keys.
  if (key.kind === 'scalar' && key.style === 'plain' && key.properties === undefined) return `=${key.value}`;
  const { tag, anchor } = nodeHeader(tree, key);
  const content =
    key.kind === 'scalar' ? [isPlainScalar(key), key.value] : tree.text.slice(key.start, key.end);
  return JSON.stringify([key.kind, tag, anchor, content]);
}

/**
 * True if a part must read the same in two texts because it is written the same, so that its data need not be compared. Both
 * texts were parsed whole. It holds in collections of one style without aliases and tag prefixes. False means that a closer
 * look is needed.
 */
export function isSamePart(
  before: string,
  old: Entry | Item | undefined,
  after: string,
  next: Entry | Item | undefined,
  style: Collection['style'],
): boolean {
  // Between the parts of a section are those of others.
  if (style === 'sections' || old === undefined || next === undefined) return false;
  const { start, end } = old;
  const { start: newStart, end: newEnd } = next;
  const [colon, newColon] = [colonOf(old), colonOf(next)];
  const shift = newStart - start;
  return (
    newEnd - end === shift &&
    newColon === (colon === undefined ? undefined : colon + shift) &&
    before.slice(start, end) === after.slice(newStart, newEnd) &&
    // All further lines have their indentation in the text; that of the first line is before it. In brackets
    // nothing depends on columns.
    (style !== 'block' || columnOf(before, start) === columnOf(after, newStart)) &&
    // A block scalar at the end counts the line break behind it.
    breakAt(before, end) === breakAt(after, newEnd)
  );
}

function colonOf(part: Entry | Item): number | undefined {
  return 'colon' in part ? part.colon : undefined;
}

function breakAt(text: string, end: number): string {
  return text.startsWith('\r\n', end) ? '\r\n' : text.startsWith('\n', end) ? '\n' : '';
}

const QUOTE_IT = {
  advice: [
    'Quote the value, or send it as json, so that it is exactly one value where it stands',
    'Or edit the lines as text, with op "replace_text" and no path',
  ],
};

/** Makes the refusal of an edit that would change something else than was meant. */
export function differs(reason: string, clues: Clues = QUOTE_IT): Refusal {
  return new Refusal('VERIFICATION_FAILED', `Cannot make this edit: ${reason}`, {}, clues);
}
