// `set` of a list that keeps some of its items: those stay or move with their comments, which are about the item, and only the
// others are removed and added.
import { type NodePath, printNodePath, unlessRefused } from '../../security/index.ts';
import { type Copied, copiedPart } from '../edit/copied-part.ts';
import { withoutComments } from '../edit/fragment.ts';
import type { PlanContext } from '../edit/intent.ts';
import { tailEnd } from '../edit/part-extent.ts';
import { typedIfCompact } from '../edit/read-value.ts';
import { headStart } from '../tree/head-comment.ts';
import type { Json } from '../tree/json.ts';
import { lineStart } from '../tree/lines.ts';
import { locate } from '../tree/locate.ts';
import {
  type Item,
  isSectional,
  type MappingNode,
  partsOf,
  type SequenceNode,
  type Span,
  type SpanNode,
  type Stream,
  walk,
} from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';
import { type Given, newValue, type Step } from './operation.ts';

/** The most steps, each of which reads the file anew. */
const MAX_STEPS = 80;
const MAX_ITEMS = 500;

/** An item as it is asked for: its data, and how it gets into the list where it is not there yet. */
interface Wanted {
  readonly data: Json;
  readonly given: { readonly json: Json } | { readonly copied: Copied };
}

/**
 * Returns the steps; none if the list has these items already, and undefined if nothing of the list stays, or no comments
 * would be lost or be above another item.
 */
export function reorderSteps(
  context: PlanContext,
  path: NodePath,
  given: Given,
): readonly Step[] | undefined {
  const { stream, document, documentIndex: doc } = context;
  const { value, json } = given;
  if (!(value === undefined ? Array.isArray(json) : /^\s*[-[]/.test(value))) return undefined;
  const { node, missing, path: list } = locate(document, path);
  if (missing.length > 0 || node.kind !== 'sequence' || isSectional(node)) return undefined;
  if (stream.actions !== undefined || !hasComments(context, node)) return undefined;
  const wanted = wantedItems(context, given, node);
  if (wanted === undefined) return undefined;
  const order = orderOf(context, node, wanted);
  const kept = order.filter((index) => index !== undefined);
  const isComplete = kept.length === node.items.length && kept.length === wanted.length;
  if (isComplete && kept.every((index, at) => index === at)) return [];
  const stays = longestRise(kept);
  if (kept.length === 0) return withoutHead(context, node, path, given);
  const canMove = ({ value }: Item, index: number) =>
    stays.has(index) || (kept.includes(index) ? isFree(value) : !hasAnchor(value));
  if (!node.items.every(canMove)) return undefined;
  const steps: Step[] = [];
  const now = node.items.map((_, index) => index);
  const remove = (index: number) => {
    const [from] = [now.indexOf(index)];
    now.splice(from, 1);
    steps.push({ op: 'delete', path: printNodePath([...list, from]), doc });
  };
  for (const [at, index] of order.entries()) {
    const [item, part] = [wanted[at], index === undefined ? undefined : node.items[index]];
    if (item === undefined || (index !== undefined && stays.has(index))) continue;
    if (index !== undefined) remove(index);
    const to = at === 0 ? 0 : now.indexOf(tokenAt(order, at - 1)) + 1;
    now.splice(to, 0, tokenAt(order, at));
    const arriving =
      part === undefined || index === undefined
        ? item.given
        : { copied: copyOf(context, stream, node, index) };
    steps.push({ op: 'insert', path: printNodePath(list), doc, index: to, ...arriving });
  }
  // Removing comes last, because until then the neighbours show how items are written and separated.
  for (const index of now.toReversed()) if (index >= 0 && !kept.includes(index)) remove(index);
  return steps.length > MAX_STEPS ? undefined : steps;
}

/**
 * Returns the step for a list of all other items that removes the comment above the first one. That comment is about the item
 * where another item has its own, and about the list elsewhere.
 */
function withoutHead(
  { stream, documentIndex: doc }: PlanContext,
  { style, items }: SequenceNode,
  path: NodePath,
  { value, json }: Given,
): readonly Step[] | undefined {
  const isCommented = ({ start }: Span) => headStart(stream, start) < lineStart(stream.text, start);
  const [first, ...others] = items;
  if (style !== 'block' || first === undefined || !isCommented(first) || !others.some(isCommented))
    return undefined;
  const head = printNodePath([...path, 0]);
  return [
    { op: 'comment', path: head, doc, comment: '', place: 'before' },
    { op: 'set', path: printNodePath(path), doc, value, json },
  ];
}

/** Returns the index of an existing item, or a number of its own for a new one. */
function tokenAt(order: readonly (number | undefined)[], at: number): number {
  return order[at] ?? -1 - at;
}

function copyOf({ format }: PlanContext, stream: Stream, container: SequenceNode, index: number): Copied {
  const part = container.items[index];
  if (part === undefined) throw new Error('the item exists');
  return copiedPart(stream, { kind: 'item', container, part, index }, format);
}

export function hasComments({ stream }: PlanContext, node: SequenceNode | MappingNode): boolean {
  const { style, start, end } = node;
  const [first, last] = [partsOf(node)[0], partsOf(node).at(-1)];
  if (first === undefined || last === undefined) return false;
  const [from, to] =
    style === 'block' ? [headStart(stream, first.start), tailEnd(stream, last)] : [start, end];
  return stream.comments.some((comment) => comment.start >= from && comment.start < to);
}

/** True for a value whose meaning does not depend on its place, or on what follows it. */
export function isFree(value: SpanNode): boolean {
  for (const node of walk(value)) {
    const isKeeping = node.kind === 'scalar' && node.block?.chomp === 'keep';
    if (node.kind === 'alias' || node.properties !== undefined || isKeeping) return false;
  }
  return true;
}

/** True if aliases may mean a part of it. */
function hasAnchor(value: SpanNode): boolean {
  return [...walk(value)].some(({ properties }) => properties?.anchor !== undefined);
}

/** Returns the wanted items; undefined if the value brings comments of its own, asks for the list in another style, or is refused anyway. */
function wantedItems(
  context: PlanContext,
  given: Given,
  { style }: SequenceNode,
): readonly Wanted[] | undefined {
  const typed = typedIfCompact(context, newValue(given));
  if ('json' in typed)
    return Array.isArray(typed.json)
      ? typed.json.map((data) => ({ data, given: { json: data } }))
      : undefined;
  const { source } = typed;
  return unlessRefused(() => {
    const plain = withoutComments(source, context);
    if (plain === undefined) return undefined;
    const { stream, document } = plain;
    const { root } = document;
    if (root.kind !== 'sequence' || root.style !== style || !isFree(root)) return undefined;
    return root.items.map(({ value }, index) => ({
      data: toValue(document, value),
      given: { copied: copyOf(context, stream, root, index) },
    }));
  });
}

/** Returns for each wanted item its present index; undefined for a new one. */
function orderOf(
  { document }: PlanContext,
  { items }: SequenceNode,
  wanted: readonly Wanted[],
): readonly (number | undefined)[] {
  if (Math.max(items.length, wanted.length) > MAX_ITEMS) return [];
  const places = new Map<string, number[]>();
  for (const [index, { value }] of items.entries()) {
    const data = JSON.stringify(unlessRefused(() => toValue(document, value)));
    places.set(data, [...(places.get(data) ?? []), index]);
  }
  return wanted.map(({ data }) => places.get(JSON.stringify(data))?.shift());
}

/** The most of them that are in order already. */
function longestRise(order: readonly number[]): ReadonlySet<number> {
  const lengths: number[] = [];
  const before: number[] = [];
  let end = -1;
  for (const [at, index] of order.entries()) {
    let [length, previous] = [1, -1];
    for (let other = 0; other < at; other++) {
      const [otherLength = 0, otherIndex = 0] = [lengths[other], order[other]];
      if (otherIndex < index && otherLength >= length) [length, previous] = [otherLength + 1, other];
    }
    lengths.push(length);
    before.push(previous);
    if (end === -1 || length > (lengths[end] ?? 0)) end = at;
  }
  const stays = new Set<number>();
  for (let at = end; at !== -1; at = before[at] ?? -1) stays.add(order[at] ?? -1);
  return stays;
}
