// The comments that an edit takes away with what it removes.
import type { Edit } from '../../security/index.ts';
import { commentsWithin } from '../edit/head-comment.ts';
import type { Stream } from '../tree/span-tree.ts';

/** Their text, in source order. `edits` are in the coordinates of `base`. */
export function findRemovedComments(base: Stream, edits: readonly Edit[]): string[] {
  return edits.flatMap(({ start, end, insert }) =>
    commentsWithin(base.comments, start, end)
      .map((comment) => base.text.slice(comment.start, comment.end).trimEnd())
      .filter((comment) => !insert.includes(comment)),
  );
}
