// `append`: a new item at the end of a list.

import type { Plan, PlanContext } from '../edit/intent.ts';
import { planFirstPart, planPart } from '../edit/new-part.ts';
import { notA } from '../edit/not-a-collection.ts';
import type { NewValue } from '../edit/read-value.ts';
import { locateExisting } from '../tree/locate.ts';
import type { NodePath } from '../tree/node-path.ts';
import { isEmpty } from '../tree/span-tree.ts';
import { A_VALUE, newValue, type OperationKind } from './operation.ts';

export const append = {
  name: 'append',
  needs: [A_VALUE],
  may: [],
  plan: (context, path, given) => planAppend(context, path, newValue(given)),
} as const satisfies OperationKind;

/** At the end of the list at `path`; an implicit null becomes a list. Throws TYPE_MISMATCH elsewhere. */
function planAppend(context: PlanContext, path: NodePath, value: NewValue): Plan {
  const located = locateExisting(context.document, path, 'append to');
  const { node } = located;
  if (isEmpty(node)) return planFirstPart(context, located, { keys: [], value });
  if (node.kind !== 'sequence') throw notA('list', located, 'append to');
  return planPart(context, located, node, node.items.length, { keys: [], value });
}
