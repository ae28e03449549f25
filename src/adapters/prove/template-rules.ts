// Rules for edits of templates that no expansion can check. Each returns why an edit is wrong, or undefined.
import { type Edit, withInserted } from '../../security/edits/edit.ts';
import { tailEnd } from '../edit/extent.ts';
import type { Part } from '../edit/neighbours.ts';
import { actionsIn, branchAt, depthOf, nextActions, withAround } from '../tree/actions.ts';
import { commentsWithin } from '../tree/comments.ts';
import { columnOf, firstFrom, isBlank } from '../tree/lines.ts';
import { isEmpty, type Span, type SpanNode, type Stream } from '../tree/span-tree.ts';

/** A new part must be in the branch of its parent, or it could be rendered without it. */
export function branchProblem({ actions = [] }: Stream, path: readonly Part[]): string | undefined {
  const part = path.at(-1);
  const around = withAround(part && branchAt(actions, part.start));
  const isApart = path.some(({ start }) => !around.includes(branchAt(actions, start)));
  return isApart ? 'the new part would be outside of the branch of its parent' : undefined;
}

/** A comment after an action with `nindent` would end up after the last line that it writes. */
export function commentProblem({ text, actions = [] }: Stream, edits: readonly Edit[]): string | undefined {
  const isBehind = edits.some(({ start }) => {
    const action = actions[firstFrom(actions, start) - 1];
    if (action === undefined || !isBlank(text, action.end, start)) return false;
    return (
      /\bnindent\b/.test(text.slice(action.start, action.end)) &&
      !text.slice(action.end, start).includes('\n')
    );
  });
  return isBehind ? 'the comment would be behind other lines' : undefined;
}

/** An action that trims the line break after a new comment would write into the comment. */
export function swallowProblem(
  before: Stream,
  edits: readonly Edit[],
  { text, comments, actions = [] }: Stream,
): string | undefined {
  const isSwallowing = withInserted(edits, before.text.length).some(({ inserted }) =>
    commentsWithin(comments, inserted.start, inserted.end).some(({ end }) => {
      const action = actions[firstFrom(actions, end)];
      if (action === undefined || !/^\{[{%]-/.test(text.slice(action.start, action.start + 3))) return false;
      return (
        text.slice(end, action.start).trim() === '' &&
        action.kind === 'output' &&
        !/\bnindent\b/.test(text.slice(action.start, action.end))
      );
    }),
  );
  return isSwallowing ? 'an action would write into the comment' : undefined;
}

/** An action that trims line breaks next to an added or removed document would join the lines around it. */
export function joinProblem(
  before: Stream,
  edits: readonly Edit[],
  { text, actions = [] }: Stream,
): string | undefined {
  const isJoined = withInserted(edits, before.text.length).some(({ inserted: { start, end } }) => {
    const index = firstFrom(actions, start);
    const [above, below] = [actions[index - 1], actions[firstFrom(actions, end)]];
    const takesAbove =
      above !== undefined && text.slice(above.end, start).trim() === '' && text[above.end - 3] === '-';
    const takesBelow =
      below !== undefined && text.slice(end, below.start).trim() === '' && text[below.start + 2] === '-';
    return takesAbove || (takesBelow && below.kind === 'output');
  });
  return isJoined ? 'an action would join the document to the line beside it' : undefined;
}

/** An action below an empty value may write all of it, which would then follow the new value. */
export function writerProblem(
  { text, actions = [], ...stream }: Stream,
  edits: readonly Edit[],
  part: Part | undefined,
): string | undefined {
  if (part === undefined || !isEmpty(part.value)) return undefined;
  const column = columnOf(text, part.start);
  const end = tailEnd({ ...stream, text, actions }, part);
  for (const action of [
    ...actionsIn(actions, { start: part.end, end }),
    ...nextActions(text, actions, end),
  ]) {
    const isGone = edits.some((edit) => edit.start <= action.start && action.end <= edit.end);
    if (action.kind !== 'output' || !action.isHidden || isGone) continue;
    return depthOf(text, action) >= column ? 'an action writes what stands there' : undefined;
  }
  return undefined;
}

/** An action that trims the blanks before a part makes its column unknown. */
export function columnProblem({ text }: Stream, parts: readonly Part[]): string | undefined {
  const isUnknown = parts.some(({ start }) => text.startsWith('{{-', start));
  return isUnknown ? 'the column of a part is not known' : undefined;
}

/** A new literal key in a loop inside its mapping would be written once for each element. */
export function keyProblem(
  stream: Stream,
  root: SpanNode | undefined,
  isNew: boolean,
  path: readonly Part[],
): string | undefined {
  const { text, actions = [] } = stream;
  const [part, holder] = [path.at(-1), path.at(-2)];
  const key = keyOf(part);
  if (!isNew || part === undefined || key === undefined || hasActions(stream, key)) return undefined;
  const around = withAround((holder?.value ?? root)?.around?.branch);
  const isRepeated = withAround(branchAt(actions, part.start)).some(
    (branch) => branch !== undefined && !around.includes(branch) && isLoop(text, branch),
  );
  return isRepeated ? 'a loop would write the key once for each element' : undefined;
}

function isLoop(text: string, { start }: Pick<Span, 'start'>): boolean {
  return /^\{[{%][-+]?\s*(?:range|for)\b/.test(text.slice(start, start + 40));
}

export function hasActions({ actions = [] }: Stream, span: Span | undefined): boolean {
  return span !== undefined && actionsIn(actions, span).length > 0;
}

export function keyOf(part: Part | undefined): SpanNode | undefined {
  return part !== undefined && 'key' in part ? part.key : undefined;
}
