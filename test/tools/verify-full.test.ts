// `--verify full` over stdio.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startToolServer, type ToolServer } from '../harness/tool-server.ts';

let server: ToolServer;
beforeAll(async () => {
  const files = { 'plain.yaml': 'a: 1\n', 'key.yaml': '? explicit-key\n: some-value\n' };
  server = await startToolServer({ files, flags: ['--verify', 'full'] });
});
afterAll(() => server.close());

test('an edit is proven by `yaml` and written', async () => {
  await server.ok('config_set', { file: 'plain.yaml', path: 'a', value: '2', dry_run: false });
  expect(server.disk('plain.yaml')).toBe('a: 2\n');
  await server.ok('config_set', { file: 'key.yaml', path: 'explicit-key', value: 'v', dry_run: false });
  expect(server.disk('key.yaml')).toBe('? explicit-key\n: v\n');
});
