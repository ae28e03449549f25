// `insert` adds a new item at an index of a list, or a new key at a chosen place of a mapping; either may have to be created.
import { keyOf, type NodePath, printNodePath, Refusal } from '../../security/index.ts';
import { newPart } from '../edit/new-part.ts';
import type { Target } from '../edit/source.ts';
import type { Step, Value } from '../edit/step.ts';
import { lastOfKey } from '../edit/template.ts';
import { indexBeside } from '../tree/item-beside.ts';
import { indexesOf } from '../tree/keys.ts';
import { type Located, locate, notFound } from '../tree/locate.ts';
import { canGrow, type MappingNode } from '../tree/span-tree.ts';
import { notA, requireList } from './collection-there.ts';
import { likelyPair } from './likely-pair.ts';
import { missingKeys, newLevels, pathExists } from './missing.ts';
import { A_VALUE, type Arguments, createsOf, type OperationKind, sentValue } from './operation.ts';

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

/** Returns why the arguments for the place of a part cannot be combined. */
export function placeConflicts({ index, before, after }: Arguments): readonly string[] {
  return [
    ...(before !== undefined && after !== undefined ? ['give before or after, not both'] : []),
    ...(index !== undefined && (before !== undefined || after !== undefined)
      ? ['before and after go without index']
      : []),
  ];
}

/** Returns an insert; `given` has the place of the new part. */
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

/** Returns the index that the new entry gets; undefined for the usual place. */
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
