// `comment`: sets, changes or removes the comment above an entry or at its line's end. No data changes.
import { type Change, type Edit, Refusal } from '../../security/index.ts';
import { bracketPiece } from '../edit/bracket-piece.ts';
import { gapBeforeComment } from '../edit/comment-column.ts';
import { headerEdit, headerOf } from '../edit/file-header.ts';
import { NO_CHANGE, NO_EDITS, type Plan, type PlanContext } from '../edit/intent.ts';
import type { CommentSyntax } from '../tree/format.ts';
import { commentsWithin, headStart, lineComment } from '../tree/head-comment.ts';
import { breakAt, isBlank, lineEnd, lineStart, skipBlanksBack, withoutEnd } from '../tree/lines.ts';
import { type Located, locateExisting } from '../tree/locate.ts';
import { type NodePath, printNodePath } from '../tree/node-path.ts';
import {
  isBlockCollection,
  isFlowCollection,
  isSectional,
  isWritten,
  type MappingNode,
  type Span,
  type SpanNode,
  type Stream,
  standsOnLines,
} from '../tree/span-tree.ts';
import type { Arguments, OperationKind } from './operation.ts';

export const comment = {
  name: 'comment',
  needs: [['comment']],
  may: ['place', 'keep'],
  // The header is the file's, whichever documents follow.
  isOfFile: (path) => path.length === 0,
  plan: (context, path, given) => planComment(context, path, given),
} as const satisfies OperationKind;

/** `comment`: the text, with or without the marks of a comment; '' removes. Throws VALUE_INVALID and TYPE_MISMATCH. */
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
  if (place === 'before')
    return planHead(context, located, placeOfHead(context.stream, located), lines, keep);
  if (lines.length > 1)
    throw invalid('a comment at the end of a line is one line; use place "before" for more');
  return planLineEnd(context, located, given, keep);
}

/** Throws VALUE_INVALID for a format without comments. */
function syntaxOf({ format: { comments, name } }: PlanContext): CommentSyntax {
  if (comments !== undefined) return comments;
  throw invalid(
    `${name} has no comments, and the tools that read this file may refuse one`,
    'Say it in "reason" of the edit, or in the value of a key that the tools ignore. Where they do take comments, have a person write the first one: then the file is edited as JSON with comments',
  );
}

/** Where the line begins to be content: behind the dashes of a list its first part shares their line. */
function placeOfHead(stream: Stream, located: Located): number {
  const { text } = stream;
  const { node, steps } = located;
  if (isSectional(node)) return headerOfTable(located, node).start;
  const last = steps.at(-1);
  if (last !== undefined && !standsOnLines(last.container)) return bracketPiece(stream, last.part).start;
  const sharing = steps.findLast(({ part }) => isBlank(text, lineStart(text, part.start), part.start));
  const start = steps.at(-1)?.part.start ?? 0;
  const isBehindDashes = /^[ \t]*(?:- +)+$/.test(text.slice(lineStart(text, start), start));
  return isBehindDashes && sharing !== undefined ? sharing.part.start : start;
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

/** Those that the comment there does not hold yet. */
function missingLines(stream: Stream, there: Span, lines: readonly string[]): readonly string[] {
  const old = commentText(stream, there).split('\n');
  return lines.filter((line) => !old.includes(line));
}

function planHead(
  context: PlanContext,
  located: Located,
  start: number,
  given: readonly string[],
  keep: boolean,
): Plan {
  const { stream } = context;
  const { text } = stream;
  const own = lineStart(text, start);
  if (!isBlank(text, own, start))
    throw noPlace(located, 'Comment on what contains it, or use place "line_end" if nothing follows it');
  const head = headStart(stream, start);
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
  if (line === undefined) {
    if (old === undefined) return NO_EDITS;
    return planOf(
      context,
      located,
      { start: skipBlanksBack(text, old.start, anchor), end: old.end, insert: '' },
      '',
    );
  }
  if (old !== undefined)
    return planOf(context, located, { start: old.start, end: old.end, insert: line }, line);
  const at = skipBlanksBack(text, stop, anchor);
  return planOf(
    context,
    located,
    { start: at, end: stop, insert: gapBeforeComment(stream, at) + line },
    line,
  );
}

/** Behind what the node's comment stands: the value, or the line that a block begins below. */
function endOfLineContent(stream: Stream, located: Located): number {
  const { text } = stream;
  const step = located.steps.at(-1);
  const node: SpanNode = located.node;
  if (isSectional(node)) return headerOfTable(located, node).end;
  const isBlock = isBlockCollection(node);
  if (node.kind === 'scalar' && node.block !== undefined) return node.block.header.end;
  const indicator =
    step?.kind === 'entry' ? (step.part.colon ?? step.part.key.end - 1) + 1 : (step?.part.start ?? 0) + 1;
  const head = node.properties?.end ?? indicator;
  const isBelow = text.slice(head, node.start).includes('\n');
  // What an action of a template writes has its comment behind its key, as a block has.
  if (isBelow && isWritten(node)) return head;
  if (!isBlock) return isOpenOnLine(stream, node) ? node.start + 1 : node.end;
  if (isBelow) return head;
  throw noPlace(located, 'It begins on the line of its first part: comment on that part');
}

/** Whether brackets over several lines have their comment, or room for one, behind the first of them and none behind the last. */
function isOpenOnLine(stream: Stream, node: SpanNode): boolean {
  const { text } = stream;
  if (!isFlowCollection(node) || lineComment(stream, node.end) !== undefined) return false;
  const stop = lineEnd(text, node.start);
  const isEmptyBehind = isBlank(text, node.start + 1, stop);
  return stop < node.end && (isEmptyBehind || lineComment(stream, node.start + 1) !== undefined);
}

/** A table without a header of its own has no place for a comment either. */
function headerOfTable(located: Located, { header }: Pick<MappingNode, 'header'>): Span {
  if (header !== undefined) return header;
  throw noPlace(located, 'It has no header of its own: comment on one of its keys');
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

function noPlace(located: Located, advice: string): Refusal {
  const existingPath = printNodePath(located.path);
  const what = existingPath === '' ? 'the root of a document' : existingPath;
  return new Refusal(
    'TYPE_MISMATCH',
    `Cannot comment on ${what}: there is no place for the comment`,
    {},
    { existingPath, advice: [advice] },
  );
}
