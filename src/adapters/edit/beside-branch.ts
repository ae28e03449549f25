// Finds where a new part goes beside one that is alone in its template branch: outside the block, since a caller who names a
// neighbour does not mean its condition.
import { type Action, type Block, branchAt, endOfBranches, tailOfActions } from '../tree/actions.ts';
import { firstFrom } from '../tree/first-from.ts';
import { headStart } from '../tree/head-comment.ts';
import { isBlankOrComments, lineStart } from '../tree/lines.ts';
import { type Collection, type Entry, type Item, isNull, partsOf, type Stream } from '../tree/span-tree.ts';
import { tailEnd } from './part-extent.ts';

/**
 * Returns the offset behind the part and what belongs to it. With `isNamed` (the call names this neighbour) it leaves only
 * branches in which the part is alone.
 */
export function endWithBranches(
  stream: Stream,
  node: Collection,
  part: Entry | Item,
  isNamed: boolean,
): number {
  const { text, actions } = stream;
  const tail = tailEnd(stream, part);
  if (actions === undefined) return tail;
  const mayLeave = (block: Block) => !isNamed || isAlone(stream, node, part, block);
  // Text behind a branch that is indented deeper still belongs to the part before it.
  for (let end = tail; ; ) {
    const left = endOfBranches(text, actions, end, node.around?.branch, mayLeave);
    const next = tailOfActions(text, actions, part, left, isNull(part.value));
    if (next === end) return end;
    end = next;
  }
}

/** Returns the offset before the part and its head comment, and before the branches in which it is alone. */
export function startWithBranches(stream: Stream, node: Collection, part: Entry | Item): number {
  const { text, actions } = stream;
  let start = headStart(stream, part.start);
  for (let inner = actions && branchAt(actions, start); actions !== undefined && inner !== undefined; ) {
    const { around, block } = inner;
    if (inner === node.around?.branch || inner.start !== block.start || !isAlone(stream, node, part, block))
      break;
    const opening = lastBefore(actions, start);
    if (opening?.start !== block.start || !opening.isHidden) break;
    if (!isBlankOrComments(text.slice(opening.end, start), true)) break;
    start = headStart(stream, lineStart(text, opening.start) + indentOf(text, opening.start));
    inner = around;
  }
  return start;
}

/** The last of the parts with this key in the branches of a block that holds no other part; the part itself elsewhere. */
export function lastOfKey(stream: Stream, node: Collection, index: number): number {
  const { actions } = stream;
  const parts = partsOf(node);
  const part = parts[index];
  const block = part && actions && branchAt(actions, part.start)?.block;
  if (part === undefined || block === undefined || !isAlone(stream, node, part, block)) return index;
  return parts.findLastIndex(({ start }) => start >= block.start && start < block.end);
}

/** Whether the part is alone in an `if` or `with` block. Loops and definitions do not count: what stands in them is meant to be there. */
function isAlone({ text }: Stream, node: Collection, part: Entry | Item, block: Block): boolean {
  if (!/^\{[{%]-?\s*(?:if|with)\b/.test(text.slice(block.start, block.start + MAX_OPENING))) return false;
  const all = partsOf(node).filter(({ start }) => start >= block.start && start < block.end);
  return all.every((one) => one === part || ('key' in one && 'key' in part && one.name === part.name));
}

/** The number of characters to look at for the first word of an action. */
const MAX_OPENING = 40;

function lastBefore(actions: readonly Action[], offset: number): Action | undefined {
  return actions[firstFrom(actions, offset) - 1];
}

function indentOf(text: string, at: number): number {
  return at - lineStart(text, at);
}
