// A new item at a place of a list: its text, and where that goes.
import type { Edit } from '../../security/index.ts';
import { columnOf } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import type { SequenceNode } from '../tree/span-tree.ts';
import { endsWithKeptLines, type Fragment } from './fragment.ts';
import { insertIntoBlock, insertIntoFlow } from './insert-part.ts';
import { positionOf } from './intent.ts';
import { modelOf } from './json-text.ts';
import { layOut } from './lay-out.ts';
import type { Plan, PlanContext } from './plan.ts';
import { type NewValue, readValue, requireFlowItem } from './read-value.ts';
import {
  type WriteContext,
  writeContextBeside,
  writeContextOf,
  writeContextWithin,
} from './write-context.ts';

export function planItem(
  context: PlanContext,
  located: Located,
  node: SequenceNode,
  index: number,
  value: NewValue,
): Plan {
  const { stream, document } = context;
  const where = writeContextOf(stream.text, document, located);
  const neighbour = (node.items[index - 1] ?? node.items[0])?.value;
  const model = 'json' in value ? modelOf(value.json, neighbour) : undefined;
  const writeContext = writeContextBeside(stream.text, writeContextWithin(stream.text, where, node), model);
  const fragment = readValue(context, value, writeContext, model);
  const edits = writeContext.isFlow
    ? flowItem(context, node, index, writeContext, fragment)
    : blockItem(context, node, index, writeContext, fragment);
  const at = positionOf(context.documentIndex, located.steps);
  return { edits, intent: { kind: 'insert', at, index, key: 'item', value: { around: [], fragment } } };
}

function flowItem(
  { stream }: PlanContext,
  node: SequenceNode,
  index: number,
  writeContext: WriteContext,
  fragment: Fragment,
): readonly Edit[] {
  requireFlowItem(fragment);
  return insertIntoFlow(stream, node, index - 1, layOut(fragment, writeContext).head, writeContext.unit());
}

function blockItem(
  { stream }: PlanContext,
  node: SequenceNode,
  index: number,
  writeContext: WriteContext,
  fragment: Fragment,
): readonly Edit[] {
  const isLast = index === node.items.length;
  // In the middle, blank lines that follow would become part of a scalar that keeps them.
  const closely = isLast || endsWithKeptLines(fragment.node);
  const lines = itemLines(stream.text, node, writeContext, fragment);
  return insertIntoBlock(stream, node, index - 1, lines, fragment, closely && isLast);
}

/** `- value`, with the spacing behind the dash that the list has. */
function itemLines(
  text: string,
  node: SequenceNode,
  writeContext: WriteContext,
  fragment: Fragment,
): string[] {
  const dash = columnOf(text, node.start);
  const model = node.items.at(-1);
  const gap =
    model === undefined ? undefined : /^ +(?=\S)/.exec(text.slice(model.start + 1, model.start + 40))?.[0];
  const column = dash + 1 + (gap?.length ?? 1);
  const { head, below } = layOut(fragment, {
    isFlow: false,
    parentColumn: dash,
    blockColumn: () => ({ mapping: column, sequence: column }),
    compactColumn: column,
    bodyColumn: undefined,
    unit: writeContext.unit,
  });
  const first = head === '' ? '-' : `-${gap ?? ' '}${head}`;
  return [...(' '.repeat(dash) + first).split('\n'), ...below];
}
