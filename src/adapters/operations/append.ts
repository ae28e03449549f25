// `append`: a new item at the end of a list.
import type { Fragment } from '../edit/fragment.ts';
import { positionOf } from '../edit/intent.ts';
import { layOut } from '../edit/lay-out.ts';
import { planItem } from '../edit/new-item.ts';
import { notA } from '../edit/not-a-collection.ts';
import type { Plan, PlanContext } from '../edit/plan.ts';
import { type NewValue, readValue, requireFlowItem } from '../edit/read-value.ts';
import { growNull } from '../edit/replace-node.ts';
import { type WriteContext, writeContextOf } from '../edit/write-context.ts';
import { type Located, locateExisting } from '../tree/locate.ts';
import type { NodePath } from '../tree/node-path.ts';
import { isEmpty } from '../tree/span-tree.ts';
import { A_VALUE, newValue, type OperationKind } from './operation.ts';
import { planSet } from './set.ts';

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
  if (isEmpty(node)) return planFirstItem(context, located, value);
  if (node.kind !== 'sequence') throw notA('list', located, 'append to');
  return planItem(context, located, node, node.items.length, value);
}

/** An implicit null becomes a list of one item. */
export function planFirstItem(context: PlanContext, located: Located, value: NewValue): Plan {
  const { stream, document } = context;
  const writeContext = writeContextOf(stream.text, document, located);
  const item = readValue(context, value, writeContext);
  if (writeContext.isFlow) requireFlowItem(item);
  const source = writeContext.isFlow ? `[${layOut(item, writeContext).head}]` : listText(item, writeContext);
  if (located.steps.length === 0 && located.node.properties === undefined)
    return planSet(context, [], { source }, true);
  const { edits, keeps } = growNull(context, located.node, writeContext, source);
  const at = positionOf(context.documentIndex, located.steps);
  const list = { around: ['item'], fragment: item } as const;
  return { edits, intent: { kind: 'replace', at, value: list, keeps } };
}

function listText(item: Fragment, { unit }: WriteContext): string {
  const place = {
    isFlow: false,
    parentColumn: 0,
    blockColumn: () => ({ mapping: 2, sequence: 2 }),
    compactColumn: 2,
    bodyColumn: undefined,
    unit,
  };
  const { head, below } = layOut(item, place);
  return [head === '' ? '-' : `- ${head}`, ...below].join('\n');
}
