// `--verify full` over stdio, and what the log tells of texts that the scan hands over.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startToolServer, type ToolServer } from '../harness/tool-server.ts';

let server: ToolServer;
beforeAll(async () => {
  const files = { 'plain.yaml': 'a: 1\n', 'key.yaml': '? secret-key\n: secret-value\n' };
  server = await startToolServer({ files, flags: ['--verify', 'full', '--log-level', 'debug'] });
});
afterAll(() => server.close());

test('a hand-over is told in the debug log, by its reason and without contents', async () => {
  await server.ok('config_get', { file: 'plain.yaml', path: 'a' });
  await server.ok('config_get', { file: 'key.yaml', path: 'secret-key' });
  const lines = server
    .stderr()
    .split('\n')
    .filter((line) => line.includes('scan_handed_over'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"reason":"explicit or empty key"');
  expect(lines[0]).not.toMatch(/secret|yaml/);
});

test('an edit is proven by `yaml` and written', async () => {
  await server.ok('config_set', { file: 'plain.yaml', path: 'a', value: '2', dry_run: false });
  expect(server.disk('plain.yaml')).toBe('a: 2\n');
  await server.ok('config_set', { file: 'key.yaml', path: 'secret-key', value: 'v', dry_run: false });
  expect(server.disk('key.yaml')).toBe('? secret-key\n: v\n');
});
