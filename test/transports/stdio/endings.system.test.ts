// However the connection ends, the process ends with exit code 0, without a stack trace, and after
// the answers that were asked for. Nothing here waits for a time to pass.
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { INITIALIZE, type RawServer, startGreeted, startRaw } from '../../harness/raw-server.ts';
import { FIXTURE } from '../../harness/start-process.ts';
import { trailOf } from '../../harness/state.ts';
import { tempRoot } from '../../harness/temp-root.ts';
import { nextData } from '../../harness/wait.ts';

const root = tempRoot();
afterAll(() => root.remove());

const CLEAN = { code: 0, signal: null };
const options = { args: ['--root', root.dir] };
const fixture = { args: ['--root', root.dir], program: FIXTURE };

it('ends when the client closes its end', async () => {
  const server = await startGreeted(options);
  server.child.stdin.end();
  expect(await server.exit).toEqual(CLEAN);
  expect(await errors(server)).toEqual([]);
});

it('answers what was asked before the end of input', async () => {
  const server = await startGreeted(fixture);
  const calls = Array.from({ length: 100 }, (_, index) => index + 1);
  for (const id of calls) {
    server.send({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: 'x' } },
    });
  }
  server.child.stdin.end('{"jsonrpc":"2.0","id":101,"method":"ping"}');
  const answered: unknown[] = [];
  for (const _ of [...calls, 101]) answered.push((await server.next()).id);
  expect(new Set(answered)).toEqual(new Set([...calls, 101]));
  expect(await server.exit).toEqual(CLEAN);
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends at %s', async (signal) => {
  const server = await startGreeted(options);
  server.child.kill(signal);
  expect(await server.exit).toEqual(CLEAN);
  expect(await errors(server)).toEqual([]);
  expect(await server.stderr()).toContain('"event":"stopped"');
});

it('ends at SIGTERM while a call waits for something that never comes', async () => {
  const server = await startGreeted(fixture);
  const progressToken = 'begun';
  server.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'hang', arguments: {}, _meta: { progressToken } },
  });
  expect(await server.next()).toMatchObject({ method: 'notifications/progress', params: { progressToken } });
  server.child.kill('SIGTERM');
  expect(await server.exit).toEqual(CLEAN);
});

it('ends at SIGTERM while the client reads nothing', async () => {
  const server = startRaw(fixture);
  server.child.stdout.pause();
  server.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE });
  server.send({
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text: 'x', times: 5_000_000 } },
  });
  await server.logged('tool_call');
  server.child.kill('SIGTERM');
  const [code, signal] = await once(server.child, 'exit');
  expect({ code, signal }).toEqual(CLEAN);
});

it('ends without a trace when nobody reads its answers any more (PROT-010)', async () => {
  const server = await startGreeted(options);
  server.child.stdout.destroy();
  // A pipe without a reader is noticed by writing to it.
  server.child.on('exit', () => clearInterval(pings));
  const pings = setInterval(() => server.send({ jsonrpc: '2.0', id: 1, method: 'ping' }), 5);
  expect(await server.exit).toEqual(CLEAN);
  expect(await errors(server)).toEqual([]);
});

it('leaves no answer half written: a large one arrives whole after the end of input', async () => {
  const server = await startGreeted(fixture);
  server.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'echo', arguments: { text: 'x', times: 8_000_000 } },
  });
  await nextData(server.child.stdout);
  server.child.stdin.end();
  const { result } = await server.next();
  expect(JSON.stringify(result).length).toBeGreaterThan(8_000_000);
  expect(await server.exit).toEqual(CLEAN);
});

/** What on stderr is no log record, or a record of an error. */
async function errors(server: RawServer): Promise<string[]> {
  const lines = (await server.stderr()).split('\n').filter((line) => line !== '');
  return lines.filter((line) => !line.startsWith('{') || line.includes('"level":"error"'));
}

it('records at the end what was only counted of refused writes [AUD-1]', async () => {
  const state = tempRoot();
  onTestFinished(() => state.remove());
  const folder = join(state.dir, 'state');
  const args = ['--root', root.dir, '--approval', 'preview', '--state-dir', folder];
  const server = await startGreeted({ args });
  const write = { file: 'a.yaml', path: 'a', value: '2', dry_run: false };
  for (let id = 1; id <= 250; id += 1) {
    const params = { name: 'config_set', arguments: write };
    server.send({ jsonrpc: '2.0', id, method: 'tools/call', params });
    expect(await server.next()).toMatchObject({ id });
  }
  server.child.stdin.end();
  expect(await server.exit).toEqual(CLEAN);
  const trail = trailOf(folder);
  expect(trail).toHaveLength(201);
  expect(trail.at(-1)).toMatchObject({ type: 'refused', count: 50 });
});
