// Valid YAML of a kind that is so rare that the file is read as text only, through a client.
import { expect, test } from 'vitest';
import { toolServer } from '../harness/tool-server.ts';

const RARE = '? a\n: 1\nb: 2 # c\n';
const SECRETS = [
  '%TAG !e! tag:e,2000:',
  '---',
  'kind: Secret # of hunter1',
  'stringData:',
  '  user: !e!x hunter2',
  '  text: |',
  '    hunter3',
  '  "key": ["hunter4", {a: hunter5}]',
  '',
].join('\n');

const server = toolServer({
  files: { 'rare.yaml': RARE, 'secret.yaml': SECRETS, 'usual.yaml': 'a: 1\nb: 2\n' },
});

test.each([
  { tool: 'config_get', args: { file: 'rare.yaml' }, says: 'about line 1, an explicit or empty key' },
  { tool: 'config_validate', args: { file: 'rare.yaml' }, says: 'Only the syntax was checked' },
  { tool: 'config_search', args: { pattern: '*', key: 'b' }, says: 'rare.yaml (text only)' },
  { tool: 'config_search', args: { pattern: '*', text: 'b: 2' }, says: 'rare.yaml:3' },
  { tool: 'config_get', args: { file: 'rare.yaml', path: 'b' }, says: 'UNSUPPORTED_FORMAT' },
  { tool: 'config_set', args: { file: 'rare.yaml', path: 'b', value: '3' }, says: 'UNSUPPORTED_FORMAT' },
])('$tool of $args says so', async ({ tool, args, says }) => {
  const { text, data } = await server.callTool(tool, args);
  expect(text + JSON.stringify(data)).toContain(says);
});

test('its text can be replaced, and no edit makes such a file of another', async () => {
  const replaced = (file: string, new_text: string) =>
    server.callTool('config_edit', { edits: [{ file, op: 'replace_text', old_text: 'b: 2', new_text }] });
  const { text } = await replaced('rare.yaml', 'b: 3');
  expect(text).toContain('+b: 3 # c');
  expect(text).not.toContain('not valid');
  expect((await replaced('usual.yaml', '? b\n: 2')).text).toContain('VERIFICATION_FAILED');
});

test('where it may hold a secret, all its values and comments are masked', async () => {
  const { text } = await server.callTool('config_get', { file: 'secret.yaml', view: 'raw' });
  expect(text).toContain('stringData:');
  expect(text).not.toMatch(/hunter|Secret/);
});
