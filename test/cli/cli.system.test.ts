// What the command says on a terminal and on stderr beside its work.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { CLI } from '../harness/start-process.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { atTerminal, CTRL_D, HAS_TERMINAL } from '../harness/terminal.ts';

const [root, home] = [tempRoot({ 'a.yaml': 'a: 1\n' }), tempRoot()];
afterAll(() => {
  for (const { remove } of [root, home]) remove();
});

async function run(args: readonly string[]) {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home.dir },
  });
  child.stdin.end();
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr };
}

it.skipIf(!HAS_TERMINAL)(
  'says on a terminal that it waits for a client, and ends when its input does',
  async () => {
    const screen = atTerminal(['--root', root.dir, '--read-only', '--log-level', 'error']);
    await screen.sees('waiting for an MCP client on stdin');
    await screen.sees('--help');
    screen.types(CTRL_D);
    expect((await screen.ends()).status).toBe(0);
  },
);

it('a command keeps quiet about its work, unless it is asked to tell it', async () => {
  const preview = ['preview', 'a.yaml', 'a', '2', '--root', root.dir, '--read-only'];
  expect((await run(preview)).stderr).toBe('');
  expect((await run([...preview, '--verbose'])).stderr).toMatch(/^\d\d:\d\d:\d\d info sandbox_opened /mu);
  const serve = ['--root', root.dir, '--read-only'];
  expect((await run(serve)).stderr).toContain('"event":"started"');
  expect((await run([...serve, '--quiet'])).stderr).toBe('');
});
