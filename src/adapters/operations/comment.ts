// `comment` sets, changes or removes the comment above an entry or at its line's end. No data changes.
import { type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import { visibleLine } from '../../security/text/visible.ts';
import { commentAbove, commentAtEnd, linesOf, wordsOf } from '../edit/comment.ts';
import { headerOf } from '../edit/documents.ts';
import type { Target } from '../edit/source.ts';
import { headStart } from '../tree/comments.ts';
import { lineStart } from '../tree/lines.ts';
import { type Located, locateExisting } from '../tree/locate.ts';
import { type DocumentSpans, partsOf, type Stream, standsOnLines } from '../tree/span-tree.ts';
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

/** Notes that a comment is replaced, unless `keep` is given, or that the comment to remove is absent or in another place. */
function notesOn(
  { stream, document, doc, format }: Target,
  path: NodePath,
  { comment: text = '', place = 'before', keep }: Arguments,
): readonly string[] {
  if (keep !== undefined || format.comments === undefined) return [];
  const located = locateExisting(document, path, 'comment on');
  if (linesOf(text).length === 0 && path.length > 0) return elsewhere(stream, located, place);
  if (place !== 'before') return [];
  const isHeader = located.steps.length === 0;
  const there = isHeader ? headerOf(stream, document, doc === 0) : commentAbove(stream, located);
  const old = there === undefined ? '' : wordsOf(stream.text.slice(there.start, there.end));
  const lines = format.comments.write(linesOf(text), stream, false);
  if (old === '' && isHeader && lines.length === 0) return noHeader(stream, document);
  if (old === '' || lines.length === 0 || lines.join('\n') === old) return [];
  const what = isHeader ? 'the header' : `the comment above ${visibleLine(printNodePath(path))}`;
  return [`This replaces ${what}. To add to it instead, send the edit with "keep": true.`];
}

/** Notes where the comment to remove is, if it is not in the given place. */
function elsewhere(stream: Stream, located: Located, place: 'before' | 'line_end'): readonly string[] {
  const { start, end } = commentAbove(stream, located);
  const atEnd = commentAtEnd(stream, located);
  const path = visibleLine(printNodePath(located.path));
  if (place === 'before' && start === end && atEnd !== undefined)
    return [`No comment stands above ${path}. The one at the end of its line goes with "place": "line_end".`];
  if (place === 'line_end' && start < end && atEnd === undefined)
    return [
      `No comment stands at the end of the line of ${path}. The one above goes with "place": "before".`,
    ];
  return [];
}

function noHeader(stream: Stream, { root }: DocumentSpans): readonly string[] {
  const first = standsOnLines(root) ? partsOf(root)[0] : undefined;
  if (first === undefined || headStart(stream, first.start) === lineStart(stream.text, first.start))
    return [];
  return [
    'There is no header: the comment at the top is directly above the first entry, and is its comment.',
  ];
}
