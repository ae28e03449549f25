// Places a new part beside a part whose value is written by template actions only, with no literal text to measure its column
// from.
import { type Edit, type NodePath, printNodePath, Refusal } from '../../security/index.ts';
import { actionsIn, depthOf } from '../tree/actions.ts';
import { breakAt, isBlank, lineStart } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import { shownPath } from '../tree/path-refusals.ts';
import type { PlanContext } from './intent.ts';
import { blockLines, type PartText } from './part-text.ts';

/** Puts the part below the lines that template actions write, in their column. Throws TEMPLATE_ACTION where that column is not known. */
export function besideActions(
  { stream }: PlanContext,
  located: Located,
  part: PartText,
): { readonly edits: readonly Edit[]; readonly column: number } {
  const { text, actions = [], lines } = stream;
  const { node, path } = located;
  const writes = actionsIn(actions, node).filter(({ kind }) => kind === 'output');
  const depths = new Set(writes.map((action) => depthOf(text, action)));
  const [column, other] = [...depths];
  const isBelow = isBlank(text, lineStart(text, node.start), node.start);
  const isIndented = writes.every((action) => /\bn?indent\b/.test(text.slice(action.start, action.end)));
  const isKnown = column !== undefined && other === undefined && (isBelow || isIndented);
  // The items of a list may stand in the same column as its key; the keys of a mapping must stand to the right
  // of it.
  const least = part.writeContext.parentColumn + (part.isItem && part.keys.length === 0 ? 0 : 1);
  if (!isKnown || part.writeContext.isFlow || column < least)
    throw writtenByActions(lines.at(node.start), path);
  const lineBreak = breakAt(text, node.start);
  const insert = lineBreak + blockLines(part, column).join(lineBreak);
  return { edits: [{ start: node.end, end: node.end, insert }], column };
}

function writtenByActions(line: number, path: NodePath): Refusal {
  const existingPath = printNodePath(path);
  return new Refusal(
    'TEMPLATE_ACTION',
    `Cannot add a part to ${shownPath(path)}: an action of the template writes it (line ${line}), and nothing says how deep its lines stand`,
    { line },
    {
      existingPath,
      advice: [
        'Set the whole value with "value": the action, and the new lines beside it',
        'Or edit the lines with op "replace_text" and no path',
      ],
    },
  );
}
