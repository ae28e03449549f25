// `delete` removes an entry or item, with the comments that belong to it.

import { type Edit, type NodePath, Refusal } from '../../security/index.ts';
import { bracketPiece } from '../edit/bracket-piece.ts';
import { bracesOf, isDotted, replaceDotted, statementsOf } from '../edit/dotted-keys.ts';
import { type Fragment, lastBlockScalar, parseFragment } from '../edit/fragment.ts';
import { type Plan, type PlanContext, positionOf } from '../edit/intent.ts';
import { commentStartIn, tailEnd, withBlankLines } from '../edit/part-extent.ts';
import { replaceContent } from '../edit/replace-node.ts';
import { type Leaving, withoutPiece } from '../edit/without-piece.ts';
import { writeContextOf } from '../edit/write-context.ts';
import { actionsIn } from '../tree/actions.ts';
import { belowCommentedOut, commentStart } from '../tree/commented-out.ts';
import { firstFrom } from '../tree/first-from.ts';
import { commentsWithin, headStart, isBelowMarker, lineComment, titleStart } from '../tree/head-comment.ts';
import { breakAt, isBlank, lineEnd, lineStart, nextLine, skipBlanks, skipBlanksBack } from '../tree/lines.ts';
import { type Located, locateExisting, type Step } from '../tree/locate.ts';
import {
  type Entry,
  type Item,
  isBlockCollection,
  isSectional,
  partsOf,
  type Span,
  type Stream,
} from '../tree/span-tree.ts';
import { removeLines } from '../tree/whole-lines.ts';
import { planDeleteDocument } from './delete-document.ts';
import type { Given, OperationKind } from './operation.ts';

export const remove = {
  name: 'delete',
  needs: [],
  may: [],
  plan: planDelete,
} as const satisfies OperationKind;

/** Plans it. Throws NODE_NOT_FOUND and the like, and TYPE_MISMATCH for the root of the only document. */
function planDelete(context: PlanContext, path: NodePath, { copied }: Given): Plan {
  const { stream, document } = context;
  const located = locateExisting(document, path, 'delete');
  const step = located.steps.at(-1);
  // The root of one document of several is all of it.
  if (step === undefined && stream.documents.length > 1) return planDeleteDocument(context);
  if (step === undefined) {
    throw new Refusal(
      'TYPE_MISMATCH',
      'Cannot delete the root of a document: set it to another value instead',
      {},
      { existingPath: '' },
    );
  }
  const at = positionOf(context.documentIndex, located.steps.slice(0, -1));
  const intent = { kind: 'remove', at, index: step.index, taken: copied?.given } as const;
  if (isSectional(step.container) && context.format.sections !== undefined)
    return { edits: context.format.sections.remove(stream, located, copied !== undefined), intent };
  const dotted = withoutDotted(context, located, step);
  if (dotted !== undefined) return { edits: dotted, intent };
  const parts = partsOf(step.container);
  const { part } = step;
  const own = isBlockCollection(step.container)
    ? commentStartIn(stream, step.container, step.index)
    : undefined;
  const isMoving = copied !== undefined;
  const leaving = { part, next: parts[step.index + 1], previous: parts[step.index - 1], own, isMoving };
  const without = isBlockCollection(step.container) ? withoutLines : withoutPiece;
  const written = parts.length === 1 ? writtenBeside(context, step.container, part) : undefined;
  if (written !== undefined) {
    const value = { around: [], fragment: written };
    return { edits: without(stream, leaving), intent: { kind: 'replace', at, value, keeps: 'properties' } };
  }
  const edits = parts.length === 1 ? emptied(context, located, step, part) : without(stream, leaving);
  return { edits, intent };
}

/** Removes a part of braces with dotted keys, or of what these make; undefined elsewhere. */
function withoutDotted(context: PlanContext, located: Located, { container, part }: Step) {
  const { text } = context.stream;
  if (!('key' in part)) return undefined;
  const parts = partsOf(container);
  const isPart = isDotted(context, container);
  if (!isPart && !parts.some(({ value }) => isDotted(context, value))) return undefined;
  if (isPart && parts.length === 1)
    return replaceDotted(context, { ...located, steps: located.steps.slice(0, -1) }, '{}');
  return withoutPiece(context.stream, statementsOf(text, bracesOf(located.steps), part));
}

/** Returns what is left of a collection without its only part, where actions of a template write beside it; undefined if nothing is. */
function writtenBeside(
  context: PlanContext,
  { style, around }: Step['container'],
  part: Entry | Item,
): Fragment | undefined {
  const { stream } = context;
  const { text, actions } = stream;
  if (actions === undefined || around === undefined || style !== 'block') return undefined;
  const own = {
    start: startOfLeaving(stream, { part, next: undefined, previous: undefined }),
    end: nextLine(text, lastContent(tailEnd(stream, part), text)),
  };
  const beside = [
    { start: around.start, end: own.start },
    { start: own.end, end: around.end },
  ].filter(({ start, end }) => start < end);
  const writes = beside.some((lines) =>
    actionsIn(actions, lines).some(({ kind, isHidden }) => kind === 'output' && isHidden),
  );
  return writes
    ? parseFragment(beside.map(({ start, end }) => text.slice(start, end)).join(''), context)
    : undefined;
}

/** The last part leaves `{}` or `[]`: nothing at all would be null. */
function emptied(
  context: PlanContext,
  located: Located,
  { container }: Step,
  part: Entry | Item,
): readonly Edit[] {
  const { stream, document } = context;
  const source = container.kind === 'mapping' ? '{}' : '[]';
  if (container.style !== 'block') return withoutOnlyPiece(stream, part, container, source);
  const writeContext = writeContextOf(stream.text, document, {
    ...located,
    node: container,
    steps: located.steps.slice(0, -1),
  });
  const edits = replaceContent(context, container, writeContext, source);
  const comments = commentsOf(stream, part, writeContext.isRoot);
  // Replacing a block below its key removes the comment after its last part already.
  return [
    ...edits.flatMap((edit) => besideCommentedOut(stream, part, edit)),
    ...comments.filter(({ start }) => edits.every((edit) => start < edit.start || start >= edit.end)),
  ];
}

/** Splits an edit, so that commented-out parts above the only part stay below what is written. */
function besideCommentedOut(stream: Stream, part: Entry | Item, edit: Edit): readonly Edit[] {
  const { text } = stream;
  const head = headStart(stream, part.start);
  const below = belowCommentedOut(text, part, head);
  const [from, to] = [head, below].map((at) => at - breakAt(text, at - 1).length);
  if (from === undefined || to === undefined || from >= to || edit.start > from || edit.end < below)
    return [edit];
  return [
    { ...edit, end: from },
    { start: to, end: edit.end, insert: '' },
  ];
}

/** Removes the only part; comments that are not about it stay where they are. */
function withoutOnlyPiece(
  stream: Stream,
  part: Entry | Item,
  container: Span,
  source: string,
): readonly Edit[] {
  const { start, stop } = bracketPiece(stream, part);
  const isAlone = isBlank(stream.text, lineStart(stream.text, start), start);
  const from = isAlone ? commentStart(stream, part, start) : start;
  const isOther = (comment: Span) => comment.start < from || comment.start >= stop;
  const hasOthers = commentsWithin(stream.comments, container.start, container.end).some(isOther);
  if (hasOthers)
    return withoutPiece(stream, { part, next: undefined, previous: undefined, least: container.start + 1 });
  return [{ start: container.start, end: container.end, insert: source }];
}

/** Removes the comments of the only part that replacing the container leaves. */
function commentsOf(stream: Stream, part: Entry | Item, isRoot: boolean): Edit[] {
  const { text } = stream;
  const edits: Edit[] = [];
  const own = lineStart(text, part.start);
  const head = commentStart(stream, part);
  if (isRoot && head < own) edits.push({ start: head, end: own, insert: '' });
  const comment = lineComment(stream, lastContent(part.end, text));
  if (comment !== undefined)
    edits.push({ start: skipBlanksBack(text, comment.start, part.end), end: comment.end, insert: '' });
  const [below, tail] = [lineEnd(text, part.end), tailEnd(stream, part)];
  if (tail > below) edits.push({ start: below, end: tail, insert: '' });
  return edits;
}

function withoutLines(stream: Stream, leaving: Leaving): Edit[] {
  const { text } = stream;
  const { part, next, previous } = leaving;
  const start = startOfLeaving(stream, leaving);
  const end = nextLine(text, lastContent(tailEnd(stream, part), text));
  if (!isBlank(text, lineStart(text, part.start), part.start)) {
    // It shares its line with the indicator of its parent, so the following part moves up to that line.
    const follower = next === undefined ? skipBlanks(text, end) : firstMark(stream, end, next);
    // An action of a template keeps its line, and the dash stands alone.
    if (text[follower] === '{' && follower !== next?.start)
      return [
        {
          start: skipBlanksBack(text, part.start),
          end: lineEnd(text, lastContent(tailEnd(stream, part), text)),
          insert: '',
        },
      ];
    return [{ start: part.start, end: follower, insert: '' }];
  }
  const lines = withBlankLines(stream, { start, end }, { previous, next });
  // The line break before them may be a part of a block scalar.
  const before = previous && lastBlockScalar(previous.value)?.chomp;
  return [before === undefined || before === 'strip' ? removeLines(text, lines) : { ...lines, insert: '' }];
}

/** Returns the start of what is removed: with its comment, and with the title of its section where it is the only part of that. */
function startOfLeaving(stream: Stream, { part, next, previous, own, isMoving }: Leaving): number {
  if (isMoving === true && own !== undefined) return own;
  const isLast = next === undefined || titleStart(stream, next.start) < headStart(stream, next.start);
  const isSection = previous !== undefined && isLast;
  const head = isSection ? titleStart(stream, part.start) : (own ?? headStart(stream, part.start));
  const start = belowCommentedOut(stream.text, part, head);
  // Right below the marker of a document, a comment is about a whole mapping, but about the first item of a
  // list.
  const isOfDocument = previous === undefined && next !== undefined && isBelowMarker(stream.text, start);
  return isOfDocument && 'key' in part ? lineStart(stream.text, part.start) : start;
}

/** The end of the last line of content: a scalar that keeps its line breaks ends after one. */
function lastContent(end: number, text: string): number {
  return end > 0 && text[end - 1] === '\n' ? end - 1 : end;
}

/** The first comment, action or the next part, whatever comes first below `from`. */
function firstMark(stream: Stream, from: number, next: Entry | Item): number {
  const { comments, actions = [] } = stream;
  const comment = comments[firstFrom(comments, from)];
  const action = actions[firstFrom(actions, from)];
  return Math.min(comment?.start ?? next.start, action?.start ?? next.start, next.start);
}
