// `append` adds a new item at the end of a list, which may have to be created first.
import { type NodePath, Refusal } from '../../security/index.ts';
import { newPart } from '../edit/new-part.ts';
import { parseSource, type Target } from '../edit/source.ts';
import type { Step, Value } from '../edit/step.ts';
import { locate } from '../tree/locate.ts';
import { sliceOf } from '../tree/span-tree.ts';
import { notA, requireList } from './collection-there.ts';
import { likelyPair } from './likely-pair.ts';
import { missingKeys } from './missing.ts';
import { A_VALUE, createsOf, type Given, type OperationKind, sentValue } from './operation.ts';

export const append = {
  name: 'append',
  needs: [A_VALUE],
  may: ['create', 'each'],
  steps: appendSteps,
  notes: (target, path, given) => likelyPair(target, path, given, true),
} as const satisfies OperationKind;

/** Returns a new item at the end of the list at `path`; null or a missing key becomes a list. Throws TYPE_MISMATCH elsewhere. */
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

/** Throws VALUE_INVALID for a value that is no list. */
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
