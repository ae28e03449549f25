// `insert` adds an item at an index of a list, or a key at a place in a mapping; `append` adds an item at the end of a list. The
// collection is created if need be.

import { Refusal } from '../../security/errors/refusal.ts';
import { keyOf, type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import { newPart } from '../edit/new-part.ts';
import { parseSource, type Target } from '../edit/source.ts';
import type { Step, Value } from '../edit/step.ts';
import { lastOfKey } from '../edit/template.ts';
import { indexBeside } from '../tree/item-beside.ts';
import { indexesOf } from '../tree/keys.ts';
import { type Located, locate, notFound } from '../tree/locate.ts';
import { canGrow, type MappingNode, sliceOf } from '../tree/span-tree.ts';
import { likelyPair } from './likely-pair.ts';
import { missingKeys, newLevels, notA, pathExists, requireList } from './missing.ts';
import {
  A_VALUE,
  type Arguments,
  createsOf,
  type Given,
  type OperationKind,
  sentValue,
} from './operation.ts';

export const insert = {
  name: 'insert',
  needs: [A_VALUE],
  may: ['index', 'key', 'before', 'after', 'create', 'if_missing'],
  conflicts: (given) => {
    const { index, key, before, after, if_missing: isOnlyMissing } = given;
    const hasNeither =
      index === undefined && key === undefined && before === undefined && after === undefined;
    const isOne = !hasNeither && (index === undefined || key === undefined);
    return [
      ...(isOne
        ? []
        : [
            'insert takes exactly one of index and key, or before or after an item of a list (append adds a last item)',
          ]),
      ...(isOnlyMissing === true && key === undefined ? ['if_missing goes with key'] : []),
      ...placeConflicts(given),
    ];
  },
  steps: (target, path, given) =>
    given.if_missing === true && pathExists(target, [...path, given.key ?? ''])
      ? []
      : insertSteps(target, path, given, sentValue(target, given)),
  notes: (target, path, given) => {
    const whole = given.key === undefined ? path : [...path, given.key];
    return [...newLevels(target, whole, given), ...likelyPair(target, whole, given, given.key === undefined)];
  },
} as const satisfies OperationKind;

/** Returns why the arguments for the place of a new part cannot be combined. */
export function placeConflicts({ index, before, after }: Arguments): readonly string[] {
  return [
    ...(before !== undefined && after !== undefined ? ['give before or after, not both'] : []),
    ...(index !== undefined && (before !== undefined || after !== undefined)
      ? ['before and after go without index']
      : []),
  ];
}

/** Returns the steps of an insert; `given` has the place of the new part. */
function insertSteps(target: Target, path: NodePath, given: Arguments, value: Value): readonly Step[] {
  const located = locate(target.document, path);
  const hasNeighbour = given.before !== undefined || given.after !== undefined;
  if (hasNeighbour && located.missing.length > 0) throw noNeighbour(located, path, given);
  const missing = missingKeys(located, path, 'insert into', createsOf(given));
  const { node } = located;
  const isNew = missing.length > 0 || (canGrow(node) && !hasNeighbour);
  const { key, index } = given;
  const isClose = given.after !== undefined;
  if (index === undefined && key !== undefined) {
    const part = { keys: [...missing, key], isItem: false, value };
    if (node.kind !== 'mapping' && !(isNew && canGrow(node))) throw notA('mapping', located);
    if (isNew || node.kind !== 'mapping') return [newPart(target, located, part)];
    requireNewKey(located, node, key);
    return [newPart(target, located, { ...part, index: indexOfNew(target, located, node, given), isClose })];
  }
  const part = { keys: missing, isItem: true, value };
  if (isNew && index !== undefined) {
    if (index !== 0) throw noIndex(located, index);
    requireList(located, missing);
    return [newPart(target, located, part)];
  }
  const at = index ?? indexBeside(target, located, given);
  if (node.kind !== 'sequence') throw notA('list', located);
  const from = at < 0 ? node.items.length + at : at;
  if (from < 0 || from > node.items.length) throw noIndex(located, at);
  return [newPart(target, located, { ...part, index: from, isClose })];
}

/** Makes the refusal for a missing path, which is usually that of the new key instead of its parent. */
function noNeighbour(located: Located, path: NodePath, { key, before, after }: Arguments): Refusal {
  const { node, missing } = located;
  const [last, ...more] = missing;
  const name = more.length > 0 ? undefined : keyOf(last);
  const hasIt = node.kind === 'mapping' && indexesOf(node, before ?? after ?? '').length > 0;
  const isMeant = hasIt && name !== undefined && (key ?? name) === name;
  const above = printNodePath(located.path);
  return notFound(located, path, 'insert into').hinting({
    advice: ['"path" is the parent of what is new; the name of a new key goes in "key"'],
    ...(isMeant
      ? { instead: { fields: { path: above, key: name }, what: `Below ${above || 'the root'}` } }
      : {}),
  });
}

/** Makes the refusal of an index: the length of the list appends, and negative indexes count from the end. */
export function noIndex(located: Located, index: number): Refusal {
  const missing = [...located.missing, index];
  return notFound({ ...located, missing }, [...located.path, ...missing], 'insert at');
}

/** Throws DUPLICATE_KEY for a key that exists. */
export function requireNewKey(located: Located, node: MappingNode, key: string): void {
  if (indexesOf(node, key).length === 0) return;
  const there = printNodePath([...located.path, key]);
  throw new Refusal(
    'DUPLICATE_KEY',
    `Cannot insert ${there}: the key exists already`,
    {},
    {
      existingPath: there,
      advice: ['Use op "set" to change its value'],
    },
  );
}

/** Returns the index of the new entry; undefined for the usual place. */
function indexOfNew(
  { stream }: Target,
  located: Located,
  node: MappingNode,
  { before, after }: Arguments,
): number | undefined {
  const neighbour = before ?? after;
  if (neighbour === undefined) return undefined;
  const [index] = indexesOf(node, neighbour);
  if (index === undefined) {
    const missing = [neighbour];
    throw notFound({ ...located, missing }, [...located.path, ...missing], 'insert beside');
  }
  return after === undefined ? index : lastOfKey(stream, node, index) + 1;
}

export const append = {
  name: 'append',
  needs: [A_VALUE],
  may: ['create', 'each'],
  steps: appendSteps,
  notes: (target, path, given) => likelyPair(target, path, given, true),
} as const satisfies OperationKind;

/** Adds an item at the end of the list at `path`; null or a missing key becomes a list. Throws TYPE_MISMATCH for other nodes. */
function appendSteps(target: Target, path: NodePath, given: Given): readonly Step[] {
  const located = locate(target.document, path);
  const keys = missingKeys(located, path, 'append to', createsOf(given));
  if (located.node.kind === 'mapping' && keys.length === 0 && isMapping(target, given))
    throw notA('list', located, 'append to').hinting({ instead: AS_MERGE });
  requireList(located, keys, 'append to');
  const values = given.each === true ? eachItem(target, given) : [sentValue(target, given)];
  return values.map(
    (value, at): Step =>
      at === 0
        ? newPart(target, located, { keys, isItem: true, value })
        : { do: 'insert', path: [...located.path, ...keys], value },
  );
}

const AS_MERGE = { fields: { op: 'merge' }, what: 'Add its keys to the mapping' };

function isMapping(target: Target, { value, json }: Given): boolean {
  if (value !== undefined) return parseSource(value, target).node.kind === 'mapping';
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** Returns the items of a list. Throws VALUE_INVALID for any other value. */
function eachItem(target: Target, { value, json }: Given): readonly Value[] {
  const items =
    value === undefined
      ? Array.isArray(json) && json.map((item) => ({ json: item }))
      : textsIn(target, value);
  if (items) return items;
  throw new Refusal(
    'VALUE_INVALID',
    'Cannot append each item of this value: it is no list, or holds comments',
    {},
    { advice: ['Give a list, or leave out "each"'] },
  );
}

function textsIn(target: Target, text: string): readonly Value[] | undefined {
  const source = parseSource(text, target);
  if (source.comments.length > 0 || source.node.kind !== 'sequence') return undefined;
  return source.node.items.map((item) => ({ text: sliceOf(source.text, item.value) }));
}
