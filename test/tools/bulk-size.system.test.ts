// What one call may change by default, in the process and the thread that an agent gets: 2,000 files; test/long has 64 MB of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type RunningProcess, startProcess } from '../harness/start-process.ts';

const EDIT = { op: 'set', file: '*.yaml', path: 'level', json: 'info' };
let server: RunningProcess | undefined;
afterEach(() => server?.close());

test('2,000 files in one call are previewed, applied and undone', async () => {
  server = await startProcess();
  const { root, callTool } = server;
  const text = (at: number) => `level: debug\nnumber: ${at}\n`;
  for (let at = 0; at < 2_000; at++) writeFileSync(join(root, `f${at}.yaml`), text(at));
  const { data } = await callTool('config_edit', { edits: [EDIT] });
  expect(data['summary']).toBe('2000 paths in 2000 files');
  const applied = await callTool('config_apply', { preview_id: data['preview_id'] });
  const file = join(root, 'f1999.yaml');
  expect(readFileSync(file, 'utf8')).toBe(text(1_999).replace('debug', 'info'));
  const undo = await callTool('config_revert', { change_id: applied.data['change_id'], dry_run: false });
  expect(undo.data['summary']).toBe('2000 paths in 2000 files');
  expect(readFileSync(file, 'utf8')).toBe(text(1_999));
});
