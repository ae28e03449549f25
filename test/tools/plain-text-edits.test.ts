// Edits of keys that are asked of plain text, which has none: each refusal names replace_text.
import { expect, test } from 'vitest';
import { toolServer } from '../harness/tool-server.ts';

const FILES = { 'a/go.mod': 'module a\ngo 1.21\n', 'b/go.mod': 'module b\ngo 1.21\n' };

const server = toolServer({ files: FILES, flags: ['--allow', '**/*'] });

test.each([
  {
    why: 'a pattern of files',
    edit: { op: 'set', file: '**/go.mod', path: 'go', value: '1.22' },
    says: 'Cannot edit go: 0 nodes match. The files have no keys: use op "replace_text" without a path',
  },
  {
    why: 'a pattern as path',
    edit: { op: 'set', file: 'a/go.mod', path: '**.go', value: '1.22' },
    says: 'Cannot set: the file is plain text, without keys. Read it with view "raw", and edit it with replace_text without a path.',
  },
  {
    why: 'an operation without a path',
    edit: { op: 'append', file: 'a/go.mod', value: 'x' },
    says: 'Cannot call config_edit: edits[0].path: missing, expected a string; a file without keys takes replace_text',
  },
])('$why', async ({ edit, says }) => {
  const { message } = await server.refused('config_edit', { edits: [edit] });
  expect(message).toBe(says);
});
