// Adds and removes whole documents of a file, with their markers. The header comment of a file, or of a later document, ends at the
// first blank line, which separates it from the comment of the first key.
import type { Edit } from '../../security/edits/edit.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { commentsWithin, headStart } from '../tree/comments.ts';
import type { Format } from '../tree/format.ts';
import { breakAt, isBlank, lineEnd, lineStart, nextLine, skipBlankLines } from '../tree/lines.ts';
import { locate } from '../tree/locate.ts';
import {
  type DocumentSpans,
  isEmpty,
  isFlowCollection,
  isMarked,
  outerStart,
  partsOf,
  type Stream,
  standsOnLines,
} from '../tree/span-tree.ts';
import { insertLines, removeLines } from '../tree/whole-lines.ts';
import { strippedHeader } from './block.ts';
import { layOut, placeOf } from './place.ts';
import { lastScalar, type Source, type Target } from './source.ts';
import type { Value } from './step.ts';
import { sourceFor } from './value-text.ts';

/** Returns the edits that add the document, and its content. */
export function addDocument(
  target: Target,
  { index, value }: { readonly index: number; readonly value: Value },
): { readonly edits: readonly Edit[]; readonly source: Source } {
  const { stream } = target;
  const { documents, text } = stream;
  const beside = documents[index] ?? documents[index - 1] ?? target.document;
  const place = placeOf({ ...target, document: beside }, locate(beside, []));
  const source = sourceFor({ ...target, document: beside }, value, place, undefined, undefined);
  const { head, below } = layOut(source, { ...place, isFlow: false });
  const lines = [...(head === '' ? [] : head.split('\n')), ...below];
  if (index < documents.length) return { edits: [insertBefore(stream, beside, index, lines)], source };
  const block = lastScalar(source.node);
  const needsBreak = block !== undefined && block.chomp !== 'strip';
  return {
    edits: [
      ...strippedHeader(text, beside.root, text.length),
      insertLines(text, text.length, ['---', ...lines], needsBreak),
    ],
    source,
  };
}

/** Inserts lines before a document: above its marker, or below the header of the file if it is the first and has no marker. */
function insertBefore(
  stream: Stream,
  document: DocumentSpans,
  index: number,
  lines: readonly string[],
): Edit {
  const { text } = stream;
  const hasMarker = isMarked(text, document);
  const header = headerOf(stream, document, index === 0);
  const start = hasMarker ? lineStart(text, document.contentStart) : skipBlankLines(text, header?.end ?? 0);
  const all = hasMarker || lines.length === 0 ? ['---', ...lines] : lines;
  return insertLines(text, start, [...all, ...(hasMarker ? [] : ['---'])]);
}

/** Returns the edits that remove the document with its marker and its comments. The header of the file stays. */
export function removeDocument({ stream, doc }: Target): readonly Edit[] {
  return doc === 0 ? withoutFirst(stream, stream.documents) : withoutLater(stream, doc);
}

/** Throws UNSUPPORTED_FORMAT for a format whose files have one document each. */
export function requireDocuments({ hasDocuments, name }: Format, action: string): void {
  if (hasDocuments) return;
  throw new Refusal(
    'UNSUPPORTED_FORMAT',
    `Cannot ${action} this file: ${name} has one document in each file`,
  );
}

/** The next document becomes the first, with a marker only if the first one had one. */
function withoutFirst(stream: Stream, [first, second]: readonly DocumentSpans[]): Edit[] {
  const { text } = stream;
  if (first === undefined || second === undefined) throw new Error('there are two documents at least');
  const header = headerOf(stream, first, true);
  const hasMarker = isMarked(text, first);
  const start = hasMarker ? lineStart(text, first.contentStart) : skipBlankLines(text, header?.end ?? 0);
  const next = beginOf(text, first, second);
  const hasOnlyMarker = next === lineStart(text, second.contentStart) && isBareMarker(text, second);
  return [
    { start, end: !hasMarker && hasOnlyMarker ? nextLine(text, second.contentStart) : next, insert: '' },
  ];
}

function withoutLater({ text, documents }: Stream, index: number): Edit[] {
  const [previous, document, next] = [documents[index - 1], documents[index], documents[index + 1]];
  if (previous === undefined || document === undefined) throw new Error('the chosen document exists');
  const start = beginOf(text, previous, document);
  if (next !== undefined) return [{ start, end: beginOf(text, document, next), insert: '' }];
  return [removeLines(text, { start, end: text.length })];
}

/** Returns the line of the document's marker, or of the first directive above it. */
function beginOf(text: string, previous: DocumentSpans, { contentStart }: DocumentSpans): number {
  const marker = lineStart(text, contentStart);
  for (let at = previous.contentEnd; at < marker; at = nextLine(text, at)) if (text[at] === '%') return at;
  return marker;
}

function isBareMarker(text: string, { contentStart }: DocumentSpans): boolean {
  return isBlank(text, contentStart, lineEnd(text, contentStart));
}

/** The whole lines of the header. Without one, both offsets are where its first line would go. */
interface Header {
  readonly start: number;
  readonly end: number;
  /** True if a blank line must follow, without which the header would be the comment of the first part. */
  readonly needsBlank: boolean;
}

/** Returns the header; undefined for a later document without a line above its content. */
export function headerOf(stream: Stream, document: DocumentSpans, isFirst: boolean): Header | undefined {
  const { text } = stream;
  const marker = markerLine(text, document);
  const content = startOfContent(stream, document);
  // A comment above brackets is the header, not the comment of their first part.
  const needsBlank = !isFlowCollection(document.root) || document.root.properties !== undefined;
  const below =
    marker === undefined ? undefined : within(stream, nextLine(text, marker), content, needsBlank);
  if (!isFirst) return below;
  const top = text.startsWith('\uFEFF') ? 1 : 0;
  if (marker === undefined) return within(stream, top, content, needsBlank);
  const above = within(stream, top, firstMarker(text, top, marker), false);
  const isBelow = below !== undefined && below.start < below.end;
  return isBelow && above?.start === above?.end ? below : above;
}

/** Replaces the header with these lines; without lines it is removed, with the blank lines after it. */
export function headerEdit(
  { text }: Stream,
  { start, end, needsBlank }: Header,
  lines: readonly string[],
): Edit {
  const lineBreak = breakAt(text, start);
  const blank = skipBlankLines(text, end);
  if (lines.length === 0) return { start, end: start === end ? end : blank, insert: '' };
  const isLast = blank === text.length;
  const before = start > 0 && !/[\n\uFEFF]/.test(text.charAt(start - 1)) ? lineBreak : '';
  const isCutOff = before !== '' || (isLast && start < end && text[end - 1] !== '\n');
  const separator = needsBlank && !isLast && blank === end ? lineBreak : '';
  return { start, end, insert: before + lines.join(lineBreak) + (isCutOff ? '' : lineBreak) + separator };
}

function within(stream: Stream, from: number, to: number, needsBlank: boolean): Header | undefined {
  if (to < from) return undefined;
  const { text, comments } = stream;
  const all = commentsWithin(comments, from, to);
  const [first] = all;
  if (first === undefined) return { start: from, end: from, needsBlank };
  let end = nextLine(text, first.end);
  for (const { start, end: stop } of all.slice(1)) {
    if (lineStart(text, start) !== end) break;
    end = nextLine(text, stop);
  }
  return { start: lineStart(text, first.start), end, needsBlank };
}

/** Returns where the first part begins, with its comment, or where content without lines of its own begins. */
function startOfContent(stream: Stream, { root, contentEnd }: DocumentSpans): number {
  const first = standsOnLines(root) && root.properties === undefined ? partsOf(root)[0] : undefined;
  if (first !== undefined) return headStart(stream, first.start);
  const start = outerStart(root);
  return root.start === root.end ? contentEnd : lineStart(stream.text, start);
}

/** True if the document has neither a node nor a `---`. */
export function isUnmarkedNothing(text: string, document: DocumentSpans): boolean {
  const { root } = document;
  return isEmpty(root) && root.properties === undefined && !isMarked(text, document);
}

/** The line of the document's `---`. */
function markerLine(text: string, document: DocumentSpans): number | undefined {
  return isMarked(text, document) ? lineStart(text, document.contentStart) : undefined;
}

/** Returns the first line that is not a comment: a directive, or the marker itself. */
function firstMarker(text: string, top: number, marker: number): number {
  for (let at = top; at < marker; at = nextLine(text, at)) if (text[at] === '%') return at;
  return marker;
}
