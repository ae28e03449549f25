// The collections into which the actions beside the data of a template write: by where the action stands, and by how deep the
// lines are that it writes. Keys that come or go above such an action bring what it writes elsewhere.

import { type Action, saidDepth } from '../tree/actions.ts';
import { firstFrom } from '../tree/first-from.ts';
import { namesIn } from '../tree/item-names.ts';
import { partName } from '../tree/keys.ts';
import { columnOf, lineStart } from '../tree/lines.ts';
import { type DocumentSpans, isCollection, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { lastFrom, partsDown } from './parts-down.ts';

interface Place {
  /** An item by its name, where it has one. */
  readonly path: string;
  /** From the root down; it writes into the last, or into any where nobody can tell how deep its lines are. */
  readonly nodes: readonly SpanNode[];
}

/** Names of items that were asked for, by their list. */
export type KnownNames = Map<SpanNode, ReturnType<typeof namesIn>>;

/** Of what begins at `offset`, in lines of this depth. */
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
    path += `\n${names[index] ?? partName(text, part, index)}`;
    nodes.push(part.value);
  }
  return { path, nodes };
}

/** As its `indent` says, or where it stands alone on its line; undefined where its lines may be of any depth. */
export function depthOfLines(
  text: string,
  { start, end }: Pick<Action, 'start' | 'end'>,
): number | undefined {
  const said = saidDepth(text, { start, end });
  const indent = text.slice(lineStart(text, start), start);
  if (said !== undefined || indent === '' || /[^ \t]/.test(indent) || text[start + 2] === '-') return said;
  return indent.length;
}

/** All nodes of a document below which an action writes that the tree does not see. */
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
