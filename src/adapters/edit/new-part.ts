// Plans a new part of a collection: an item, or an entry with the missing keys down to its value. Where there is no
// collection yet, an implicit null grows into one.
import type { Edit } from '../../security/index.ts';
import { columnOf } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import { type Collection, isEmpty, type SpanNode } from '../tree/span-tree.ts';
import { keyQuotesOf } from './file-style.ts';
import { insertIntoBlock, insertIntoFlow, planFirstNode } from './insert-part.ts';
import { type Plan, type PlanContext, positionOf } from './intent.ts';
import { modelOf } from './json-text.ts';
import { blockLines, flowPiece, gapOfPart, type PartText, writtenPath } from './part-text.ts';
import { type NewValue, readValue, requireFlowItem } from './read-value.ts';
import { growNull } from './replace-node.ts';
import {
  type WriteContext,
  writeContextBeside,
  writeContextOf,
  writeContextWithin,
} from './write-context.ts';

/** A part as it is asked for: its keys from the outside in, and the value of the last; `isItem`: see `PartText`. */
export interface NewPart extends Pick<PartText, 'keys' | 'isItem'> {
  readonly value: NewValue;
}

/** The part in `node`, to which `located` leads, with this index; `isClose`: see `insertIntoBlock`. */
export function planPart(
  context: PlanContext,
  located: Located,
  node: Collection,
  index: number,
  newPart: NewPart,
  isClose = false,
): Plan {
  const { text } = context.stream;
  const neighbour = node.kind === 'sequence' ? (node.items[index - 1] ?? node.items[0])?.value : undefined;
  const { value } = newPart;
  const model = 'json' in value ? modelOf(value.json, neighbour) : undefined;
  const within = writeContextWithin(text, writeContextOf(text, context.document, located), node);
  const writeContext = writeContextBeside(text, within, model);
  const part = partText(context, node, newPart, writeContext, model);
  const [key = 'item', ...around] = writtenPath(part);
  const at = positionOf(context.documentIndex, located.steps);
  const edits = partEdits(context, node, index, part, isClose);
  return { edits, intent: { kind: 'insert', at, index, key, value: { around, fragment: part.fragment } } };
}

/** The null to which `located` leads becomes a collection of this part. */
export function planFirstPart(context: PlanContext, located: Located, newPart: NewPart): Plan {
  const { stream, document, documentIndex } = context;
  const { node, steps } = located;
  const writeContext = writeContextOf(stream.text, document, located);
  const part = partText(context, node, newPart, writeContext);
  const lines = writeContext.isFlow ? [braced(part)] : blockLines(part, 0);
  const isBareRoot = steps.length === 0 && node.properties === undefined && isEmpty(node);
  const { edits, keeps } = isBareRoot
    ? ({ edits: planFirstNode(stream.text, document, lines, part.fragment), keeps: 'properties' } as const)
    : growNull(context, node, writeContext, lines.join('\n'));
  const value = { around: writtenPath(part), fragment: part.fragment };
  return {
    edits,
    intent: { kind: 'replace', at: positionOf(documentIndex, steps), value, keeps },
  };
}

function partText(
  context: PlanContext,
  node: SpanNode,
  { keys, isItem, value }: NewPart,
  writeContext: WriteContext,
  model?: SpanNode,
): PartText {
  const { stream, format } = context;
  const fragment = readValue(context, value, writeContext, model);
  if (isItem && writeContext.isFlow) requireFlowItem(fragment);
  const quotes = keyQuotesOf(format, stream.text, node);
  const gap = gapOfPart(stream.text, node, format.layout === 'flow' || quotes.isAlways);
  return { keys, isItem, fragment, quotes, gap, writeContext, format };
}

function partEdits(
  { stream }: PlanContext,
  node: Collection,
  index: number,
  part: PartText,
  isClose: boolean,
): readonly Edit[] {
  if (node.style === 'block') {
    const lines = blockLines(part, columnOf(stream.text, node.start));
    return insertIntoBlock(stream, node, index, lines, part.fragment, isClose);
  }
  if (node.style !== 'pair')
    return insertIntoFlow(stream, node, index, flowPiece(part), part.writeContext.unit());
  // A lone `a: b` within `[ ]` can be no more than one entry: with two it needs braces.
  const piece = flowPiece(part);
  const { start, end } = node;
  const [before, behind] = index === 0 ? [`{${piece}, `, '}'] : ['{', `, ${piece}}`];
  return [
    { start, end: start, insert: before },
    { start: end, end, insert: behind },
  ];
}

function braced(part: PartText): string {
  return part.keys.length === 0 ? `[${flowPiece(part)}]` : `{${flowPiece(part)}}`;
}
