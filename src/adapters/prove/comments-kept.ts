// No comment is lost or duplicated: the result has exactly the comments outside of what was replaced or removed, and those of new
// values. They are compared by their words, because markers and indentation may change.

import { tailEnd } from '../edit/extent.ts';
import { commentLines, commentsWithin, lineComment } from '../tree/comments.ts';
import { firstFrom, isBlank, lineEnd, lineStart } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import { isBlockCollection, isSectional, outerStart, type Span, type Stream } from '../tree/span-tree.ts';
import { differs } from './expected.ts';

/** What a step does to comments, each given by its words. */
export interface CommentsOfStep {
  /** Those that must be added. */
  readonly given: readonly string[];
  /** Those that must be removed. */
  readonly gone?: readonly string[];
  /** Those that may be removed. */
  readonly free?: readonly string[];
}

/** Throws VERIFICATION_FAILED for a comment that would be lost, duplicated, or made up. */
export function requireComments(before: Stream, after: Stream, steps: readonly CommentsOfStep[]): void {
  const missing = new Map<string, { least: number; most: number }>();
  const add = (words: readonly string[], least: number, most: number): void => {
    for (const word of words) {
      const count = missing.get(word) ?? { least: 0, most: 0 };
      missing.set(word, { least: count.least + least, most: count.most + most });
    }
  };
  const [old, next] = differing(before, after);
  add(commentLines(before.text, old), 1, 1);
  add(commentLines(after.text, next), -1, -1);
  for (const { given, gone = [], free = [] } of steps) {
    add(given, 1, 1);
    add(gone, -1, -1);
    add(free, -1, 0);
  }
  const isBringing = steps.some(({ given }) => given.length > 0);
  for (const { least, most } of missing.values()) {
    if (least > 0)
      throw differs(
        isBringing ? 'a comment that comes along has no place there' : 'a comment would be lost',
        ADVICE,
      );
    if (most < 0) throw differs('a comment would be there twice', ADVICE);
  }
}

/** Returns the comments of both texts without common ones at the beginning and the end. */
function differing(before: Stream, after: Stream): readonly [readonly Span[], readonly Span[]] {
  const [old, next] = [before.comments, after.comments];
  const isSame = (one: Span | undefined, other: Span | undefined) =>
    one !== undefined &&
    other !== undefined &&
    one.end - one.start === other.end - other.start &&
    before.text.slice(one.start, one.end) === after.text.slice(other.start, other.end);
  const most = Math.min(old.length, next.length);
  let [from, to] = [0, 0];
  while (from < most && isSame(old[from], next[from])) from += 1;
  while (to < most - from && isSame(old.at(-1 - to), next.at(-1 - to))) to += 1;
  return [old.slice(from, old.length - to), next.slice(from, next.length - to)];
}

const ADVICE = {
  advice: [
    'Make the edit without comments, and write them with op "comment"',
    'Or edit the lines as text, with op "replace_text" and no path',
  ],
};

/** Returns the words of the comments that the edits replace. */
export function wordsIn({ text, comments }: Stream, spans: readonly Span[]): readonly string[] {
  const found = spans.flatMap(({ start, end }) => commentsWithin(comments, start, end));
  return commentLines(text, [...new Set(found)]);
}

/**
 * Returns the words of the comments that may be removed with a replaced value: those within it, and around it for a block or a
 * table. The comment after any other value stays unless the new value brings one.
 */
export function freeWithValue(
  stream: Stream,
  { node, steps }: Located,
  isBrought: boolean,
): readonly string[] {
  const { text } = stream;
  const isWhole = isBlockCollection(node) || isSectional(node);
  const header = node.kind === 'scalar' && !isBrought ? node.block?.header : undefined;
  const part = steps.at(-1)?.part;
  const pieces = isSectional(node) ? (node.pieces ?? []) : [{ start: outerStart(node), end: node.end }];
  return wordsIn(
    stream,
    pieces.map(({ start, end }) => ({
      start: isWhole ? startOfComments(stream, start) : header ? lineEnd(text, header.start) : start,
      end: Math.max(
        isBlockCollection(node) && part ? tailEnd(stream, part) : end,
        isWhole || isBrought ? (lineComment(stream, end)?.end ?? 0) : 0,
      ),
    })),
  );
}

/** Returns the words of the comments that may be removed with a part: those above it, within it and after it. */
export function freeWithPart(stream: Stream, { steps }: Located): readonly string[] {
  const step = steps.at(-1);
  if (step === undefined) return [];
  const { container, part } = step;
  const isOfLines = isBlockCollection(container);
  const pieces = isSectional(part.value) ? (part.value.pieces ?? []) : [part];
  return wordsIn(
    stream,
    pieces.map(({ start, end }) => ({
      start: startOfComments(stream, start),
      end: Math.max(
        isOfLines ? tailEnd(stream, part) : endOfComments(stream, end),
        end,
        lineComment(stream, end)?.end ?? 0,
      ),
    })),
  );
}

/** Returns the words of the comments of one document of several. */
export function freeWithDocument(stream: Stream, index: number): readonly string[] {
  const [previous, next] = [stream.documents[index - 1], stream.documents[index + 1]];
  return wordsIn(stream, [
    { start: previous?.contentEnd ?? 0, end: next?.contentStart ?? stream.text.length },
  ]);
}

/** Returns the end of the comments that follow a part in brackets on its line, before and after its comma. */
function endOfComments({ text, comments }: Stream, end: number): number {
  let to = end;
  for (let i = firstFrom(comments, end); ; i++) {
    const comment = comments[i];
    if (comment === undefined || !/^[ \t]*,?[ \t]*$/u.test(text.slice(to, comment.start))) return to;
    to = comment.end;
  }
}

/** Returns the start of the comments directly before `start`, without one at the end of a line of content. */
function startOfComments({ text, comments }: Stream, start: number): number {
  let from = start;
  for (let i = firstFrom(comments, start) - 1; ; i--) {
    const comment = comments[i];
    if (comment === undefined || text.slice(comment.end, from).trim() !== '') return from;
    const isAlone = isBlank(text, lineStart(text, comment.start), comment.start);
    if (!isAlone && lineStart(text, comment.start) !== lineStart(text, from)) return from;
    from = comment.start;
  }
}
