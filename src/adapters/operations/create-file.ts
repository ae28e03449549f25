// `create_file` makes a file with this content, where there is none.
import type { OperationKind } from './operation.ts';

export const createFile = {
  name: 'create_file',
  needs: [['content']],
  may: [],
  fileOp: 'create',
  planFile: (_text, { content = '' }) => [{ start: 0, end: 0, insert: content }],
} as const satisfies OperationKind;
