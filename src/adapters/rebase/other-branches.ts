// Finds changes of a template that are in another branch than before: somebody has put an `if` around the place since, or
// removed one, which changes no data.
import { type Change, parseNodePath, visibleLine } from '../../security/index.ts';
import { branchAt, conditionsOf } from '../tree/actions.ts';
import { locateIfClear } from '../tree/locate.ts';
import type { Stream } from '../tree/span-tree.ts';

/** Answers whole sentences, each a question. `old` and `now` hold the same changes at the same paths, and `documents` pairs their documents. */
export function otherBranches(
  old: Stream,
  now: Stream,
  changes: readonly Change[],
  documents: ReadonlyMap<number, number>,
): readonly string[] {
  if ((old.actions ?? []).length + (now.actions ?? []).length === 0) return [];
  const notes = changes.flatMap(({ doc, path }) => {
    const [before, after] = [
      conditionsAt(old, doc, path),
      conditionsAt(now, documents.get(doc) ?? doc, path),
    ];
    if (before === undefined || after === undefined || before === after) return [];
    const where = visibleLine(path === '' ? 'The root' : path);
    return `${where} stands in another branch since: ${after || 'in none'}; it was ${before || 'in none'}. Did you mean it there as well?`;
  });
  return [...new Set(notes)].slice(0, MAX_NOTES);
}

const MAX_NOTES = 10;

/** Answers the conditions from the inside out; '' outside of all, undefined where the path leads nowhere. */
function conditionsAt({ documents, actions = [] }: Stream, doc: number, path: string): string | undefined {
  const document = documents[doc];
  const located = document && locateIfClear(document, parseNodePath(path));
  if (located === undefined || located.missing.length > 0) return undefined;
  const start = located.steps.at(-1)?.part.start ?? located.node.start;
  const branch = branchAt(actions, start);
  return branch === undefined ? '' : conditionsOf(branch);
}
