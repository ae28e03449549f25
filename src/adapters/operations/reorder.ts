// `set` of a list to its own items in another order: each that moves goes with its comments, for they are about the item.
import { Refusal } from '../../security/index.ts';
import { copiedPart } from '../edit/copied-part.ts';
import { readAlone } from '../edit/fragment.ts';
import type { PlanContext } from '../edit/intent.ts';
import { tailEnd } from '../edit/part-extent.ts';
import { headStart } from '../tree/head-comment.ts';
import type { Json } from '../tree/json.ts';
import { locate } from '../tree/locate.ts';
import { indexSegment, type NodePath, printNodePath } from '../tree/node-path.ts';
import { isSectional, type SequenceNode, walk } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';
import type { Given, Step } from './operation.ts';

/** Each move is two edits, and each of them reads the file anew. */
const MAX_MOVES = 40;
const MAX_ITEMS = 500;

export function reorderSteps(context: PlanContext, path: NodePath, given: Given): readonly Step[] {
  const found = reordered(context, path, given);
  return found === 'as it is' ? [] : found;
}

/** Whether a list that is sent as data has the items that are there, with their comments. */
export function isAsItIs(context: PlanContext, path: NodePath, given: Given): boolean {
  return given.value === undefined && reordered(context, path, given) === 'as it is';
}

/** None where it is another list, or has no comments that would be lost or stand above another item. */
function reordered(
  context: PlanContext,
  path: NodePath,
  { value, json }: Given,
): readonly Step[] | 'as it is' {
  const { stream, document, documentIndex: doc, format } = context;
  if (!(value === undefined ? Array.isArray(json) : /^\s*[-[]/.test(value))) return [];
  const { node, missing, path: list } = locate(document, path);
  if (missing.length > 0 || node.kind !== 'sequence' || isSectional(node)) return [];
  if (stream.actions !== undefined || !hasComments(context, node) || !isFree(node)) return [];
  const wanted = value === undefined ? json : dataOf(context, value);
  const order = Array.isArray(wanted) ? orderOf(context, node, wanted) : undefined;
  if (order === undefined) return [];
  if (order.every((index, at) => index === at)) return 'as it is';
  const stays = longestRise(order);
  const now = node.items.map((_, index) => index);
  const steps: Step[] = [];
  for (const [at, index] of order.entries()) {
    const part = node.items[index];
    if (stays.has(index) || part === undefined) continue;
    const from = now.indexOf(index);
    now.splice(from, 1);
    const before = order[at - 1];
    const to = before === undefined ? 0 : now.indexOf(before) + 1;
    now.splice(to, 0, index);
    const copied = copiedPart(stream, { kind: 'item', container: node, part, index }, format);
    steps.push({ op: 'delete', path: printNodePath([...list, indexSegment(from)]), doc });
    steps.push({ op: 'insert', path: printNodePath(list), doc, index: to, copied });
  }
  return steps.length > MAX_MOVES * 2 ? [] : steps;
}

function hasComments({ stream }: PlanContext, { style, start, end, items }: SequenceNode): boolean {
  const [first, last] = [items[0], items.at(-1)];
  if (first === undefined || last === undefined) return false;
  const [from, to] =
    style === 'block' ? [headStart(stream, first.start), tailEnd(stream, last)] : [start, end];
  return stream.comments.some((comment) => comment.start >= from && comment.start < to);
}

/** Without what means something by its place, or by what stands behind it. */
function isFree(list: SequenceNode): boolean {
  for (const node of walk(list)) {
    const isKeeping = node.kind === 'scalar' && node.block?.chomp === 'keep';
    if (node.kind === 'alias' || node.properties !== undefined || isKeeping) return false;
  }
  return true;
}

/** Undefined where it brings comments of its own, or is refused anyway. */
function dataOf({ format, limits, document }: PlanContext, source: string): Json | undefined {
  return ifAny(() => {
    const text = source.endsWith('\n') ? source : `${source}\n`;
    const { documents, comments } = readAlone(text, { format, limits, document }, limits);
    const [only, second] = documents;
    if (only === undefined || second !== undefined || comments.length > 0) return undefined;
    return toValue(only, only.root);
  });
}

function ifAny(read: () => Json | undefined): Json | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** For each item that is wanted, which one it is now; undefined where they are others. */
function orderOf({ document }: PlanContext, { items }: SequenceNode, wanted: Json[]): number[] | undefined {
  if (items.length !== wanted.length || items.length > MAX_ITEMS) return undefined;
  const places = new Map<string, number[]>();
  for (const [index, { value }] of items.entries()) {
    const data = JSON.stringify(ifAny(() => toValue(document, value)));
    places.set(data, [...(places.get(data) ?? []), index]);
  }
  const order = wanted.flatMap((item) => places.get(JSON.stringify(item))?.shift() ?? []);
  return order.length < items.length ? undefined : order;
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
