// `delete_file` removes the file, whatever it holds.
import type { OperationKind } from './operation.ts';

export const deleteFile = {
  name: 'delete_file',
  needs: [],
  may: [],
  fileOp: 'delete',
  planFile: (text) => [{ start: 0, end: text.length, insert: '' }],
} as const satisfies OperationKind;
