// The command in surroundings of all kinds: as root, with code loaded into it, hardened, logging elsewhere.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { jsonLines } from '../harness/json-lines.ts';
import { type RawOptions, startGreeted } from '../harness/raw-server.ts';
import { tempRoot } from '../harness/temp-root.ts';

const root = tempRoot({ 'a.yaml': 'a: 1\n' });
const state = tempRoot();
afterAll(() => {
  root.remove();
  state.remove();
});

/** A whole session: greeting, list, one call, end. Returns what it wrote to stderr. */
async function session(options: Partial<RawOptions> = {}): Promise<string> {
  const server = await startGreeted({ ...options, args: ['--root', root.dir, ...(options.args ?? [])] });
  expect(await server.request(1, 'tools/list')).toMatchObject({ result: { tools: expect.any(Array) } });
  const call = { name: 'list_capabilities', arguments: {} };
  expect(await server.request(2, 'tools/call', call)).toMatchObject({
    result: { structuredContent: { ok: true } },
  });
  server.child.stdin.end();
  expect(await server.exit).toEqual({ code: 0, signal: null });
  return server.stderr();
}

it('logs its start, each call and its end as JSON lines on stderr', async () => {
  const records = jsonLines(await session());
  expect(records.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['started', 'tool_call', 'stopped']),
  );
  for (const record of records)
    expect(record).toMatchObject({ time: expect.any(String), level: expect.any(String) });
});

it('logs to a file that only its owner can read, and then says nothing on stderr', async () => {
  const file = join(state.dir, 'airlock.log');
  expect(await session({ args: ['--log-file', file, '--log-format', 'text'] })).toBe('');
  expect(readFileSync(file, 'utf8')).toMatch(/ info tool_call .*tool=list_capabilities/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('warns when it runs as root, and only then (ENVI-004)', async () => {
  const isRoot = process.getuid?.() === 0;
  expect((await session()).includes('running_as_root')).toBe(isRoot);
});

it('warns when code can be loaded into it, and only then (ENVI-005) [SRV-6]', async () => {
  expect(await session()).not.toContain('node_options_set');
  expect(await session({ env: { NODE_OPTIONS: '--no-warnings' } })).toContain('node_options_set');
});

it('ends with exit code 1 after a bug outside of any call, and says what kind, not what it said (PROT-016)', async () => {
  const bug = "process.on('SIGUSR2', () => { Promise.reject(new RangeError('hunter2')); })";
  const server = await startGreeted({
    args: ['--root', root.dir],
    nodeFlags: ['--import', `data:text/javascript,${encodeURIComponent(bug)}`],
  });
  server.child.kill('SIGUSR2');
  expect(await server.exit).toEqual({ code: 1, signal: null });
  expect(await server.stderr()).toMatch(/"event":"crashed","error_name":"RangeError"/);
  expect(await server.stderr()).not.toContain('hunter2');
});
