// `create_file` creates a file with the given content; `delete_file` removes a file, whatever is in it.
import type { OperationKind } from './operation.ts';

export const createFile = {
  name: 'create_file',
  needs: [['content']],
  may: [],
  fileOp: 'create',
  planFile: (_text, { content = '' }) => [{ start: 0, end: 0, insert: content }],
} as const satisfies OperationKind;

export const deleteFile = {
  name: 'delete_file',
  needs: [],
  may: [],
  fileOp: 'delete',
  planFile: (text) => [{ start: 0, end: text.length, insert: '' }],
} as const satisfies OperationKind;
