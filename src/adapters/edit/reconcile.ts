// Sets an existing collection by changing only what differs, so that all else keeps its text and its comments.

import { unlessRefused } from '../../security/errors/refusal.ts';
import type { NodePath } from '../../security/node-paths/node-path.ts';
import { headStart } from '../tree/comments.ts';
import type { Json } from '../tree/json.ts';
import { lineStart } from '../tree/lines.ts';
import {
  type Item,
  isCollection,
  isSectional,
  type MappingNode,
  partsOf,
  type SequenceNode,
  type SpanNode,
  walk,
} from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';
import { tailEnd } from './extent.ts';
import type { Target } from './source.ts';
import type { Step, Value } from './step.ts';
import { takenFrom } from './taken.ts';

/** The data to set, and how its parts are written. */
export interface Wanted {
  readonly json: Json;
  readonly value: Value;
  /** For a mapping: the values of its keys. */
  readonly members?: ReadonlyMap<string, Wanted> | undefined;
  /** For a list: its items, if they are more than data. */
  readonly items?: readonly Value[] | undefined;
}

type Members = { readonly [key: string]: Json };

/** The most steps: each one parses the file again. */
const MAX_STEPS = 80;
/** The longest list whose items are compared one by one. */
const MAX_ITEMS = 500;

/** Returns the steps that give the node this data, none if it has it; undefined if it has to be replaced as a whole. */
export function reconcile(
  target: Target,
  node: SpanNode,
  path: NodePath,
  wanted: Wanted,
): readonly Step[] | undefined {
  if (!isCollection(node) || partsOf(node).length === 0) return undefined;
  if (target.stream.actions !== undefined) return undefined;
  const steps = stepsOfParts(target, node, path, wanted);
  return steps !== undefined && steps.length <= MAX_STEPS ? steps : undefined;
}

/** True if the meaning of a value depends neither on its place nor on what follows it. */
function isFree(value: SpanNode): boolean {
  for (const node of walk(value)) {
    const isKeeping = node.kind === 'scalar' && node.block?.chomp === 'keep';
    if (node.kind === 'alias' || node.properties !== undefined || isKeeping) return false;
  }
  return true;
}

function stepsOfParts(
  target: Target,
  node: SpanNode,
  path: NodePath,
  wanted: Wanted,
): readonly Step[] | undefined {
  const { json } = wanted;
  if (node.kind === 'mapping' && isMembers(json) && isFree(node))
    return stepsOfKeys(target, node, path, wanted, json);
  if (node.kind === 'sequence' && Array.isArray(json)) return stepsOfItems(target, node, path, wanted, json);
  return undefined;
}

export function isMembers(json: Json | undefined): json is Members {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function stepsOfKeys(
  target: Target,
  { entries, style }: MappingNode,
  path: NodePath,
  { members }: Wanted,
  json: Members,
): readonly Step[] | undefined {
  // No path can lead to a key that is a list or a mapping.
  if (entries.some(({ name }) => name === undefined)) return undefined;
  const there = new Map(entries.map((entry) => [entry.name ?? '', entry]));
  const keys = Object.keys(json);
  const stays = entries.flatMap(({ name = '' }) => (Object.hasOwn(json, name) ? [name] : []));
  // The order of keys has no meaning in TOML.
  const isOrdered =
    style === 'sections' || keys.filter((key) => there.has(key)).join('\n') === stays.join('\n');
  if (stays.length === 0 || !isOrdered || there.size < entries.length) return undefined;
  const steps: Step[] = entries.flatMap(({ name = '' }) =>
    Object.hasOwn(json, name) ? [] : [{ do: 'remove', path: [...path, name] } as const],
  );
  for (const [index, key] of keys.entries()) {
    const data = json[key] ?? null;
    const wanted = members?.get(key) ?? { json: data, value: { json: data } };
    const entry = there.get(key);
    if (entry !== undefined) steps.push(...stepsOfValue(target, entry.value, [...path, key], wanted));
    else steps.push({ do: 'insert', path, key, index, isClose: index > 0, value: wanted.value });
  }
  return steps;
}

function stepsOfValue(target: Target, node: SpanNode, path: NodePath, wanted: Wanted): readonly Step[] {
  if (isSame(target, node, wanted.json)) return [];
  return stepsOfParts(target, node, path, wanted) ?? [{ do: 'replace', path, value: wanted.value }];
}

function isSame({ document }: Target, node: SpanNode, json: Json): boolean {
  return isSameData(
    unlessRefused(() => toValue(document, node)),
    json,
  );
}

function isSameData(data: Json | undefined, json: Json): boolean {
  return data !== undefined && JSON.stringify(data) === JSON.stringify(json);
}

function stepsOfItems(
  target: Target,
  node: SequenceNode,
  path: NodePath,
  wanted: Wanted,
  json: readonly Json[],
): readonly Step[] | undefined {
  const { items } = node;
  // An array of tables holds nothing else.
  if (isSectional(node) && !json.every(isMembers)) return undefined;
  const isPaired =
    items.length === json.length &&
    items.every(({ value }, at) => isSameItem(target, value, json[at] ?? null));
  if (isPaired) return inPlace(target, node, path, json, 0, json.length);
  if (Math.max(items.length, json.length) > MAX_ITEMS) return undefined;
  return hasComments(target, node)
    ? moves(target, node, path, wanted, json)
    : betweenEnds(target, node, path, json);
}

/** True if the item, or the first entry of a mapping, is unchanged. */
function isSameItem(target: Target, node: SpanNode, json: Json): boolean {
  const [first] = node.kind === 'mapping' ? node.entries : [];
  if (first?.name === undefined || !isMembers(json)) return isSame(target, node, json);
  return Object.hasOwn(json, first.name) && isSame(target, first.value, json[first.name] ?? null);
}

function inPlace(
  target: Target,
  { items }: SequenceNode,
  path: NodePath,
  json: readonly Json[],
  from: number,
  to: number,
): Step[] {
  return items.slice(from, to).flatMap(({ value }, at) => {
    const data = json[from + at] ?? null;
    return stepsOfValue(target, value, [...path, from + at], { json: data, value: { json: data } });
  });
}

/** Keeps the items at both ends, and replaces, adds or removes those between them. */
function betweenEnds(
  target: Target,
  node: SequenceNode,
  path: NodePath,
  json: readonly Json[],
): readonly Step[] | undefined {
  const { items } = node;
  const isAt = (at: number, other: number) => {
    const item = items[at];
    return item !== undefined && isSame(target, item.value, json[other] ?? null);
  };
  const most = Math.min(items.length, json.length);
  let [from, to] = [0, 0];
  while (from < most && isAt(from, from)) from += 1;
  while (to < most - from && isAt(items.length - 1 - to, json.length - 1 - to)) to += 1;
  const [gone, come] = [items.length - from - to, json.length - from - to];
  const same = Math.min(gone, come);
  if (from + to === 0) return undefined;
  const steps = inPlace(target, node, path, json, from, from + same);
  for (let at = from + same; at < from + come; at++)
    steps.push({ do: 'insert', path, index: at, isClose: at > 0, value: { json: json[at] ?? null } });
  for (let at = from + gone - 1; at >= from + same; at--) steps.push({ do: 'remove', path: [...path, at] });
  return steps;
}

/** True if there are comments above, within or after its parts. */
export function hasComments({ stream }: Target, node: SpanNode): boolean {
  if (!isCollection(node)) return false;
  const [first, last] = [partsOf(node)[0], partsOf(node).at(-1)];
  if (first === undefined || last === undefined) return false;
  const [from, to] =
    node.style === 'block' ? [headStart(stream, first.start), tailEnd(stream, last)] : [node.start, node.end];
  return stream.comments.some(({ start }) => start >= from && start < to);
}

/** Moves items that stay, with their comments; undefined if none stays. */
function moves(
  target: Target,
  node: SequenceNode,
  path: NodePath,
  wanted: Wanted,
  json: readonly Json[],
): readonly Step[] | undefined {
  const order = orderOf(target, node, json);
  const kept = order.filter((index) => index !== undefined);
  if (kept.length === 0) return withoutHead(target, node, path, json);
  const stays = longestRise(kept);
  const canMove = ({ value }: Item, index: number) =>
    stays.has(index) || (kept.includes(index) ? isFree(value) : !hasAnchor(value));
  if (!node.items.every(canMove)) return undefined;
  const steps: Step[] = [];
  const now: number[] = node.items.map((_, index) => index);
  const remove = (index: number, comments?: readonly string[]): void => {
    const from = now.indexOf(index);
    now.splice(from, 1);
    steps.push({ do: 'remove', path: [...path, from], comments });
  };
  for (const [at, index] of order.entries()) {
    if (index !== undefined && stays.has(index)) continue;
    const part = index === undefined ? undefined : node.items[index];
    const data = json[at] ?? null;
    const taken =
      part && index !== undefined
        ? takenFrom(target, { kind: 'item', container: node, part, index })
        : undefined;
    if (index !== undefined) remove(index, taken?.given);
    const to = at === 0 ? 0 : now.indexOf(order[at - 1] ?? -at) + 1;
    now.splice(to, 0, index ?? -1 - at);
    steps.push({
      do: 'insert',
      path,
      index: to,
      value: taken === undefined ? (wanted.items?.[at] ?? { json: data }) : { taken },
    });
  }
  // Items are removed last: until then they show how items are written and separated.
  for (const index of now.toReversed()) if (index >= 0 && !kept.includes(index)) remove(index);
  return steps;
}

/**
 * Replaces a list of which no item stays. The comment above its first item is about that item, and is removed with it, if another
 * item has a comment too; otherwise it is about the list.
 */
function withoutHead(
  { stream }: Target,
  { style, items }: SequenceNode,
  path: NodePath,
  json: readonly Json[],
): readonly Step[] | undefined {
  const isCommented = ({ start }: { readonly start: number }) =>
    headStart(stream, start) < lineStart(stream.text, start);
  const [first, ...others] = items;
  if (style !== 'block' || first === undefined || !isCommented(first) || !others.some(isCommented))
    return undefined;
  return [
    { do: 'comment', path: [...path, 0], comment: '', place: 'before', keep: false },
    { do: 'replace', path, value: { json } },
  ];
}

/** True if an alias may refer to a part of it. */
function hasAnchor(value: SpanNode): boolean {
  return [...walk(value)].some(({ properties }) => properties?.anchor !== undefined);
}

/** Returns for each wanted item its current index; undefined for a new one. */
function orderOf(
  { document }: Target,
  { items }: SequenceNode,
  json: readonly Json[],
): readonly (number | undefined)[] {
  const places = new Map<string, number[]>();
  for (const [index, { value }] of items.entries()) {
    const data = JSON.stringify(unlessRefused(() => toValue(document, value)));
    places.set(data, [...(places.get(data) ?? []), index]);
  }
  return json.map((data) => places.get(JSON.stringify(data))?.shift());
}

/** Returns a longest increasing subsequence: the most items that can stay in place. */
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
