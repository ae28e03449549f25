// The comments of an edit: every comment outside of what is replaced or removed is in the result, and in it once; so is every
// comment that the new values bring; and no other came.
import { type Intent, nodeAtPosition, type Plan } from '../edit/intent.ts';
import { tailEnd } from '../edit/part-extent.ts';
import { commentLines, linesOfComment } from '../tree/comment-lines.ts';
import { firstFrom } from '../tree/first-from.ts';
import { commentsWithin, lineComment } from '../tree/head-comment.ts';
import { isBlank, lineEnd, lineStart } from '../tree/lines.ts';
import {
  isBlockCollection,
  isCollection,
  isSectional,
  outerStart,
  partsOf,
  type Span,
  type Stream,
} from '../tree/span-tree.ts';
import { differs } from './tree-comparison.ts';

/** How many more of a line the result needs at least, and can have at most, than it has. */
interface Missing {
  least: number;
  most: number;
}

/** Throws VERIFICATION_FAILED for a comment that would be lost, would be there twice, or would come from nowhere. */
export function requireComments(before: Stream, after: Stream, plans: readonly Plan[]): void {
  const missing = new Map<string, Missing>();
  const add = (lines: readonly string[], least: number, most: number): void => {
    for (const line of lines) {
      const count = missing.get(line) ?? { least: 0, most: 0 };
      missing.set(line, { least: count.least + least, most: count.most + most });
    }
  };
  add(commentLines(before.text, before.comments), 1, 1);
  add(commentLines(after.text, after.comments), -1, -1);
  const brought = plans.map((plan) => {
    const { given, taken } = broughtBy(plan);
    add(given, 1, 1);
    if (taken !== undefined) add(taken, -1, -1);
    else add(commentLines(before.text, freeIn(before, plan, given.length > 0)), -1, 0);
    return given;
  });
  const isBringing = brought.some((given) => given.length > 0);
  for (const { least, most } of missing.values()) {
    if (least > 0)
      throw differs(
        isBringing ? 'a comment that comes along has no place there' : 'a comment would be lost',
        ADVICE,
      );
    if (most < 0) throw differs('a comment would be there twice', ADVICE);
  }
}

const ADVICE = {
  advice: [
    'Make the edit without comments, and write them with op "comment"',
    'Or edit the lines as text, with op "replace_text" and no path',
  ],
};

/** Returns the lines that must come, and those that must go if the plan says exactly which. */
function broughtBy({ intent, commentChange }: Plan): {
  readonly given: readonly string[];
  readonly taken?: readonly string[] | undefined;
} {
  if (commentChange !== undefined) return { given: linesOfComment(commentChange.to ?? '') };
  if (intent.kind === 'remove') return { given: [], taken: intent.taken };
  return { given: 'value' in intent ? intent.value.fragment.given : [] };
}

/** Returns the comments that may go: those of what is replaced or removed. */
function freeIn(stream: Stream, { intent, edits, commentChange }: Plan, isBrought: boolean): readonly Span[] {
  const spans = commentChange === undefined ? spansOf(stream, intent, isBrought) : edits;
  const found = spans.flatMap(({ start, end }) => commentsWithin(stream.comments, start, end));
  return [...new Set(found)];
}

/**
 * A part that is removed goes with the comments above and behind it. A value that is replaced goes with those within it, a block
 * and a table also with those around it; the comment behind another value stays, unless the new one brings its own.
 */
function spansOf(stream: Stream, intent: Intent, isBrought: boolean): readonly Span[] {
  const { documents, text } = stream;
  if (intent.kind === 'remove document') {
    const [previous, next] = [documents[intent.index - 1], documents[intent.index + 1]];
    return [{ start: previous?.contentEnd ?? 0, end: next?.contentStart ?? text.length }];
  }
  // What grows loses nothing.
  if (intent.kind !== 'remove' && (intent.kind !== 'replace' || intent.value.around.length > 0)) return [];
  const isRemoved = intent.kind === 'remove';
  const { document, indexes } = intent.at;
  const path = isRemoved ? [...indexes, intent.index] : indexes;
  const container = nodeAtPosition(stream, { document, indexes: path.slice(0, -1) });
  const index = path.at(-1);
  const part =
    container && isCollection(container) && index !== undefined ? partsOf(container)[index] : undefined;
  const value = part?.value ?? documents[document]?.root;
  if (value === undefined) return [];
  const isWhole = isRemoved || isBlockCollection(value) || isSectional(value);
  const isOfLines = isBlockCollection(isRemoved && container ? container : value);
  const header = value.kind === 'scalar' && !isWhole && !isBrought ? value.block?.header : undefined;
  const own = isRemoved && part ? part : { start: outerStart(value), end: value.end };
  const pieces = isSectional(value) ? (value.pieces ?? []) : [own];
  return pieces.map(({ start, end }) => ({
    start: isWhole ? startOfComments(stream, start) : header ? lineEnd(text, header.start) : start,
    end: Math.max(
      isOfLines && part ? tailEnd(stream, part) : end,
      isWhole || isBrought ? (lineComment(stream, end)?.end ?? 0) : 0,
      isRemoved && !isOfLines ? endOfComments(stream, end) : 0,
    ),
  }));
}

/** Returns the end of the comments that follow a part in brackets on its line, before its comma and behind it. */
function endOfComments({ text, comments }: Stream, end: number): number {
  let to = end;
  for (let i = firstFrom(comments, end); ; i++) {
    const comment = comments[i];
    if (comment === undefined || !/^[ \t]*,?[ \t]*$/u.test(text.slice(to, comment.start))) return to;
    to = comment.end;
  }
}

/** Returns the start of the comments that directly precede `start`, without one behind other content. */
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
