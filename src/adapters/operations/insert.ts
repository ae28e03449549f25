// `insert` adds a new item at an index of a list, or a new key at a chosen place of a mapping; either may have to be created.
import { keyOf, type NodePath, printNodePath, Refusal } from '../../security/index.ts';
import { lastOfKey } from '../edit/beside-branch.ts';
import { NO_EDITS, type Plan, type PlanContext } from '../edit/intent.ts';
import { planPart } from '../edit/new-part.ts';
import { notA, requireList } from '../edit/not-a-collection.ts';
import type { PartValue } from '../edit/part.ts';
import { indexBeside } from '../tree/item-beside.ts';
import { indexesOf } from '../tree/keys.ts';
import { type Located, locate, notFound } from '../tree/locate.ts';
import { canGrow, type MappingNode } from '../tree/span-tree.ts';
import { likelyPair } from './likely-pair.ts';
import { missingKeys, newLevels, pathExists, usualIndex } from './missing.ts';
import { A_VALUE, type Arguments, createsOf, type OperationKind, partValue } from './operation.ts';

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
  plan: (context, path, given) =>
    given.if_missing === true && pathExists(context, [...path, given.key ?? ''])
      ? NO_EDITS
      : planInsert(context, path, given, partValue(context, given)),
  notes: (context, path, given) => {
    const whole = given.key === undefined ? path : [...path, given.key];
    return [
      ...newLevels(context, whole, given),
      ...likelyPair(context, whole, given, given.key === undefined),
    ];
  },
} as const satisfies OperationKind;

/** Returns why the arguments for the place of a part cannot be combined. */
export function placeConflicts({ index, before, after }: Arguments): readonly string[] {
  return [
    ...(before !== undefined && after !== undefined ? ['give before or after, not both'] : []),
    ...(index !== undefined && (before !== undefined || after !== undefined)
      ? ['before and after go without index']
      : []),
  ];
}

/** Plans an insert; `given` has the place of the new part. */
function planInsert(context: PlanContext, path: NodePath, given: Arguments, value: PartValue): Plan {
  const located = locate(context.document, path);
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
    if (isNew || node.kind !== 'mapping') return planPart(context, located, part);
    requireNewKey(located, node, key);
    return planPart(context, located, part, indexOfNew(context, located, node, key, given), isClose);
  }
  const part = { keys: missing, isItem: true, value };
  if (isNew && index !== undefined) {
    if (index !== 0) throw noIndex(located, index);
    requireList(located, missing);
    return planPart(context, located, part);
  }
  const at = index ?? indexBeside(context, located, given);
  if (node.kind !== 'sequence') throw notA('list', located);
  const from = at < 0 ? node.items.length + at : at;
  if (from < 0 || from > node.items.length) throw noIndex(located, at);
  return planPart(context, located, part, from, isClose);
}

/** Makes the refusal for a path that leads to nothing, which is usually that of the new key and not of its parent. */
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

/** The length of the list appends, negative indexes count from the end. */
export function noIndex(located: Located, index: number): Refusal {
  const missing = [...located.missing, index];
  return notFound({ ...located, missing }, [...located.path, ...missing], 'insert at');
}

function requireNewKey(located: Located, node: MappingNode, key: string): void {
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

/** The index that the new entry gets. */
function indexOfNew(
  context: PlanContext,
  located: Located,
  node: MappingNode,
  key: string,
  { before, after }: Arguments,
): number {
  const neighbour = before ?? after;
  if (neighbour === undefined) return usualIndex(context, node, key);
  const [index] = indexesOf(node, neighbour);
  if (index === undefined) {
    const missing = [neighbour];
    throw notFound({ ...located, missing }, [...located.path, ...missing], 'insert beside');
  }
  return before === undefined ? lastOfKey(context.stream, node, index) + 1 : index;
}
