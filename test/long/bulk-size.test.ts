// What one call may change by default, in the process and the thread that an agent gets: texts of 64 MB in all.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type RunningProcess, startProcess } from '../harness/start-process.ts';

const MANY_MINUTES = 600_000;
const EDIT = { op: 'set', file: '*.yaml', path: 'level', json: 'info' };
/** Lines of 1,000 characters, each of which has two bytes in memory. */
function wide(lines: number): string {
  return Array.from({ length: lines }, (_, line) => `item${line}: ${'one → many, '.repeat(83)}\n`).join('');
}

let server: RunningProcess | undefined;
afterEach(() => server?.close());

async function serving(count: number, text: (index: number) => string): Promise<RunningProcess> {
  server = await startProcess();
  for (let at = 0; at < count; at++) writeFileSync(join(server.root, `f${at}.yaml`), text(at));
  return server;
}

test.each([
  {
    why: 'files whose texts together exceed the heap',
    count: 32,
    text: (at: number) => `level: debug\nnumber: ${at}\n${wide(1_000)}`,
  },
])(
  'in one call are previewed, applied and undone: $why',
  async ({ count, text }) => {
    const { root, callTool } = await serving(count, text);
    const { data } = await callTool('config_edit', { edits: [EDIT] });
    expect(data['summary']).toBe(`${count} paths in ${count} files`);
    const applied = await callTool('config_apply', { preview_id: data['preview_id'] });
    const file = join(root, `f${count - 1}.yaml`);
    expect(readFileSync(file, 'utf8')).toBe(text(count - 1).replace('debug', 'info'));
    const undo = await callTool('config_revert', { change_id: applied.data['change_id'], dry_run: false });
    expect(undo.data['summary']).toBe(`${count} paths in ${count} files`);
    expect(readFileSync(file, 'utf8')).toBe(text(count - 1));
  },
  MANY_MINUTES,
);

test(
  'files of more than 64 MB are refused, with the limit and a way on',
  async () => {
    const { callTool } = await serving(34, () => `level: debug\n${wide(1_700)}`);
    const { isError, text } = await callTool('config_edit', { edits: [EDIT] });
    expect(isError).toBe(true);
    expect(text).toMatch(/^FILE_TOO_LARGE: /);
    expect(text).toContain('64000000 bytes');
    expect(text).toMatch(/the first 32 fit/);
  },
  MANY_MINUTES,
);
