// `delete_document` removes one document of several, with its marker and its comments. The header of the file stays.
import { type Edit, Refusal } from '../../security/index.ts';
import { headerOf } from '../edit/file-header.ts';
import type { Plan, PlanContext } from '../edit/intent.ts';
import type { Format } from '../tree/format.ts';
import { isBlank, lineEnd, lineStart, nextLine, skipBlankLines } from '../tree/lines.ts';
import { type DocumentSpans, isMarked, type Stream } from '../tree/span-tree.ts';
import { removeLines } from '../tree/whole-lines.ts';
import type { OperationKind } from './operation.ts';

export const deleteDocument = {
  name: 'delete_document',
  needs: [],
  may: [],
  takesPath: false,
  plan: planDeleteDocument,
} as const satisfies OperationKind;

/** Plans it. Throws TYPE_MISMATCH for the only document of a file. */
export function planDeleteDocument({ stream, documentIndex, format }: PlanContext): Plan {
  requireDocuments(format, 'delete a document of');
  const { documents } = stream;
  if (documents.length === 1)
    throw new Refusal(
      'TYPE_MISMATCH',
      'Cannot delete this document: it is the only one of its file',
      {},
      { advice: ['Use op "delete_file" to delete the file, or "delete" for its keys'] },
    );
  const edits = documentIndex === 0 ? withoutFirst(stream, documents) : withoutLater(stream, documentIndex);
  return { edits, intent: { kind: 'remove document', index: documentIndex } };
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
