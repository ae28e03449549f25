// Finds the place of a node's comment: above its line, or after what its line holds.
import { printNodePath, Refusal } from '../../security/index.ts';
import { bracketPiece } from '../edit/bracket-piece.ts';
import { dottedLines } from '../edit/dotted-keys.ts';
import { lineComment } from '../tree/head-comment.ts';
import { isBlank, lineEnd, lineStart } from '../tree/lines.ts';
import type { Located, Step } from '../tree/locate.ts';
import {
  type Collection,
  isBlockCollection,
  isFlowCollection,
  isSectional,
  isWritten,
  type Span,
  type SpanNode,
  type Stream,
  standsOnLines,
} from '../tree/span-tree.ts';

/** Returns where the content of the line begins: after the dashes of a list whose first part shares their line. */
export function placeOfHead(stream: Stream, located: Located): number {
  const { text } = stream;
  const { node, steps } = located;
  if (isSectional(node)) return headerOfTable(stream, located, node).start;
  const last = steps.at(-1);
  if (last !== undefined && !standsOnLines(last.container)) return bracketPiece(stream, last.part).start;
  const sharing = steps.findLast(({ part }) => isBlank(text, lineStart(text, part.start), part.start));
  const start = steps.at(-1)?.part.start ?? 0;
  const isBehindDashes = /^[ \t]*(?:- +)+$/.test(text.slice(lineStart(text, start), start));
  return isBehindDashes && sharing !== undefined ? sharing.part.start : start;
}

/** Returns the offset before the node's comment: the end of the value, or of the line below which a block begins. */
export function endOfLineContent(stream: Stream, located: Located): number {
  const { text } = stream;
  const step = located.steps.at(-1);
  const node: SpanNode = located.node;
  if (isSectional(node)) return headerOfTable(stream, located, node).end;
  const isBlock = isBlockCollection(node);
  if (node.kind === 'scalar' && node.block !== undefined) return node.block.header.end;
  const indicator =
    step?.kind === 'entry' ? (step.part.colon ?? step.part.key.end - 1) + 1 : (step?.part.start ?? 0) + 1;
  const head = node.properties?.end ?? indicator;
  const isBelow = text.slice(head, node.start).includes('\n');
  // Where an action writes the value, the comment is after the key, as for a block.
  if (isBelow && isWritten(node)) return head;
  if (!isBlock) return isOpenOnLine(stream, node) ? node.start + 1 : node.end;
  if (isBelow) return head;
  // It begins on the line of its first part, so both have the same place.
  const first = firstStep(node);
  return endOfLineContent(stream, {
    ...located,
    node: first.part.value,
    steps: [...located.steps, first],
  });
}

function firstStep(container: Collection): Step {
  if (container.kind === 'mapping') {
    const [part] = container.entries;
    if (part !== undefined) return { kind: 'entry', container, part, index: 0 };
  } else {
    const [part] = container.items;
    if (part !== undefined) return { kind: 'item', container, part, index: 0 };
  }
  throw new Error('a block has a part');
}

/** True if brackets over several lines have their comment, or room for one, after the first bracket, and none after the last. */
function isOpenOnLine(stream: Stream, node: SpanNode): boolean {
  const { text } = stream;
  if (!isFlowCollection(node) || lineComment(stream, node.end) !== undefined) return false;
  const stop = lineEnd(text, node.start);
  const isEmptyBehind = isBlank(text, node.start + 1, stop);
  return stop < node.end && (isEmptyBehind || lineComment(stream, node.start + 1) !== undefined);
}

/** A table without a header of its own has no place for a comment either. */
function headerOfTable({ text }: Stream, located: Located, node: Collection): Span {
  const place = node.header ?? (located.steps.length > 0 ? dottedLines(text, node) : undefined);
  if (place !== undefined) return place;
  throw noPlace(located, 'It has no header of its own: comment on one of its keys');
}

export function noPlace(located: Located, advice: string): Refusal {
  const existingPath = printNodePath(located.path);
  const what = existingPath === '' ? 'the root of a document' : existingPath;
  return new Refusal(
    'TYPE_MISMATCH',
    `Cannot comment on ${what}: there is no place for the comment`,
    {},
    { existingPath, advice: [advice] },
  );
}
