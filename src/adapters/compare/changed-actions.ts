// Finds what an edit changes in template actions outside of the data: the branches that are taken, and the lines that are written, are
// more than layout.
import type { Change } from '../../security/edits/edit.ts';
import type { Action } from '../tree/actions.ts';
import { isCollection, partsOf, type Stream, walk } from '../tree/span-tree.ts';
import { cutText } from '../tree/wording.ts';
import { differing } from './changed-lines.ts';

const MAX_SHOWN = 200;

/** Returns at most one change, from the first different action to the last. With `isDataSame` it also compares what is in which branch. */
export function findChangedActions(before: Stream, after: Stream, isDataSame: boolean): Change[] {
  const [old, next] = [before.actions ?? [], after.actions ?? []];
  if (old.length === 0 && next.length === 0) return [];
  const { from, oldTo, newTo } = differing(
    old.length,
    next.length,
    (i, j) => textOf(before, old[i]) === textOf(after, next[j]),
  );
  const [gone, come] = [old.slice(from, oldTo).filter(isBeside), next.slice(from, newTo).filter(isBeside)];
  if (gone.length > 0 || come.length > 0) return [changeOf({ before, gone }, { after, come })];
  if (!isDataSame || old.length !== next.length) return [];
  const [places, newPlaces] = [partsBefore(before), partsBefore(after)];
  const moved = places.findIndex((count, i) => count !== newPlaces[i]);
  const [action, other] = [old[moved], next[moved]];
  if (action === undefined || other === undefined) return [];
  return [changeOf({ before, gone: [action] }, { after, come: [other] })];
}

function isBeside({ isHidden }: Action): boolean {
  return isHidden;
}

function textOf({ text }: Stream, action: Action | undefined): string | undefined {
  return action && text.slice(action.start, action.end);
}

function changeOf(
  { before, gone }: { readonly before: Stream; readonly gone: readonly Action[] },
  { after, come }: { readonly after: Stream; readonly come: readonly Action[] },
): Change {
  const shown = (stream: Stream, actions: readonly Action[]) =>
    cutText(actions.map((action) => textOf(stream, action)).join('\n'), MAX_SHOWN);
  const [first] = come;
  const line = first === undefined ? before.lines.at(gone[0]?.start ?? 0) : after.lines.at(first.start);
  return {
    ...{ op: 'text', doc: 0, path: '' },
    ...(gone.length === 0 ? {} : { from: shown(before, gone) }),
    ...(come.length === 0 ? {} : { to: shown(after, come) }),
    line,
  };
}

/** Returns for each action outside of the data how many keys and items begin before it. */
function partsBefore({ documents, actions = [] }: Stream): readonly number[] {
  const starts: number[] = [];
  for (const { root } of documents)
    for (const node of walk(root))
      if (isCollection(node)) for (const { start } of partsOf(node)) starts.push(start);
  starts.sort((a, b) => a - b);
  let count = 0;
  return actions.map(({ start }) => {
    while ((starts[count] ?? Number.POSITIVE_INFINITY) < start) count += 1;
    return count;
  });
}
