// Describes the nodes that a path can mean, so that a caller can choose one without another call.
import { keySegment, type NodePath, parsePath, Refusal, visibleLine } from '../../security/index.ts';
import { branchAt, conditionsOf } from './actions.ts';
import { nodeAt } from './locate.ts';
import { type DocumentSpans, outerStart, partsOf, type SpanNode, type Stream } from './span-tree.ts';
import { counted, cutText } from './wording.ts';

const MAX_VALUE = 60;

/** Returns the refusal with line, branch and value of each path that it names, as advice. */
export function withCandidates(stream: Stream, { root }: DocumentSpans, refusal: Refusal): Refusal {
  const { code, message, where, clues, cause } = refusal;
  const candidates = (clues.nearestPaths ?? []).flatMap((text) => {
    const node = nodeAt(root, segmentsOf(text));
    return node === undefined ? [] : `${text} ${describeNode(stream, node)}`;
  });
  return new Refusal(
    code,
    message,
    where,
    { ...clues, advice: [...candidates, ...(clues.advice ?? [])] },
    cause,
  );
}

/** Returns a node's line, the branch of a template that it is in, and its value. */
export function describeNode({ lines, actions = [] }: Stream, node: SpanNode): string {
  const start = outerStart(node);
  const branch = branchAt(actions, start);
  const within = branch === undefined ? '' : ` in the branch ${conditionsOf(branch)}`;
  return `on line ${lines.at(start)}${within}: ${shownValue(node)}`;
}

function shownValue(node: SpanNode): string {
  if (node.kind === 'alias') return `*${visibleLine(node.name)}`;
  if (node.kind === 'scalar') return visibleLine(cutText(node.value, MAX_VALUE));
  const { length } = partsOf(node);
  return node.kind === 'mapping'
    ? `a mapping of ${counted(length, 'key')}`
    : `a list of ${counted(length, 'item')}`;
}

function segmentsOf(text: string): NodePath {
  return parsePath(text).flatMap((word) => {
    if (word.kind === 'index') return word.index;
    if (word.kind !== 'key') return [];
    return keySegment(word.key, word.occurrence);
  });
}
