// The comments that an edit takes away with what it removes.
import type { Edit } from '../../security/index.ts';
import { commentsWithin } from '../edit/head-comment.ts';
import { shownSpan } from '../shown/shown-source.ts';
import type { Stream } from '../tree/span-tree.ts';

const MAX_SEARCHED = 20_000_000;

/** Their text, in source order. `edits` are in the coordinates of `base`. */
export function findRemovedComments(base: Stream, edits: readonly Edit[]): string[] {
  return edits.flatMap(({ start, end, insert }) => {
    const comments = commentsWithin(base.comments, start, end).map((comment) =>
      shownSpan(base, comment).trimEnd(),
    );
    if (comments.length * insert.length <= MAX_SEARCHED) {
      return comments.filter((comment) => !insert.includes(comment));
    }
    const kept = commentLines(insert);
    return comments.filter((comment) => !kept.has(comment));
  });
}

/** Of many comments in a long text, only those are found again that end a line there. */
function commentLines(text: string): ReadonlySet<string> {
  const lines = text.split('\n').filter((line) => line.includes('#'));
  return new Set(lines.map((line) => line.slice(line.search(/(?:^|[ \t])#/)).trim()));
}
