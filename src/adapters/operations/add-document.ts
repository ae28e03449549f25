// `add_document` adds a new document to a file, after a marker of its own; at the end where no index is given.
import { Refusal } from '../../security/index.ts';
import { headerOf, isUnmarkedNothing } from '../edit/file-header.ts';
import { needsBreak, strippedHeader } from '../edit/insert-part.ts';
import type { Plan, PlanContext } from '../edit/intent.ts';
import { wholeLines } from '../edit/lay-out.ts';
import { type NewValue, readValue } from '../edit/read-value.ts';
import { writeContextOf } from '../edit/write-context.ts';
import { lineStart, skipBlankLines } from '../tree/lines.ts';
import { locate } from '../tree/locate.ts';
import { type DocumentSpans, isMarked, type Stream } from '../tree/span-tree.ts';
import { insertLines } from '../tree/whole-lines.ts';
import { counted } from '../tree/wording.ts';
import { requireDocuments } from './delete-document.ts';
import { A_VALUE, type Arguments, newValue, type OperationKind } from './operation.ts';
import { set } from './set.ts';

export const addDocument = {
  name: 'add_document',
  needs: [A_VALUE],
  may: ['index'],
  takesPath: false,
  isOfFile: () => true,
  plan: (context, _path, given) => planAddDocument(context, given),
} as const satisfies OperationKind;

/** A file that holds nothing gets its first one, without a marker. Throws NODE_NOT_FOUND for an index beyond the end. */
function planAddDocument(context: PlanContext, { index, ...given }: Arguments): Plan {
  const { stream, format } = context;
  requireDocuments(format, 'add a document to');
  const { documents, text } = stream;
  const [first, second] = documents;
  const isNothing = second === undefined && first !== undefined && isUnmarkedNothing(text, first);
  const count = isNothing ? 0 : documents.length;
  const at = index === undefined ? count : index < 0 ? count + index : index;
  if (at < 0 || at > count)
    throw new Refusal(
      'NODE_NOT_FOUND',
      `Cannot add a document at ${index}: the file has ${counted(count, 'document')}`,
    );
  const value = withoutMarker(newValue(given));
  if (isNothing) return set.plan(context, [], 'json' in value ? value : { value: value.source });
  const document = documents[at] ?? documents[at - 1] ?? context.document;
  const writeContext = writeContextOf(text, document, locate(document, []));
  const fragment = readValue(
    { ...context, document: { ...document, tagHandles: new Map() } },
    value,
    writeContext,
  );
  const lines = wholeLines(fragment, { ...writeContext, isFlow: false });
  const edits =
    at === count
      ? [
          ...strippedHeader(text, { value: document.root }, text.length),
          insertLines(text, text.length, ['---', ...lines], needsBreak(fragment)),
        ]
      : [insertBefore(stream, document, at, lines)];
  const intent = { kind: 'add document', index: at, value: { around: [], fragment } } as const;
  return { edits, intent };
}

/** Removes the marker with which models often begin a document. */
function withoutMarker(value: NewValue): NewValue {
  return 'source' in value ? { source: value.source.replace(/^\s*---[ \t]*\r?\n/, '') } : value;
}

/** Returns the edit that puts lines before a document: above its marker, or below the header of the file where it is the first and has none. */
function insertBefore(stream: Stream, document: DocumentSpans, index: number, lines: readonly string[]) {
  const { text } = stream;
  const hasMarker = isMarked(text, document);
  const header = headerOf(stream, document, index === 0);
  const start = hasMarker ? lineStart(text, document.contentStart) : skipBlankLines(text, header?.end ?? 0);
  const all = hasMarker || lines.length === 0 ? ['---', ...lines] : lines;
  return insertLines(text, start, [...all, ...(hasMarker ? [] : ['---'])]);
}
