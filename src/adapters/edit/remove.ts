// Removes a part with its comments.
import type { Edit } from '../../security/edits/edit.ts';
import { actionsIn } from '../tree/actions.ts';
import { belowCommentedOut, headStart, lineComment } from '../tree/comments.ts';
import { breakAt, lineEnd, lineStart, nextLine, skipBlanksBack, withoutBreak } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import { partsOf, propertiesText, type Stream } from '../tree/span-tree.ts';
import { removeFromBlock } from './block.ts';
import { removeOnlyPiece, removePiece } from './brackets.ts';
import { isDottedInBraces, removeDotted, replaceDotted } from './dotted-braces.ts';
import { headOf, tailEnd } from './extent.ts';
import type { Part } from './neighbours.ts';
import { placeOf } from './place.ts';
import { replaceNode } from './replacement.ts';
import { invalid, parseSource, type Source, type Target } from './source.ts';
import { removeFromTable } from './table-changes.ts';
import { sourceFor } from './value-text.ts';

/** Removes a part. `isMoving`: only with the comments about it, not with a title. A last one leaves `{}` or `[]`, because nothing would be null. */
export function writeRemove(target: Target, at: Located, isMoving = false): readonly Edit[] {
  const step = at.steps.at(-1);
  if (step === undefined) throw invalid('the root cannot go');
  const { container, index, part } = step;
  const parts = partsOf(container);
  if (container.style === 'sections') return removeFromTable(target.stream, at);
  if (parts.length === 1 && writtenBeside(target, at) === undefined) return emptied(target, at, part);
  if (isDottedInBraces(target, container)) return removeDotted(container, index);
  if (container.style === 'block') return removeFromBlock(target.stream, container, index, isMoving);
  return removePiece(target.stream, part, parts[index - 1], parts[index + 1]);
}

/** Returns what is left of a collection without its only part, if template actions write other parts of it; otherwise undefined. */
export function writtenBeside(target: Target, at: Located): Source | undefined {
  const { stream } = target;
  const { text, actions = [] } = stream;
  const step = at.steps.at(-1);
  if (step === undefined) return undefined;
  const { container, index, part } = step;
  const { around } = container;
  if (container.style !== 'block' || partsOf(container).length > 1 || around === undefined) return undefined;
  const start = headOf(stream, container, index);
  const end = nextLine(text, withoutBreak(text, tailEnd(stream, part)));
  const beside = [
    { start: around.start, end: start },
    { start: end, end: around.end },
  ].filter((lines) => lines.start < lines.end);
  const isWriting = beside.some((lines) =>
    actionsIn(actions, lines).some(({ kind, isHidden }) => kind === 'output' && isHidden),
  );
  if (!isWriting) return undefined;
  return parseSource(beside.map((lines) => text.slice(lines.start, lines.end)).join(''), target);
}

function emptied(target: Target, at: Located, part: Part): readonly Edit[] {
  const { stream } = target;
  const container = at.steps.at(-1)?.container;
  if (container === undefined) throw new Error('a part has a collection');
  const empty = container.kind === 'mapping' ? '{}' : '[]';
  const outer = { ...at, node: container, steps: at.steps.slice(0, -1) };
  if (isDottedInBraces(target, container)) return replaceDotted(outer, empty);
  if (container.style !== 'block') return removeOnlyPiece(stream, container, part, empty);
  const place = placeOf(target, outer);
  const kept = propertiesText(stream.text, container);
  const source = sourceFor(target, { text: empty }, place, undefined);
  const edits = replaceNode(stream.text, container, place, source, kept);
  const comments = commentsOfOnly(stream, part, place.isRoot);
  // Replacing a block below its key already removes the comment after its last part.
  return [
    ...edits.flatMap((edit) => besideCommentedOut(stream, part, edit)),
    ...comments.filter(({ start }) => edits.every((edit) => start < edit.start || start >= edit.end)),
  ].sort((a, b) => a.start - b.start);
}

/** Splits an edit so that commented-out parts above the only part stay, below what is written. */
function besideCommentedOut(stream: Stream, part: Part, edit: Edit): readonly Edit[] {
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

/** Removes the comments of the only part that are left when its collection is replaced. */
function commentsOfOnly(stream: Stream, part: Part, isRoot: boolean): Edit[] {
  const { text } = stream;
  const edits: Edit[] = [];
  const own = lineStart(text, part.start);
  const head = belowCommentedOut(text, part, headStart(stream, part.start));
  if (isRoot && head < own) edits.push({ start: head, end: own, insert: '' });
  const comment = lineComment(stream, withoutBreak(text, part.end));
  if (comment !== undefined)
    edits.push({ start: skipBlanksBack(text, comment.start, part.end), end: comment.end, insert: '' });
  const [below, tail] = [lineEnd(text, part.end), tailEnd(stream, part)];
  if (tail > below) edits.push({ start: below, end: tail, insert: '' });
  return edits;
}
