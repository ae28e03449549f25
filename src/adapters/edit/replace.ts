// Replaces a node with another value.
import { type Edit, inOrder } from '../../security/edits/edit.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { breakAt, columnOf, firstFrom, isBlank, lineEnd, skipBlanksBack } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import {
  isBlockCollection,
  isEmpty,
  isFlowCollection,
  isMarked,
  isSectional,
  partsOf,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { addLines } from '../tree/whole-lines.ts';
import { needsBreak } from './block.ts';
import { keepingColumn } from './columns.ts';
import { isUnmarkedNothing } from './documents.ts';
import { isDottedInBraces } from './dotted-braces.ts';
import { tailEnd } from './extent.ts';
import { isOfKind, isSpread, modelFor } from './neighbours.ts';
import { commentBehind, commentOfPiece } from './piece.ts';
import { layOut, type Place, placeOf, type ValueLines } from './place.ts';
import { replaceNode } from './replacement.ts';
import { aliasUnderAnchor, emptyItem, type Source, type Target } from './source.ts';
import type { Value } from './step.ts';
import { replaceDottedValue, replaceTableValue } from './table-value.ts';
import { sourceFor } from './value-text.ts';

export interface Written {
  readonly edits: readonly Edit[];
  readonly source: Source;
  /** The key as it is written. */
  readonly name?: string | undefined;
}

/** Replaces a node with another value. Its anchor stays if the value has none. `isFirst`: the value goes below all that is in the document. */
export function writeReplace(target: Target, at: Located, value: Value, isFirst = false): Written {
  const { stream, document } = target;
  const { text } = stream;
  const { node, steps } = at;
  const step = steps.at(-1);
  if (isSectional(node) || step?.container.style === 'sections') return replaceTableValue(target, at, value);
  if (isDottedInBraces(target, node)) return replaceDottedValue(target, at, value);
  const place = placeOf(target, at);
  const source = sourceFor(
    target,
    value,
    { ...place, isFlow: place.isFlow || wouldTakeComments(stream, at, value) },
    replacedModel(target, at, value),
    isFlowCollection(node) && partsOf(node).length > 0
      ? isSpread(text, node)
      : step === undefined || isSpread(text, step.container),
  );
  const anchor = node.properties?.anchor;
  if (anchor !== undefined && source.node.kind === 'alias') throw aliasUnderAnchor(anchor.name);
  const isNothing = isEmpty(source.node) && source.node.properties === undefined;
  if (step?.kind === 'item' && step.container.style === 'flow' && isNothing) throw emptyItem();
  if (place.isRoot) requireDocument(target, source);
  if (isFirst || (node === document.root && isUnmarkedNothing(text, document)))
    return { edits: firstNode(target, layOut(source, place), source), source };
  const old = oldComment(stream, node, place, source);
  const without = old === undefined ? source : { ...source, behind: '' };
  const edits = replaceNode(text, node, place, without, keptAnchor(text, node, source));
  const comment = place.isFlow ? commentInLine(target, at, source.behind) : [];
  const all = [...edits, ...comment, ...(old === undefined ? [] : [{ ...old, insert: source.behind }])];
  const [first, second] = asOne(text, inOrder(all, text.length));
  const isOne = first !== undefined && second === undefined;
  return { edits: isOne ? [keepingColumn(stream, first)] : all, source };
}

/** Joins the edits on one line, so that a value and its comment are replaced as one change. */
function asOne(text: string, edits: readonly Edit[]): readonly Edit[] {
  const [first] = edits;
  const last = edits.at(-1);
  if (first === undefined || last === undefined || text.slice(first.start, last.end).includes('\n'))
    return edits;
  const between = edits.map(({ end, insert }, at) => insert + text.slice(end, edits[at + 1]?.start ?? end));
  return [{ start: first.start, end: last.end, insert: between.join('') }];
}

/** Returns the node whose style the new value takes: the old value, or a neighbour if that is of another kind. */
function replacedModel({ format }: Target, { node, steps }: Located, value: Value): SpanNode | undefined {
  if (!('json' in value) || typeof value.json !== 'object' || isOfKind(value.json, node)) return node;
  const step = steps.at(-1);
  const beside =
    step && modelFor(value.json, step.container, step.index, (key) => format.isPlainKey(key, true));
  return beside ?? (isFlowCollection(node) ? undefined : node);
}

/** True if comments below, at the same depth, would become text of the new block scalar; it is then written in quotes. */
function wouldTakeComments(stream: Stream, { node, steps }: Located, value: Value): boolean {
  const { text, comments } = stream;
  const part = steps.at(-1)?.part;
  const isOfLines =
    'json' in value
      ? typeof value.json === 'string' && value.json.includes('\n')
      : 'text' in value && /^\s*[|>]/.test(value.text);
  if (!isOfLines) return false;
  if (part !== undefined) return tailEnd(stream, part) > lineEnd(text, part.end);
  const end = lineEnd(text, node.end);
  const next = comments[firstFrom(comments, end)];
  return next !== undefined && text.slice(end, next.start).trim() === '' && columnOf(text, next.start) > 0;
}

/** Throws for null in a document without a `---`, which would no longer be a document. */
function requireDocument({ stream, document }: Target, { node }: Source): void {
  const isLast = document.contentEnd === stream.text.length;
  const keepsAnchor = document.root.properties?.anchor !== undefined;
  if (!isEmpty(node) || node.properties !== undefined || keepsAnchor || isLast) return;
  if (isMarked(stream.text, document)) return;
  throw new Refusal(
    'VALUE_INVALID',
    'Cannot set nothing here: the document would be gone',
    {},
    { advice: ['Write null instead'] },
  );
}

function firstNode({ stream: { text }, document }: Target, layout: ValueLines, source: Source): Edit[] {
  const end = skipBlanksBack(text, document.contentEnd, document.contentStart);
  const lines = [...(layout.head === '' ? [] : layout.head.split('\n')), ...layout.below];
  const insert = addLines(text, end, lines, breakAt(text, end), needsBreak(source));
  // An empty file has no style to follow: it gets a last line break.
  return [/^\uFEFF?$/.test(text) ? { ...insert, insert: `${lines.join('\n')}\n` } : insert];
}

function keptAnchor(text: string, { properties }: SpanNode, { node }: Source): string {
  const anchor = properties?.anchor;
  if (anchor === undefined || node.properties?.anchor !== undefined) return '';
  return text.slice(anchor.start, anchor.end);
}

/** Returns the comment after the old value on its line, if the new value brings one to replace it. */
function oldComment({ text, comments }: Stream, node: SpanNode, { isFlow }: Place, { behind }: Source) {
  const comment = comments[firstFrom(comments, node.end)];
  if (behind === '' || isFlow || comment === undefined || isBlockCollection(node)) return undefined;
  return isBlank(text, node.end, comment.start) ? comment : undefined;
}

/** Writes the comment of a value in brackets at the end of its line. Throws VALUE_INVALID if there is no place for it. */
export function commentInLine({ stream, format }: Target, at: Located, comment: string): readonly Edit[] {
  if (format.comments === undefined || comment === '') return [];
  const { join } = format.comments;
  const { text } = stream;
  const part = at.steps.at(-1)?.part;
  const edit =
    (part && commentOfPiece(stream, part, comment)) ?? commentBehind(stream, at.node.end, comment, join);
  if (edit !== undefined) return [edit];
  const around = at.steps.find(
    ({ container, part: { end } }) =>
      isFlowCollection(container) && !text.slice(container.start, end).includes('\n'),
  )?.container;
  // Brackets that end on a later line have another place for it.
  const behind =
    around === undefined || text.slice(at.node.end, around.end).includes('\n')
      ? undefined
      : commentBehind(stream, around.end, comment, join);
  if (behind !== undefined) return [behind];
  throw new Refusal(
    'VALUE_INVALID',
    'Cannot use this value: there is no place on the line for the comment behind it',
    {},
    { advice: ['Send the value without the comment'] },
  );
}
