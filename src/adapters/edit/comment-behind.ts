// The comment of a part within brackets on one line: it has the place of these brackets, at the end of their line.
import { type Edit, Refusal } from '../../security/index.ts';
import type { CommentSyntax } from '../tree/format.ts';
import { lineComment } from '../tree/head-comment.ts';
import { isBlank, lineEnd, skipBlanksBack } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import { type Stream, standsOnLines } from '../tree/span-tree.ts';
import { commentAtLineEnd } from './bracket-piece.ts';
import { gapBeforeComment } from './comment-column.ts';
import type { PlanContext } from './intent.ts';

/** Returns the edit that puts the comment of a new value within brackets at the end of its line. Throws VALUE_INVALID. */
export function commentOfValue(
  { stream, format }: PlanContext,
  located: Located,
  comment: string,
): readonly Edit[] {
  const part = located.steps.at(-1)?.part;
  if (format.comments === undefined || comment === '') return [];
  const edit =
    (part && commentAtLineEnd(stream, part, comment)) ??
    commentBehind(stream, located, comment, format.comments);
  if (edit !== undefined) return [edit];
  throw new Refusal(
    'VALUE_INVALID',
    'Cannot use this value: there is no place on the line for the comment behind it',
    {},
    { advice: ['Send the value without the comment'] },
  );
}

/** Returns what is around the brackets of the node on its line, with the path of the node; undefined if there are none. */
export function aroundOnLine({ text }: Stream, located: Located): Located | undefined {
  let around: Located | undefined;
  for (let depth = located.steps.length; depth > 1; depth--) {
    const step = located.steps[depth - 1];
    if (step === undefined) break;
    const { container, part } = step;
    const { start } = container;
    if (standsOnLines(container) || text.slice(start, part.end).includes('\n')) break;
    around = { ...located, node: container, steps: located.steps.slice(0, depth - 1) };
  }
  return around;
}

/**
 * Returns the edit that puts a comment at the end of the line on which the node ends, behind one that is there; undefined if other
 * content follows, also behind the brackets around it.
 */
function commentBehind(
  stream: Stream,
  located: Located,
  comment: string,
  { join }: CommentSyntax,
): Edit | undefined {
  const { text } = stream;
  for (const { node } of [located, aroundOnLine(stream, located) ?? located]) {
    // Brackets that end on a later line are another place.
    if (text.slice(located.node.end, node.end).includes('\n')) continue;
    const old = lineComment(stream, node.end);
    const stop = lineEnd(text, node.end);
    if (old !== undefined && isBlank(text, old.end, stop))
      return { start: old.start, end: old.end, insert: join(text.slice(old.start, old.end), comment) };
    const at = skipBlanksBack(text, stop, node.end);
    if (old === undefined && /^[ \t]*,?$/.test(text.slice(node.end, at)))
      return { start: at, end: stop, insert: gapBeforeComment(stream, at) + comment };
  }
  return undefined;
}
