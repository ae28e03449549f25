// The expected tree: the old one with the changes of each step, as data. It is compared once with a fresh parse of the result, so that
// no writer and no layout has to be trusted. Only the nodes on the path to a change are copied.
import { type Clues, Refusal } from '../../security/errors/refusal.ts';
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
  /** The text that the node is from. */
  readonly text: string;
  /** True for data that a step brings. */
  readonly isNew?: true;
  /** The parts, if they differ from those of the node. */
  readonly parts?: readonly DataPart[];
  /** The anchor and the tag that it keeps from the node that it replaces. */
  readonly keeps?: { readonly anchor?: string | undefined; readonly tag?: string | undefined } | undefined;
  /** The old nodes that it replaced. */
  readonly replaced?: readonly SpanNode[];
  /** The number of columns that are added to the depth that its actions name. */
  readonly deeperBy?: number | undefined;
}

export interface DataPart {
  readonly key: Data | undefined;
  readonly value: Data;
  /** The part of the old tree, if nothing in it has changed. */
  readonly own?: Entry | Item;
}

/** The expected documents. `origin` is the old index, undefined for a new document. */
export type Documents = readonly { readonly data: Data; readonly origin: number | undefined }[];

/** Returns the expected parts; none for a scalar. */
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

/** Returns the data with a change of the node that the steps lead to. */
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

/** Returns the index of a part. In sections it is found by name, because new parts are written anywhere. */
export function indexIn(data: Data, { kind, index, container, part }: PathStep): number {
  if (kind !== 'entry' || !isSectional(container)) return index;
  const found = partsIn(data).findIndex((one) => nameOf(one) === part.name);
  return found === -1 ? index : found;
}

function nameOf({ key }: DataPart): string | undefined {
  return key?.node.kind === 'scalar' ? key.node.value : undefined;
}

/**
 * Returns the first difference, worded as the reason of a refusal; undefined if there is none. No schema is applied: `1.10`, `1.1`
 * and `"1.1"` differ. With `canSkip`, unchanged parts with the same text are not compared further.
 */
export function difference(expected: Data, actual: Data, canSkip: boolean): string | undefined {
  const [old, next] = [nodeHeader(expected), nodeHeader(actual)];
  if (old.tag !== next.tag) return 'a tag would change';
  if (old.anchor !== next.anchor) return 'an anchor would change';
  return contentDifference(expected, actual, canSkip);
}

/** As `difference`, ignoring the tag and the anchor of the nodes themselves. */
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

/** Returns the parts of the second in the order of the first; undefined if their numbers differ. The order of sections has no meaning. */
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
  // A plain value that would end early in brackets is a string, so the quotes that it gets there keep its type.
  const isAlike =
    isPlainScalar(old) === isPlainScalar(next) ||
    (isPlainScalar(old) && !holdsActions(old) && endsInBrackets(old.value));
  return isAlike && (deeperBy === 0 ? old.value : deepened(old.value, deeperBy)) === next.value;
}

/** Returns the source of actions, with columns added to the depth at the end of each. */
export function deepened(source: string, columns: number): string {
  return source.replaceAll(
    /(\bn?indent\s+\(?\s*(?:int\s+)?)(\d{1,4})(?=\s*\)?\s*-?[%}]\})/g,
    (_, before: string, depth: string) => `${before}${Number(depth) + columns}`,
  );
}

/** True for a scalar whose spelling determines its type; all others are strings. */
export function isPlainScalar({ style }: ScalarNode): boolean {
  return style === 'plain' || style === 'empty';
}

/** Returns the tag, resolved to its full name, and the anchor. */
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

/** True if a part has the same text in both files, so that it reads the same in collections of one style without aliases. */
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
    // The text includes the indentation of all further lines; in brackets nothing depends on columns.
    (style !== 'block' || columnOf(before, old.start) === columnOf(after, next.start)) &&
    before.slice(old.start, old.end) === after.slice(next.start, next.end) &&
    // A block scalar at the end includes the line break after it.
    before.startsWith('\n', old.end) === after.startsWith('\n', next.end) &&
    before.startsWith('\r\n', old.end) === after.startsWith('\r\n', next.end)
  );
}

/** True for a table in one run of statements that begins with its header, so that the text is all of it. */
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

/** Makes the refusal of an edit whose result is not what was intended. */
export function differs(reason: string, clues: Clues = QUOTE_IT): Refusal {
  return new Refusal('VERIFICATION_FAILED', `Cannot make this edit: ${reason}`, {}, clues);
}
