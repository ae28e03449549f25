// `insert`: a new item at an index of a list, or a new key at a chosen place of a mapping.
import { Refusal } from '../../security/index.ts';
import type { Plan, PlanContext } from '../edit/intent.ts';
import { planFirstPart, planPart } from '../edit/new-part.ts';
import { notA } from '../edit/not-a-collection.ts';
import type { NewValue } from '../edit/read-value.ts';
import { indexesOf } from '../tree/keys.ts';
import { type Located, locateExisting, notFound } from '../tree/locate.ts';
import { indexSegment, keySegment, type NodePath, printNodePath } from '../tree/node-path.ts';
import { isEmpty, type MappingNode } from '../tree/span-tree.ts';
import { A_VALUE, type Arguments, newValue, type OperationKind } from './operation.ts';

export const insert = {
  name: 'insert',
  needs: [A_VALUE, ['index', 'key']],
  may: ['before', 'after'],
  conflicts: ({ index, before, after }) => [
    ...(before !== undefined && after !== undefined ? ['give before or after, not both'] : []),
    ...(index !== undefined && (before !== undefined || after !== undefined)
      ? ['before and after go with key']
      : []),
  ],
  plan: (context, path, given) =>
    given.index === undefined
      ? planInsertKey(context, path, { ...given, key: given.key ?? '' }, newValue(given))
      : planInsertItem(context, path, given.index, newValue(given)),
} as const satisfies OperationKind;

/** Before the item with this index; the length of the list appends, negative indexes count from the end. */
function planInsertItem(context: PlanContext, path: NodePath, index: number, value: NewValue): Plan {
  const located = locateExisting(context.document, path, 'insert into');
  const { node } = located;
  if (isEmpty(node) && index === 0) return planFirstPart(context, located, { keys: [], value });
  if (node.kind !== 'sequence') throw notA('list', located);
  const at = index < 0 ? node.items.length + index : index;
  if (at < 0 || at > node.items.length) {
    const missing = [indexSegment(index)];
    throw notFound({ ...located, missing }, [...located.path, ...missing], 'insert at');
  }
  return planPart(context, located, node, at, { keys: [], value });
}

interface KeyPlace extends Pick<Arguments, 'before' | 'after'> {
  readonly key: string;
}

/** A new key of the mapping at `path`. Throws DUPLICATE_KEY where it stands there already. */
function planInsertKey(context: PlanContext, path: NodePath, place: KeyPlace, value: NewValue): Plan {
  const located = locateExisting(context.document, path, 'insert into');
  const { node } = located;
  const part = { keys: [place.key], value };
  if (isEmpty(node) && place.before === undefined && place.after === undefined)
    return planFirstPart(context, located, part);
  if (node.kind !== 'mapping') throw notA('mapping', located);
  if (indexesOf(node, place.key).length > 0) {
    const there = printNodePath([...located.path, keySegment(place.key)]);
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
  return planPart(context, located, node, indexOfNew(located, node, place), part, place.before === undefined);
}

/** The index that the new entry gets. */
function indexOfNew(located: Located, node: MappingNode, { before, after }: KeyPlace): number {
  const neighbour = before ?? after;
  if (neighbour === undefined) return node.entries.length;
  const [index] = indexesOf(node, neighbour);
  if (index === undefined) {
    const missing = [keySegment(neighbour)];
    throw notFound({ ...located, missing }, [...located.path, ...missing], 'insert beside');
  }
  return before === undefined ? index + 1 : index;
}
