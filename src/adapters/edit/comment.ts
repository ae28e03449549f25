// Comments above a part, at the end of its line, or at the top of a file.
import type { Edit } from '../../security/edits/edit.ts';
import { Refusal, unlessRefused } from '../../security/errors/refusal.ts';
import { printNodePath } from '../../security/node-paths/node-path.ts';
import { commentStart, commentsWithin, lineComment } from '../tree/comments.ts';
import type { CommentSyntax } from '../tree/format.ts';
import { breakAt, isBlank, lineEnd, lineStart, skipBlanksBack, withoutEnd } from '../tree/lines.ts';
import type { Located, PathStep } from '../tree/locate.ts';
import {
  type Collection,
  isBlockCollection,
  isFlowCollection,
  isSectional,
  isWritten,
  type Span,
  type SpanNode,
  type Stream,
  standsOnLines,
} from '../tree/span-tree.ts';
import { gapBefore } from './columns.ts';
import { headerEdit, headerOf } from './documents.ts';
import { pieceOf } from './piece.ts';
import type { Target } from './source.ts';
import type { CommentStep } from './step.ts';
import { placeOfTable } from './tables.ts';

/** Returns the edit; undefined if the comment is there already. Throws VALUE_INVALID, and TYPE_MISMATCH if there is no place for it. */
export function writeComment(target: Target, at: Located, step: CommentStep): Edit | undefined {
  const { stream, format } = target;
  const syntax = syntaxOf(target);
  format.requireData?.(step.comment, stream.text);
  const words = linesOf(step.comment);
  if (at.steps.length === 0) return writeHeader(target, at, syntax.write(words, stream, false), step);
  if (step.place === 'line_end' && words.length > 1)
    throw invalid('a comment at the end of a line is one line; use place "before" for more');
  // All parts of an inline table share the end of its line, so a comment that is there stays.
  const around = words.length > 0 && format.layout === 'sections' ? aroundOnLine(stream, at) : undefined;
  const write = (one: Located, keep: boolean) =>
    step.place === 'before'
      ? writeAbove(stream, one, syntax.write(words, stream, false), keep)
      : writeAtEnd(stream, syntax, one, words, keep);
  if (around === undefined) return write(at, step.keep);
  const own = unlessRefused(() => ({ edit: write(at, step.keep) }), ['TYPE_MISMATCH']);
  return own === undefined ? write(around, true) : own.edit;
}

/** Returns the syntax of comments. Throws VALUE_INVALID for a format without comments. */
function syntaxOf({ format: { comments, name } }: Target): CommentSyntax {
  if (comments !== undefined) return comments;
  throw invalid(
    `${name} has no comments, and the tools that read this file may refuse one`,
    'Say it in "reason" of the edit, or in the value of a key that the tools ignore. Where they do take comments, have a person write the first one: then the file is edited as JSON with comments',
  );
}

/** Returns the lines of a comment as it was sent. Throws VALUE_INVALID. */
export function linesOf(comment: string): string[] {
  // A line break of any kind or a control character could end the comment and begin content.
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(comment.replaceAll(/\r?\n|\t/g, '')) || !comment.isWellFormed())
    throw invalid('it holds a control character');
  if (comment.trim() === '') return [];
  return withoutEnd(comment.replaceAll('\r\n', '\n'), '\n')
    .split('\n')
    .map((line) => line.trimEnd());
}

function invalid(reason: string, advice = 'Send plain text; "" removes the comment'): Refusal {
  return new Refusal('VALUE_INVALID', `Cannot write this comment: ${reason}`, {}, { advice: [advice] });
}

/** Returns the lines of a text of comments, without indentation and blank lines. */
export function wordsOf(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

function writeHeader(
  { stream, document, doc }: Target,
  at: Located,
  lines: readonly string[],
  { place, keep }: CommentStep,
): Edit | undefined {
  if (place !== 'before') throw noPlace(at, 'Comment on one of its keys, or use place "before" for a header');
  const header = headerOf(stream, document, doc === 0);
  if (header === undefined) throw noPlace(at, 'Its content begins on the line of its marker');
  if (!keep) return headerEdit(stream, header, lines);
  const added = missingLines(stream, header, lines);
  return added.length === 0 ? undefined : headerEdit(stream, { ...header, start: header.end }, added);
}

/** Returns the lines that the existing comment does not have yet. */
function missingLines({ text }: Stream, { start, end }: Span, lines: readonly string[]): readonly string[] {
  const old = wordsOf(text.slice(start, end)).split('\n');
  return lines.filter((line) => !old.includes(line));
}

function writeAbove(stream: Stream, at: Located, given: readonly string[], keep: boolean): Edit {
  const { text } = stream;
  const start = startOfLine(stream, at);
  const own = lineStart(text, start);
  if (!isBlank(text, own, start))
    throw noPlace(at, 'Comment on what contains it, or use place "line_end" if nothing follows it');
  const { start: head } = commentAbove(stream, at);
  const lines = keep ? missingLines(stream, { start: head, end: own }, given) : given;
  const indent = text.slice(own, start);
  const insert = lines.map((line) => indent + line + breakAt(text, start)).join('');
  return { start: keep ? own : head, end: own, insert };
}

/** Returns the lines of the comment above the node, without commented-out parts. */
export function commentAbove(stream: Stream, at: Located): Span {
  const start = startOfLine(stream, at);
  const part = at.steps.at(-1)?.part;
  // For a node on the line of its dash, the comment is above the item.
  const isItem = part === undefined || !('key' in part) || /^-\s/u.test(stream.text.slice(start, start + 2));
  const place = isItem ? { start } : { start, key: part.key, name: part.name };
  return { start: commentStart(stream, place), end: lineStart(stream.text, start) };
}

/** Returns where the content of the line of a node begins: after the dashes on that line. */
function startOfLine(stream: Stream, at: Located): number {
  const { text } = stream;
  const { node, steps } = at;
  if (isSectional(node)) return headerOfTable(at).start;
  const last = steps.at(-1);
  if (last !== undefined && !standsOnLines(last.container)) return pieceOf(stream, last.part).start;
  const start = last?.part.start ?? 0;
  const isBehindDashes = /^[ \t]*(?:- +)+$/.test(text.slice(lineStart(text, start), start));
  const sharing = steps.findLast(({ part }) => isBlank(text, lineStart(text, part.start), part.start));
  return isBehindDashes && sharing !== undefined ? sharing.part.start : start;
}

/** Returns the header of a table. Throws for one without, which has no place for a comment. */
function headerOfTable(at: Located): Span {
  const place = placeOfTable(at);
  if (place !== undefined) return place;
  throw noPlace(at, 'It has no header of its own: comment on one of its keys');
}

function writeAtEnd(
  stream: Stream,
  syntax: CommentSyntax,
  at: Located,
  words: readonly string[],
  keep: boolean,
): Edit | undefined {
  const { text } = stream;
  const anchor = endOfContent(stream, at);
  const stop = lineEnd(text, anchor);
  const old = oldAtEnd(stream, at, anchor);
  const isWithinLine = old !== undefined && !isBlank(text, old.end, lineEnd(text, old.end));
  const [added] = syntax.write(words, stream, isWithinLine);
  if (old === undefined && !/^[ \t]*,?[ \t]*$/.test(text.slice(anchor, stop)))
    throw noPlace(at, 'Other content follows on its line: comment on what contains it');
  if (old === undefined) {
    const start = skipBlanksBack(text, stop, anchor);
    return added === undefined ? undefined : { start, end: stop, insert: gapBefore(stream, start) + added };
  }
  if (added === undefined)
    return { start: skipBlanksBack(text, old.start, anchor), end: old.end, insert: '' };
  return { ...old, insert: keep ? syntax.join(text.slice(old.start, old.end), words[0] ?? '') : added };
}

/** Returns the comment at the end of a node's line; undefined if there is none, or no place for one. */
export function commentAtEnd(stream: Stream, at: Located): Span | undefined {
  const anchor = unlessRefused(() => endOfContent(stream, at));
  return anchor === undefined ? undefined : oldAtEnd(stream, at, anchor);
}

function oldAtEnd(stream: Stream, { node, steps }: Located, anchor: number): Span | undefined {
  const last = steps.at(-1);
  if (last === undefined || standsOnLines(last.container) || anchor !== node.end)
    return lineComment(stream, anchor);
  return commentsWithin(stream.comments, anchor, pieceOf(stream, last.part).stop).at(-1);
}

/** Returns the offset before the comment at the end of a line: the end of the value, or of the line above a block. */
function endOfContent(stream: Stream, at: Located): number {
  const { text } = stream;
  const { node, steps } = at;
  const step = steps.at(-1);
  if (isSectional(node)) return headerOfTable(at).end;
  if (node.kind === 'scalar' && node.block !== undefined) return node.block.header.end;
  const mark =
    step?.kind === 'entry' ? (step.part.colon ?? step.part.key.end - 1) + 1 : (step?.part.start ?? 0) + 1;
  const head = node.properties?.end ?? mark;
  const isBelow = text.slice(head, node.start).includes('\n');
  // If an action writes the value, the comment is after the key, as for a block.
  if (isBelow && isWritten(node)) return head;
  if (!isBlockCollection(node)) return isOpenOnLine(stream, node) ? node.start + 1 : node.end;
  if (isBelow) return head;
  // It begins on the line of its first part, so both have the same comment.
  const first = firstStep(node);
  return endOfContent(stream, { ...at, node: first.part.value, steps: [...steps, first] });
}

function firstStep(container: Collection): PathStep {
  if (container.kind === 'mapping') {
    const [part] = container.entries;
    if (part !== undefined) return { kind: 'entry', container, part, index: 0 };
  } else {
    const [part] = container.items;
    if (part !== undefined) return { kind: 'item', container, part, index: 0 };
  }
  throw new Error('a block has a part');
}

/** True if the comment of brackets on several lines, or the place for one, is after the opening bracket. */
function isOpenOnLine(stream: Stream, node: SpanNode): boolean {
  const { text } = stream;
  if (!isFlowCollection(node) || lineComment(stream, node.end) !== undefined) return false;
  const stop = lineEnd(text, node.start);
  const isEmptyBehind = isBlank(text, node.start + 1, stop);
  return stop < node.end && (isEmptyBehind || lineComment(stream, node.start + 1) !== undefined);
}

/** Returns the brackets around the node on its line; undefined if there are none. */
function aroundOnLine({ text }: Stream, at: Located): Located | undefined {
  let around: Located | undefined;
  for (let depth = at.steps.length; depth > 1; depth--) {
    const step = at.steps[depth - 1];
    if (step === undefined) break;
    const { container, part } = step;
    const { start } = container;
    if (standsOnLines(container) || text.slice(start, part.end).includes('\n')) break;
    around = { ...at, node: container, steps: at.steps.slice(0, depth - 1) };
  }
  return around;
}

function noPlace({ path }: Located, advice: string): Refusal {
  const existingPath = printNodePath(path);
  const what = existingPath === '' ? 'the root of a document' : existingPath;
  return new Refusal(
    'TYPE_MISMATCH',
    `Cannot comment on ${what}: there is no place for the comment`,
    {},
    { existingPath, advice: [advice] },
  );
}
