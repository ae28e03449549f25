// Arguments that do not fit a tool: all that is wrong is named at once, and nothing is done. Those of config_edit are
// in config-edit.test.ts.
import { expect, test } from 'vitest';
import { toolServer } from '../harness/tool-server.ts';

const server = toolServer({ files: { 'a.yaml': 'a: 1\n' } });

const file = 'a.yaml';
const ONE_VALUE = 'give exactly one of value and json';
const ONE_SUBJECT = 'give one of file, text and pattern';
const NO_CURSOR = 'it is not the next_cursor of an earlier reply';

test.each([
  { tool: 'config_get', args: {}, says: ['file: missing, expected a string'] },
  { tool: 'config_get', args: { file, path: 3 }, says: ['path: expected a string, got a number'] },
  {
    tool: 'config_get',
    args: { file, view: 'json' },
    says: ['view: expected "source" or "outline" or "value"'],
  },
  { tool: 'config_get', args: { file, doc: '{last}' }, says: ['doc: expected Kind/name, an index'] },
  { tool: 'config_get', args: { file, doc: 1.5 }, says: ['doc: expected Kind/name, an index'] },
  {
    tool: 'config_get',
    args: { flie: file, view: 1, path: 2 },
    says: ['flie: no such field, did you mean file?', 'file: missing', 'view: expected', 'path: expected'],
  },
  // Every object knows this name, and the built server refuses to look it up.
  { tool: 'config_get', args: { file, view: '__proto__' }, says: ['view: expected "source"'] },
  { tool: 'config_get', args: JSON.parse('{"file":"a.yaml","__proto__":1}'), says: ['__proto__: no such'] },
  { tool: 'config_get', args: { file, doc: '{"kind":"A","__proto__":"b"}' }, says: ['doc: expected'] },
  {
    tool: 'config_get',
    args: JSON.parse('{"file":"a.yaml","doc":{"kind":"A","__proto__":"b"}}'),
    says: ['doc: expected'],
  },
  { tool: 'config_list', args: { limit: 0 }, says: ['limit: expected at least 1'] },
  {
    tool: 'config_list',
    args: { root: '/', limit: 'five' },
    says: ['root: no such field', 'limit: expected'],
  },
  { tool: 'config_search', args: {}, says: ['key: missing, give key, value, where or text'] },
  { tool: 'config_search', args: { key: 'a'.repeat(257) }, says: ['longer than 256 characters'] },
  { tool: 'config_search', args: { key: 'a', cursor: 'x' }, says: [NO_CURSOR] },
  { tool: 'config_search', args: { key: 'a', cursor: '{"skip":-1}' }, says: [NO_CURSOR] },
  { tool: 'config_search', args: { key: 'a', pattern: '../**' }, says: ["'..'"] },
  { tool: 'config_validate', args: { file, text: 'a: 1' }, says: [`file: ${ONE_SUBJECT}`] },
  {
    tool: 'config_validate',
    args: { doc: 1.5, txt: 1, file, pattern: '**' },
    says: ['doc: expected', 'txt: no such field', ONE_SUBJECT],
  },
  { tool: 'config_set', args: {}, says: ['file: missing', 'path: missing', `value: missing, ${ONE_VALUE}`] },
  { tool: 'config_set', args: { file, path: 'a', value: '', json: null }, says: [`value: ${ONE_VALUE}`] },
  {
    tool: 'config_set',
    args: { file, value: '1', json: 1, dry_rnu: false },
    says: ['path: missing', 'dry_rnu: no such', `value: ${ONE_VALUE}`],
  },
  {
    tool: 'config_set',
    args: { file, path: 'a', value: [5], create: 'yes', dry_run: 0, doc: [], expected_sha256: 'abc' },
    says: [
      ...['value: expected a string', 'create: expected a boolean', 'dry_run: expected a boolean'],
      ...['doc: expected', 'expected_sha256: expected 8 to 64 hexadecimal digits'],
    ],
  },
  {
    tool: 'config_set',
    args: { file, path: 'a', value: '1', expected_sha256: 'A'.repeat(64) },
    says: ['expected_sha256'],
  },
  { tool: 'explain_error', args: {}, says: ['code: missing, give code or message'] },
  {
    tool: 'explain_error',
    args: { cod: 'BUSY', message: [] },
    says: ['cod: no such field, did you mean code?', 'message: expected a string, got an array'],
  },
  { tool: 'list_capabilities', args: { verbose: true }, says: ['verbose: no such field'] },
])('$tool $args', async ({ tool, args, says }) => {
  const { code, text } = await server.refused(tool, args);
  expect(code).toBe('ARGUMENT_INVALID');
  for (const words of says) expect(text).toContain(words);
});
