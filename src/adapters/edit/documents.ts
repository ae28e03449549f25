// Whole documents of a file: each comes after a marker of its own, and goes with it.
import { type Edit, Refusal } from '../../security/index.ts';
import type { Format } from '../tree/format.ts';
import { isBlank, lineEnd, lineStart, nextLine, skipBlankLines } from '../tree/lines.ts';
import { locate } from '../tree/locate.ts';
import { type DocumentSpans, isMarked, type Stream } from '../tree/span-tree.ts';
import { insertLines, removeLines } from '../tree/whole-lines.ts';
import { strippedHeader } from './block.ts';
import { headerOf } from './header.ts';
import { layOut, placeOf } from './place.ts';
import { lastScalar, type Source, type Target } from './source.ts';
import type { Value } from './step.ts';
import { sourceFor } from './value-text.ts';

/** Returns the new document as edits, and what it holds. */
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

/** Puts lines before a document: above its marker, or below the header of the file where it is the first and has none. */
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

/** Returns the edits that take the document away with its marker and its comments. The header of the file stays. */
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

/** The next one becomes the first, and has a marker only where the first one had. */
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

/** The line of its marker, or of the first directive above it. */
function beginOf(text: string, previous: DocumentSpans, { contentStart }: DocumentSpans): number {
  const marker = lineStart(text, contentStart);
  for (let at = previous.contentEnd; at < marker; at = nextLine(text, at)) if (text[at] === '%') return at;
  return marker;
}

function isBareMarker(text: string, { contentStart }: DocumentSpans): boolean {
  return isBlank(text, contentStart, lineEnd(text, contentStart));
}
