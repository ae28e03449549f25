// `comment` sets, changes or removes the comment above an entry or at its line's end. No data changes.
import { type NodePath, printNodePath, visibleLine } from '../../security/index.ts';
import { commentAbove, linesOf, wordsOf } from '../edit/comment.ts';
import { headerOf } from '../edit/documents.ts';
import type { Target } from '../edit/source.ts';
import { locateExisting } from '../tree/locate.ts';
import type { Arguments, OperationKind } from './operation.ts';

export const comment = {
  name: 'comment',
  needs: [['comment']],
  may: ['place', 'keep'],
  // The header is the file's, whichever documents follow.
  isOfFile: (path) => path.length === 0,
  steps: ({ document }, path, { comment: text = '', place = 'before', keep = false }) => [
    { do: 'comment', path: locateExisting(document, path, 'comment on').path, comment: text, place, keep },
  ],
  notes: notesOn,
} as const satisfies OperationKind;

/** Says that a comment is replaced, unless `keep` is given. */
function notesOn(
  { stream, document, doc, format }: Target,
  path: NodePath,
  { comment: text = '', place = 'before', keep }: Arguments,
): readonly string[] {
  if (keep !== undefined || format.comments === undefined || place !== 'before') return [];
  const located = locateExisting(document, path, 'comment on');
  const isHeader = located.steps.length === 0;
  const there = isHeader ? headerOf(stream, document, doc === 0) : commentAbove(stream, located);
  const old = there === undefined ? '' : wordsOf(stream.text.slice(there.start, there.end));
  const lines = format.comments.write(linesOf(text), stream, false);
  if (old === '' || lines.length === 0 || lines.join('\n') === old) return [];
  const what = isHeader ? 'the header' : `the comment above ${visibleLine(printNodePath(path))}`;
  return [`This replaces ${what}. To add to it instead, send the edit with "keep": true.`];
}
