// What a reviewer should know of a change of a template: in which branch something new stands, and what becomes of the file
// once it is filled in.
import { type Change, visibleLine } from '../../security/index.ts';
import { actionsIn, branchAt, conditionsOf, isOnlyActions } from '../tree/actions.ts';
import { nodeAt } from '../tree/locate.ts';
import { parseNodePath } from '../tree/node-path.ts';
import { isWritten, outerStart, type SpanNode, type Stream } from '../tree/span-tree.ts';

/** Whether it holds actions, so that its values are known only once it is filled in. */
export function isTemplate({ actions = [] }: Stream): boolean {
  return actions.length > 0;
}

/** Whole sentences. */
export function* findTemplateNotes(
  base: Stream,
  result: Stream,
  changes: readonly Change[],
): Generator<string> {
  if (!isTemplate(result)) return;
  const { actions = [], lines } = result;
  if (!isTemplate(base) && base.isAbsent !== true && base.hasStructure !== false)
    yield 'The file becomes a template: its actions are no YAML before a program fills them in.';
  for (const { op, doc, path } of changes) {
    if (op !== 'add' && op !== 'replace') continue;
    const segments = parseNodePath(path);
    const now = nodeAt(result.documents[doc]?.root, segments);
    if (now === undefined) continue;
    const branch = op === 'add' ? branchAt(actions, outerStart(now)) : undefined;
    if (branch !== undefined)
      yield `${visibleLine(path)} stands in a branch: ${conditionsOf(branch)} (line ${lines.at(branch.start)}).`;
    const old = nodeAt(base.documents[doc]?.root, segments);
    if (old !== undefined && isWritten(old) && isQuotedAction(now))
      yield `${visibleLine(path)}: the action stands in quotes now, so that what it writes is a text. Send it as "value" to have it without.`;
  }
  const empty = emptyBlocks(result);
  if (empty.length > emptyBlocks(base).length)
    yield `A branch holds nothing any more (${empty.length === 1 ? `line ${empty[0]}` : `one of lines ${empty.slice(0, 10).join(', ')}`}).`;
}

function isQuotedAction(node: SpanNode): boolean {
  const isQuoted = node.kind === 'scalar' && (node.style === 'double' || node.style === 'single');
  return isQuoted && /^\{[{%][\s\S]*[}%]\}$/.test(node.value);
}

/** The lines of the blocks between whose actions nothing stands. */
function emptyBlocks({ text, actions = [], lines }: Stream): readonly number[] {
  return actions.flatMap((action) => {
    const { kind, block } = action;
    if (kind !== 'open' || block === undefined) return [];
    const all = actionsIn(actions, block);
    const isEmpty = all.every((one) => one.kind !== 'output') && isOnlyActions(text, all, block);
    return isEmpty ? [lines.at(action.start)] : [];
  });
}
