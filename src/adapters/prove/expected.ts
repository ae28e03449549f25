// The expected tree: the old one, changed by each step as data. It is compared once with the tree of the result, which is read
// from scratch, so that no writer and no layout has to be trusted. Only the way to a changed node is copied.
import { type Clues, Refusal } from '../../security/index.ts';
import { columnOf } from '../tree/lines.ts';
import type { PathStep } from '../tree/locate.ts';
import {
  type Collection,
  type Entry,
  type Item,
  isCollection,
  isSectional,
  partsOf,
  type ScalarNode,
  type SpanNode,
} from '../tree/span-tree.ts';
import { endsInBrackets, holdsActions } from '../tree/word-ends.ts';

/** A node as data. */
export interface Data {
  readonly node: SpanNode;
  /** The text that the node is of. */
  readonly text: string;
  /** True for data that a step brings. */
  readonly isNew?: true;
  /** The parts, if they are others than those of the node. */
  readonly parts?: readonly DataPart[];
  /** The anchor and the tag that it keeps of the node whose place it takes. */
  readonly keeps?: { readonly anchor?: string | undefined; readonly tag?: string | undefined } | undefined;
  /** The old nodes whose place it has taken. */
  readonly replaced?: readonly SpanNode[];
  /** The number of columns by which its actions write deeper, where they say how deep. */
  readonly deeperBy?: number | undefined;
}

export interface DataPart {
  readonly key: Data | undefined;
  readonly value: Data;
  /** The part of the old tree, if nothing in it has changed. */
  readonly own?: Entry | Item;
}

/** The documents as they must be, each with the index that it had at the beginning; undefined for a new one. */
export type Documents = readonly { readonly data: Data; readonly origin: number | undefined }[];

/** Returns the parts as they are expected; none for a scalar. */
export function partsIn(data: Data): readonly DataPart[] {
  if (data.parts !== undefined) return data.parts;
  if (!isCollection(data.node)) return [];
  const { text } = data;
  return partsOf(data.node).map((own) => ({
    key: 'key' in own ? { node: own.key, text } : undefined,
    value: { node: own.value, text },
    own,
  }));
}

/** Returns the data with the node at the end of the steps changed. */
export function changed(data: Data, steps: readonly PathStep[], change: (data: Data) => Data): Data {
  const [first, ...rest] = steps;
  if (first === undefined) return change(data);
  const index = indexIn(data, first);
  const parts = partsIn(data).map(
    (part, at): DataPart =>
      at === index ? { key: part.key, value: changed(part.value, rest, change) } : part,
  );
  return { ...data, parts };
}

/** Returns the index of a part. In sections a part is found by its name, because new ones stand where there is a place. */
export function indexIn(data: Data, { kind, index, container, part }: PathStep): number {
  if (kind !== 'entry' || !isSectional(container)) return index;
  const found = partsIn(data).findIndex((one) => nameOf(one) === part.name);
  return found === -1 ? index : found;
}

function nameOf({ key }: DataPart): string | undefined {
  return key?.node.kind === 'scalar' ? key.node.value : undefined;
}

/**
 * Returns the first difference as the reason why an edit cannot be made; undefined if both read the same. No schema is applied:
 * `1.10`, `1.1` and `"1.1"` differ. With `canSkip`, old parts that are written the same count as the same.
 */
export function difference(expected: Data, actual: Data, canSkip: boolean): string | undefined {
  const [old, next] = [nodeHeader(expected), nodeHeader(actual)];
  if (old.tag !== next.tag) return 'a tag would change';
  if (old.anchor !== next.anchor) return 'an anchor would change';
  return contentDifference(expected, actual, canSkip);
}

/** Does the same without the tag and the anchor of the nodes themselves. */
export function contentDifference(expected: Data, actual: Data, canSkip: boolean): string | undefined {
  const [{ node }, other] = [expected, actual.node];
  if (node.kind !== other.kind) return 'a node would change its kind';
  if (node.kind === 'alias')
    return other.kind === 'alias' && node.name === other.name ? undefined : 'an alias would change';
  if (node.kind === 'scalar') {
    const isSame = other.kind === 'scalar' && isSameScalar(node, other, expected.deeperBy);
    return isSame ? undefined : 'another value would come out';
  }
  return isCollection(other)
    ? differenceOfParts(expected, actual, other, canSkip)
    : 'a node would change its kind';
}

function differenceOfParts(
  expected: Data,
  actual: Data,
  other: Collection,
  canSkip: boolean,
): string | undefined {
  const parts = partsIn(expected);
  const found = alike(parts, partsIn(actual), other);
  if (found === undefined)
    return `the number or kind of ${other.kind === 'mapping' ? 'entries' : 'items'} would not be as intended`;
  const isSameStyle = isCollection(expected.node) && expected.node.style === other.style;
  for (const [at, part] of parts.entries()) {
    const twin = found[at];
    if (twin === undefined) return 'a part would vanish';
    if (canSkip && isSameStyle && isWrittenAlike(expected.text, part.own, actual.text, twin.own, other.style))
      continue;
    const reason =
      (part.key && twin.key && difference(part.key, twin.key, canSkip)) ??
      difference(part.value, twin.value, canSkip);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Returns the parts of the second in the order of the first; undefined if their numbers differ. The order of sections says nothing. */
function alike(
  parts: readonly DataPart[],
  others: readonly DataPart[],
  { style, kind }: Collection,
): readonly DataPart[] | undefined {
  if (parts.length !== others.length) return undefined;
  if (style !== 'sections' || kind !== 'mapping') return others;
  if (parts.every((part, at) => nameOf(part) === nameOf(others[at] ?? part))) return others;
  const named = new Map(others.map((part) => [nameOf(part), part]));
  const found = parts.flatMap((part) => named.get(nameOf(part)) ?? []);
  return found.length === parts.length ? found : undefined;
}

function isSameScalar(old: ScalarNode, next: ScalarNode, deeperBy = 0): boolean {
  // A plain value that would end within brackets is a string, so that the quotes it gets there do not change its type.
  const isAlike =
    isPlainScalar(old) === isPlainScalar(next) ||
    (isPlainScalar(old) && !holdsActions(old) && endsInBrackets(old.value));
  return isAlike && (deeperBy === 0 ? old.value : deepened(old.value, deeperBy)) === next.value;
}

/** Returns the source of one or more actions, in which the depth that ends an action is so many columns larger. */
export function deepened(source: string, columns: number): string {
  return source.replaceAll(
    /(\bn?indent\s+\(?\s*(?:int\s+)?)(\d{1,4})(?=\s*\)?\s*-?[%}]\})/g,
    (_, before: string, depth: string) => `${before}${Number(depth) + columns}`,
  );
}

/** True for a scalar whose spelling gives its type; all others are strings. */
export function isPlainScalar({ style }: ScalarNode): boolean {
  return style === 'plain' || style === 'empty';
}

/** Returns the tag with its whole name, and the anchor. */
export function nodeHeader({ node, text, keeps }: Data): {
  readonly anchor: string | undefined;
  readonly tag: string | undefined;
} {
  const tag = node.properties?.tag;
  return {
    anchor: keeps?.anchor ?? node.properties?.anchor?.name,
    tag: keeps?.tag ?? (tag && wholeTag(text.slice(tag.start, tag.end))),
  };
}

function wholeTag(source: string): string {
  return source.startsWith('!!') ? `tag:yaml.org,2002:${source.slice(2)}` : source;
}

/** True if a part must read the same in two texts, in collections of one style without aliases, because it is written the same. */
export function isWrittenAlike(
  before: string,
  old: Entry | Item | undefined,
  after: string,
  next: Entry | Item | undefined,
  style: Collection['style'],
): boolean {
  if (old === undefined || next === undefined || old.end - old.start !== next.end - next.start) return false;
  const shift = next.start - old.start;
  const [colon, other] = [colonOf(old), colonOf(next)];
  return (
    other === (colon === undefined ? undefined : colon + shift) &&
    (!isSectional(old.value) || isWhole(before, old)) &&
    // All further lines have their indentation in the text; in brackets nothing depends on columns.
    (style !== 'block' || columnOf(before, old.start) === columnOf(after, next.start)) &&
    before.slice(old.start, old.end) === after.slice(next.start, next.end) &&
    // A block scalar at the end counts the line break behind it.
    before.startsWith('\n', old.end) === after.startsWith('\n', next.end) &&
    before.startsWith('\r\n', old.end) === after.startsWith('\r\n', next.end)
  );
}

/** True for a table whose headers say all that it is: one run of statements, of which the first is a header. */
function isWhole(text: string, { value }: Entry | Item): boolean {
  return isSectional(value) && value.pieces?.length === 1 && text.startsWith('[', value.start);
}

function colonOf(part: Entry | Item): number | undefined {
  return 'colon' in part ? part.colon : undefined;
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
