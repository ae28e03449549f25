// `add_document` adds a document with a marker to a file; `delete_document` removes one of several, with its marker and its comments.
// The header of the file stays.
import { Refusal } from '../../security/errors/refusal.ts';
import { isUnmarkedNothing, requireDocuments } from '../edit/documents.ts';
import type { Target } from '../edit/source.ts';
import type { Step, Value } from '../edit/step.ts';
import type { Format } from '../tree/format.ts';
import type { Stream } from '../tree/span-tree.ts';
import { counted } from '../tree/wording.ts';
import { A_VALUE, type Arguments, type OperationKind, sentValue } from './operation.ts';

export const addDocument = {
  name: 'add_document',
  needs: [A_VALUE],
  may: ['index'],
  takesPath: false,
  isOfFile: () => true,
  steps: (target, _path, given) => addDocumentSteps(target, given),
} as const satisfies OperationKind;

/** The first document of an empty file gets no marker. Throws NODE_NOT_FOUND for an index beyond the end. */
function addDocumentSteps(target: Target, { index, ...given }: Arguments): readonly Step[] {
  const { stream, format } = target;
  requireDocuments(format, 'add a document to');
  const [first, second] = stream.documents;
  const isNothing = second === undefined && first !== undefined && isUnmarkedNothing(stream.text, first);
  const count = isNothing ? 0 : stream.documents.length;
  const at = index === undefined ? count : index < 0 ? count + index : index;
  if (at < 0 || at > count)
    throw new Refusal(
      'NODE_NOT_FOUND',
      `Cannot add a document at ${index}: the file has ${counted(count, 'document')}`,
    );
  const value = withoutMarker(sentValue(target, given));
  return isNothing ? [{ do: 'replace', path: [], value }] : [{ do: 'add document', index: at, value }];
}

/** Removes the marker with which models often begin a document. */
function withoutMarker(value: Value): Value {
  return 'text' in value ? { text: value.text.replace(/^\s*---[ \t]*\r?\n/, '') } : value;
}

export const deleteDocument = {
  name: 'delete_document',
  needs: [],
  may: [],
  takesPath: false,
  steps: ({ stream, format }) => {
    requireOneOfSeveral(stream, format);
    return [{ do: 'remove document' }];
  },
} as const satisfies OperationKind;

/** Throws UNSUPPORTED_FORMAT, and TYPE_MISMATCH for the only document of a file. */
export function requireOneOfSeveral({ documents }: Stream, format: Format): void {
  requireDocuments(format, 'delete a document of');
  if (documents.length > 1) return;
  throw new Refusal(
    'TYPE_MISMATCH',
    'Cannot delete this document: it is the only one of its file',
    {},
    { advice: ['Use op "delete_file" to delete the file, or "delete" for its keys'] },
  );
}
