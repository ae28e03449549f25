// Finds the header comment of a file or of a later document: it ends at the first blank line, which keeps it apart from the
// comment of the first key.
import type { Edit } from '../../security/index.ts';
import { commentsWithin, headStart } from '../tree/head-comment.ts';
import { breakAt, lineStart, nextLine, skipBlankLines } from '../tree/lines.ts';
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

/** The whole lines of the header, from its first comment to its last. Where there is none, both offsets say where its first line would go. */
export interface Header {
  readonly start: number;
  readonly end: number;
  /** Whether a blank line must follow: without it, the header above several lines of content would be the comment of the first of them. */
  readonly needsBlank: boolean;
}

/** Returns undefined for a later document that has no line above its content. */
export function headerOf(stream: Stream, document: DocumentSpans, isFirst: boolean): Header | undefined {
  const { text } = stream;
  const marker = markerLine(text, document);
  const content = startOfContent(stream, document);
  // A comment above brackets is the header, and not the comment of their first part.
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

/** The header in these lines; none takes it away, with the blank lines behind it. */
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

/** Returns where the first part begins with its comment; or where the content begins, if its parts have no lines of their own. */
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

/** The first line that is no comment: a directive, or the marker itself. */
function firstMarker(text: string, top: number, marker: number): number {
  for (let at = top; at < marker; at = nextLine(text, at)) if (text[at] === '%') return at;
  return marker;
}
