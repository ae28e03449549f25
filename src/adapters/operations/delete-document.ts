// `delete_document` removes one document of several, with its marker and its comments. The header of the file stays.
import { Refusal } from '../../security/index.ts';
import { requireDocuments } from '../edit/documents.ts';
import type { Format } from '../tree/format.ts';
import type { Stream } from '../tree/span-tree.ts';
import type { OperationKind } from './operation.ts';

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
