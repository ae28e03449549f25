// What the process was born into is refused, switched off or reported: a debugger, reports, the environment.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { startGreeted } from '../harness/raw-server.ts';
import { CLI } from '../harness/start-process.ts';
import { tempRoot } from '../harness/temp-root.ts';

const WITNESS = fileURLToPath(new URL('./children/witness.mjs', import.meta.url));
const root = tempRoot({ 'a.yaml': 'a: 1\n' });
afterAll(() => root.remove());

it('does not serve beside an open debugger [SRV-6]', () => {
  const run = spawnSync(process.execPath, ['--inspect=0', CLI, '--root', root.dir], {
    input: '',
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '' },
  });
  expect(run.status).toBe(2);
  expect(run.stdout).toBe('');
  expect(run.stderr).toContain('config-airlock: a debugger is open (--inspect): start without it\n');
});

it.skipIf(process.platform === 'win32')('opens no debugger at SIGUSR1 [SRV-6]', async () => {
  const server = await startGreeted({ args: ['--root', root.dir] });
  server.child.kill('SIGUSR1');
  expect(await server.request(1, 'ping')).toMatchObject({ result: {} });
  server.child.stdin.end();
  expect(await server.exit).toEqual({ code: 0, signal: null });
  expect(await server.stderr()).not.toContain('Debugger');
});

it.skipIf(process.platform === 'win32')(
  'writes no report, makes private files, forgets its environment and shows no token of it (SECR-008, SECR-011) [SRV-6]',
  async () => {
    const reports = ['--report-on-fatalerror', '--report-uncaught-exception'];
    const server = await startGreeted({
      args: ['--root', root.dir, '--log-level', 'debug'],
      env: { API_TOKEN: 'kanari-token', NODE_OPTIONS: `--import=${WITNESS}` },
      nodeFlags: reports,
    });
    server.child.kill('SIGUSR2');
    const told = await server.logged('witnessed');
    const warned = await server.logged('risky_node_flags');
    server.child.stdin.end();
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(told).toMatchObject({
      umask: 0o077,
      environment: [],
      reports: [false, false, false],
    });
    expect(warned).toMatchObject({ reason: [...reports, '--import'].join(' ') });
    expect(await server.stderr()).not.toMatch(/kanari|witness\.mjs/);
  },
);
