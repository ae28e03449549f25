// The comments of an edit: every comment outside of what is replaced or removed is in the result, and in it once; so is every
// comment that the new values bring; and no other came.
import type { Edit } from '../../security/index.ts';
import { type Intent, nodeAtPosition, type Plan } from '../edit/intent.ts';
import { tailEnd } from '../edit/part-extent.ts';
import { commentLines, linesOfComment } from '../tree/comment-lines.ts';
import { firstFrom } from '../tree/first-from.ts';
import { commentsWithin, lineComment } from '../tree/head-comment.ts';
import { isBlank, lineEnd, lineStart } from '../tree/lines.ts';
import {
  type Collection,
  type Entry,
  type Item,
  isBlockCollection,
  isCollection,
  isSectional,
  outerStart,
  partsOf,
  type Span,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { differs } from './tree-comparison.ts';

/** How often a line of a comment is in the old text and in the new one, and how often it may go, must come and must go. */
interface Count {
  old: number;
  now: number;
  free: number;
  given: number;
  taken: number;
}

/** Throws VERIFICATION_FAILED for a comment that would be lost, would be there twice, or would come from nowhere. */
export function requireComments(before: Stream, after: Stream, plans: readonly Plan[]): void {
  const counts = new Map<string, Count>();
  const add = (lines: readonly string[], what: keyof Count): void => {
    for (const line of lines) {
      const count = counts.get(line) ?? { old: 0, now: 0, free: 0, given: 0, taken: 0 };
      count[what] += 1;
      counts.set(line, count);
    }
  };
  const edits = plans.flatMap((plan) => plan.edits);
  const [old, now] = differing(before, after, edits);
  add(commentLines(before.text, old), 'old');
  add(commentLines(after.text, now), 'now');
  for (const plan of plans) {
    const { given, taken } = broughtBy(plan);
    add(given, 'given');
    add(taken ?? [], 'taken');
    add(taken ?? commentLines(before.text, freeIn(before, plan, given.length > 0)), 'free');
  }
  for (const { old, now, free, given, taken } of counts.values()) {
    if (now < old - free + given)
      throw differs(
        given > 0 ? 'a comment that comes along has no place there' : 'a comment would be lost',
        ADVICE,
      );
    if (now > old - taken + given) throw differs('a comment would be there twice', ADVICE);
  }
}

const ADVICE = {
  advice: [
    'Make the edit without comments, and write them with op "comment"',
    'Or edit the lines as text, with op "replace_text" and no path',
  ],
};

/** Returns the comments of both texts without those before the first edit and behind the last one, where both are alike. */
function differing(
  before: Stream,
  after: Stream,
  edits: readonly Edit[],
): readonly [readonly Span[], readonly Span[]] {
  const [old, now] = [before.comments, after.comments];
  const shift = after.text.length - before.text.length;
  const from = edits.reduce((least, { start }) => Math.min(least, start), before.text.length);
  const to = edits.reduce((most, { end }) => Math.max(most, end), 0);
  const isSame = (a: Span | undefined, b: Span | undefined, by: number) =>
    a !== undefined && b !== undefined && a.start + by === b.start && a.end + by === b.end;
  let first = 0;
  while (isSame(old[first], now[first], 0) && (old[first]?.end ?? from) < from) first += 1;
  let last = 0;
  while (
    last < Math.min(old.length, now.length) - first &&
    isSame(old.at(-1 - last), now.at(-1 - last), shift) &&
    (old.at(-1 - last)?.start ?? to) > to
  )
    last += 1;
  return [old.slice(first, old.length - last), now.slice(first, now.length - last)];
}

/** Returns the lines that must come, and those that must go where the plan says exactly which. */
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

function spansOf(stream: Stream, intent: Intent, isBrought: boolean): readonly Span[] {
  const { documents, text } = stream;
  switch (intent.kind) {
    case 'remove document': {
      const [previous, next] = [documents[intent.index - 1], documents[intent.index + 1]];
      return [{ start: previous?.contentEnd ?? 0, end: next?.contentStart ?? text.length }];
    }
    case 'remove': {
      const container = collectionAt(stream, intent);
      const part = container && partsOf(container)[intent.index];
      return part === undefined || container === undefined
        ? []
        : spansOfPart(stream, part, isBlockCollection(container));
    }
    case 'replace': {
      const node = nodeAtPosition(stream, intent.at);
      // What grows loses nothing.
      if (node === undefined || intent.value.around.length > 0) return [];
      const [index] = intent.at.indexes.slice(-1);
      const container = collectionAt(stream, {
        at: { ...intent.at, indexes: intent.at.indexes.slice(0, -1) },
      });
      const part = index === undefined || container === undefined ? undefined : partsOf(container)[index];
      return spansOfValue(stream, node, part, isBrought);
    }
    default:
      return [];
  }
}

function collectionAt(
  stream: Stream,
  { at }: Pick<Extract<Intent, { kind: 'remove' }>, 'at'>,
): Collection | undefined {
  const node = nodeAtPosition(stream, at);
  return node !== undefined && isCollection(node) ? node : undefined;
}

/** The part with the comments above it, behind it, and below it where they stand deeper. */
function spansOfPart(stream: Stream, part: Entry | Item, isOfBlock: boolean): readonly Span[] {
  return piecesOf(part.value, part).map(({ start, end }) => ({
    start: startOfComments(stream, start),
    end: Math.max(isOfBlock ? tailEnd(stream, part) : end, lineComment(stream, end)?.end ?? end),
  }));
}

function piecesOf(node: SpanNode, own: Span): readonly Span[] {
  return isSectional(node) ? (node.pieces ?? []) : [own];
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

/** The comments within the value; that behind it stays, unless the new value brings one, or a block ends there. */
function spansOfValue(
  stream: Stream,
  node: SpanNode,
  part: Entry | Item | undefined,
  isBrought: boolean,
): readonly Span[] {
  const { text } = stream;
  const isOfLines = isBlockCollection(node);
  const behind = isBrought || isOfLines ? lineComment(stream, node.end)?.end : undefined;
  const below = isOfLines && part !== undefined ? tailEnd(stream, part) : node.end;
  const start = isOfLines ? startOfComments(stream, outerStart(node)) : outerStart(node);
  const end = Math.max(below, behind ?? 0);
  const header =
    node.kind === 'scalar' && node.block !== undefined && !isBrought
      ? lineEnd(text, node.block.header.start)
      : start;
  if (!isSectional(node)) return [{ start: Math.max(start, header), end }];
  return (node.pieces ?? []).map((piece) => ({
    start: startOfComments(stream, piece.start),
    end: lineComment(stream, piece.end)?.end ?? piece.end,
  }));
}
