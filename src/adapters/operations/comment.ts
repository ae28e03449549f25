// `comment` sets, changes or removes the comment above an entry or at its line's end. No data changes.
import {
  type Change,
  type Edit,
  type NodePath,
  printNodePath,
  Refusal,
  unlessRefused,
  visibleLine,
} from '../../security/index.ts';
import { bracketPiece } from '../edit/bracket-piece.ts';
import { aroundOnLine } from '../edit/comment-behind.ts';
import { gapBeforeComment } from '../edit/comment-column.ts';
import { headerEdit, headerOf } from '../edit/file-header.ts';
import { NO_CHANGE, NO_EDITS, type Plan, type PlanContext } from '../edit/intent.ts';
import { commentStart } from '../tree/commented-out.ts';
import type { CommentSyntax } from '../tree/format.ts';
import { commentsWithin, headStart, lineComment } from '../tree/head-comment.ts';
import { breakAt, isBlank, lineEnd, lineStart, skipBlanksBack, withoutEnd } from '../tree/lines.ts';
import { type Located, locateExisting } from '../tree/locate.ts';
import { type DocumentSpans, partsOf, type Span, type Stream, standsOnLines } from '../tree/span-tree.ts';
import { endOfLineContent, noPlace, placeOfHead } from './comment-place.ts';
import type { Arguments, OperationKind } from './operation.ts';

export const comment = {
  name: 'comment',
  needs: [['comment']],
  may: ['place', 'keep'],
  // The header is the file's, whichever documents follow.
  isOfFile: (path) => path.length === 0,
  plan: (context, path, given) => planComment(context, path, given),
  notes: notesOn,
} as const satisfies OperationKind;

/** Plans a comment, with or without its marks; '' removes it. Throws VALUE_INVALID and TYPE_MISMATCH. */
function planComment(
  context: PlanContext,
  path: NodePath,
  { comment = '', place = 'before', keep = false }: Arguments,
): Plan {
  const { document } = context;
  const syntax = syntaxOf(context);
  context.format.requireData?.(comment, context.stream.text);
  const given = commentLines(comment);
  const lines = syntax.write(given, context.stream, false);
  const located = locateExisting(document, path, 'comment on');
  const step = located.steps.at(-1);
  if (step === undefined && place === 'before') return planHeader(context, located, lines, keep);
  if (step === undefined)
    throw noPlace(located, 'Comment on one of its keys, or use place "before" for a header');
  if (place === 'line_end' && lines.length > 1)
    throw invalid('a comment at the end of a line is one line; use place "before" for more');
  const planAt = (at: Located, keeps: boolean): Plan =>
    place === 'before' ? planHead(context, at, lines, keeps) : planLineEnd(context, at, given, keeps);
  const mayShare = lines.length > 0 && context.format.layout === 'sections';
  const around = mayShare ? aroundOnLine(context.stream, located) : undefined;
  if (around === undefined) return planAt(located, keep);
  try {
    return planAt(located, keep);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'TYPE_MISMATCH') throw error;
    // The parts of an inline table have one place, which is that of the table: a comment that stands there stays.
    return planAt(around, true);
  }
}

/** Says that a comment is replaced, unless `keep` is given, and says where what is to go is none, or stands in another place. */
function notesOn(
  { stream, document, documentIndex, format }: PlanContext,
  path: NodePath,
  { comment = '', place = 'before', keep }: Arguments,
): readonly string[] {
  if (keep !== undefined || format.comments === undefined) return [];
  const located = locateExisting(document, path, 'comment on');
  if (commentLines(comment).length === 0 && path.length > 0) return elsewhere(stream, located, place);
  if (place !== 'before') return [];
  const isHeader = located.steps.length === 0;
  const there = isHeader ? headerOf(stream, document, documentIndex === 0) : headOf(stream, located);
  const old = there === undefined ? '' : commentText(stream, there);
  const lines = format.comments.write(commentLines(comment), stream, false);
  if (old === '' && isHeader && lines.length === 0) return noHeader(stream, document);
  if (old === '' || lines.length === 0 || lines.join('\n') === old) return [];
  const what = isHeader ? 'the header' : `the comment above ${visibleLine(printNodePath(path))}`;
  return [`This replaces ${what}. To add to it instead, send the edit with "keep": true.`];
}

/** Says where the comment is that is to go, if it is not in the place that was named. */
function elsewhere(stream: Stream, located: Located, place: 'before' | 'line_end'): readonly string[] {
  const { start, end } = headOf(stream, located);
  const anchor = unlessRefused(() => endOfLineContent(stream, located));
  const atEnd = anchor === undefined ? undefined : lineComment(stream, anchor);
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

/** Returns the lines of the comment above the node, without commented-out parts. */
function headOf(stream: Stream, located: Located): Span {
  const start = placeOfHead(stream, located);
  const part = located.steps.at(-1)?.part;
  // Behind a dash, the comment is above the item.
  const isItem = part === undefined || !('key' in part) || /^-\s/u.test(stream.text.slice(start, start + 2));
  const place = isItem ? { start } : { start, key: part.key, name: part.name };
  return {
    start: commentStart(stream, place),
    end: lineStart(stream.text, start),
  };
}

/** Returns the syntax of comments. Throws VALUE_INVALID for a format without comments. */
function syntaxOf({ format: { comments, name } }: PlanContext): CommentSyntax {
  if (comments !== undefined) return comments;
  throw invalid(
    `${name} has no comments, and the tools that read this file may refuse one`,
    'Say it in "reason" of the edit, or in the value of a key that the tools ignore. Where they do take comments, have a person write the first one: then the file is edited as JSON with comments',
  );
}

function planHeader(context: PlanContext, located: Located, lines: readonly string[], keep: boolean): Plan {
  const { stream, document, documentIndex } = context;
  const header = headerOf(stream, document, documentIndex === 0);
  if (header === undefined) throw noPlace(located, 'Its content begins on the line of its marker');
  if (!keep) return planOf(context, located, headerEdit(stream, header, lines), lines.join('\n'));
  const added = missingLines(stream, header, lines);
  if (added.length === 0) return NO_EDITS;
  const behind = headerEdit(stream, { ...header, start: header.end }, added);
  return planOf(context, located, behind, added.join('\n'));
}

/** Returns the lines that the existing comment does not hold yet. */
function missingLines(stream: Stream, there: Span, lines: readonly string[]): readonly string[] {
  const old = commentText(stream, there).split('\n');
  return lines.filter((line) => !old.includes(line));
}

function planHead(context: PlanContext, located: Located, given: readonly string[], keep: boolean): Plan {
  const { stream } = context;
  const { text } = stream;
  const start = placeOfHead(stream, located);
  const own = lineStart(text, start);
  if (!isBlank(text, own, start))
    throw noPlace(located, 'Comment on what contains it, or use place "line_end" if nothing follows it');
  const { start: head } = headOf(stream, located);
  const lines = keep ? missingLines(stream, { start: head, end: own }, given) : given;
  const lineBreak = breakAt(text, start);
  const indent = text.slice(own, start);
  const insert = lines.map((line) => `${indent}${line}${lineBreak}`).join('');
  return planOf(context, located, { start: keep ? own : head, end: own, insert }, lines.join('\n'));
}

function planLineEnd(context: PlanContext, located: Located, given: readonly string[], keep: boolean): Plan {
  const { stream } = context;
  const { text } = stream;
  const syntax = syntaxOf(context);
  const anchor = endOfLineContent(stream, located);
  const part = located.steps.at(-1);
  const piece =
    part === undefined || standsOnLines(part.container) || anchor !== located.node.end
      ? undefined
      : bracketPiece(stream, part.part);
  const old =
    piece === undefined
      ? lineComment(stream, anchor)
      : commentsWithin(stream.comments, anchor, piece.stop).at(-1);
  const stop = lineEnd(text, anchor);
  const isWithinLine = old !== undefined && !isBlank(text, old.end, lineEnd(text, old.end));
  const [added] = syntax.write(given, stream, isWithinLine);
  const line =
    keep && old !== undefined ? syntax.join(text.slice(old.start, old.end), given[0] ?? '') : added;
  if (old === undefined && !/^[ \t]*,?[ \t]*$/.test(text.slice(anchor, stop))) {
    throw noPlace(located, 'Other content follows on its line: comment on what contains it');
  }
  if (line === undefined && old === undefined) return NO_EDITS;
  const { start, end } = old ?? { start: stop, end: stop };
  const at = skipBlanksBack(text, start, anchor);
  if (line === undefined) return planOf(context, located, { start: at, end, insert: '' }, '');
  const edit =
    old === undefined ? { start: at, insert: gapBeforeComment(stream, at) + line } : { start, insert: line };
  return planOf(context, located, { ...edit, end }, line);
}

function planOf({ stream, documentIndex }: PlanContext, located: Located, edit: Edit, to: string): Plan {
  const from = commentText(stream, edit);
  const path = printNodePath(located.path);
  const line = stream.lines.at(edit.start);
  const commentChange: Change = { op: 'comment', doc: documentIndex, path, from, to, line };
  const isSame = stream.text.slice(edit.start, edit.end) === edit.insert;
  return isSame ? NO_EDITS : { edits: [edit], intent: NO_CHANGE, commentChange };
}

function commentText(stream: Stream, { start, end }: Span): string {
  return stream.text
    .slice(start, end)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

function commentLines(comment: string): string[] {
  // A break of any kind or a control character could end the comment and begin content.
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(comment.replaceAll(/\r?\n|\t/g, '')) || !comment.isWellFormed()) {
    throw invalid('it holds a control character');
  }
  if (comment.trim() === '') return [];
  return withoutEnd(comment.replaceAll('\r\n', '\n'), '\n')
    .split('\n')
    .map((line) => line.trimEnd());
}

function invalid(reason: string, advice = 'Send plain text; "" removes the comment'): Refusal {
  return new Refusal('VALUE_INVALID', `Cannot write this comment: ${reason}`, {}, { advice: [advice] });
}
