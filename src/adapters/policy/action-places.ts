// The collections into which the actions beside a template's data write, by the place of the action and the depth of its lines.
// Keys that come or go above such an action move what it writes.

import { type Action, saidDepth } from '../tree/actions.ts';
import { firstFrom } from '../tree/first-from.ts';
import { namesIn } from '../tree/item-names.ts';
import { segmentOf } from '../tree/keys.ts';
import { columnOf, lineStart } from '../tree/lines.ts';
import { type DocumentSpans, isCollection, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { lastFrom, partsDown } from './parts-down.ts';

interface Place {
  /** An item by its name, where it has one. */
  readonly path: string;
  /** The nodes from the root down; it writes into the last one, or into any of them where the depth of its lines is unknown. */
  readonly nodes: readonly SpanNode[];
}

/** The names of items that were computed already, by their list. */
export type KnownNames = Map<SpanNode, ReturnType<typeof namesIn>>;

/** Returns the place of an action at `offset` whose lines have this depth. */
export function placeAt(
  text: string,
  root: SpanNode,
  offset: number,
  depth: number | undefined,
  known: KnownNames,
): Place {
  const nodes = [root];
  let path = '';
  for (const { node, index, part } of partsDown(root, (collection) => lastFrom(collection, offset))) {
    if (depth === undefined ? !isCollection(part.value) : columnOf(text, part.start) >= depth) break;
    const names = known.get(node) ?? namesIn(node);
    known.set(node, names);
    path += `\n${names[index] ?? segmentOf(text, part, index)}`;
    nodes.push(part.value);
  }
  return { path, nodes };
}

/** Returns the depth that its `indent` gives, or its column where it is alone on its line; undefined if its lines may have any depth. */
export function depthOfLines(
  text: string,
  { start, end }: Pick<Action, 'start' | 'end'>,
): number | undefined {
  const said = saidDepth(text, { start, end });
  const indent = text.slice(lineStart(text, start), start);
  if (said !== undefined || indent === '' || /[^ \t]/.test(indent) || text[start + 2] === '-') return said;
  return indent.length;
}

/** Returns all nodes of a document below which an action writes that the tree does not see. */
export function nodesWrittenInto(
  { text, documents, actions = [] }: Stream,
  document: DocumentSpans,
): ReadonlySet<SpanNode> {
  const found = new Set<SpanNode>();
  const known: KnownNames = new Map();
  if (actions.length === 0) return found;
  const { root, end } = document;
  const start = documents[documents.indexOf(document) - 1]?.end ?? 0;
  for (let at = firstFrom(actions, start); at < actions.length; at++) {
    const action = actions[at];
    if (action === undefined || action.start >= end) break;
    if (!action.isHidden || action.kind !== 'output') continue;
    const depth = depthOfLines(text, action);
    const { nodes } = placeAt(text, root, action.start, depth, known);
    for (const node of depth === undefined ? nodes : nodes.slice(-1)) found.add(node);
  }
  return found;
}
