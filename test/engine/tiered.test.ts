// Which calls are served where, through the built command: it says at level debug when it starts the thread for
// what is large, unusual or written. What a call answers must not depend on it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { isSmallCall } from '../../src/engine/small-call.ts';
import { end } from '../harness/end.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { startToolServer, type ToolServer } from '../harness/tool-server.ts';
import { eventually } from '../harness/wait.ts';

const line = (n: number) => `key${n}: value ${n}\n`;
const lines = (count: number) => Array.from({ length: count }, (_, n) => line(n)).join('');
const FILES = {
  'small.yaml': `${lines(100)}list: [1, 2]\n`,
  'large.yaml': lines(10_000),
  // Read by `yaml`, for its explicit keys.
  'unusual.yaml': Array.from({ length: 2_000 }, (_, n) => `? key${n}\n: value\n`).join(''),
  'aliases.yaml': 'a: &a 1\nkey0: 2\nb: *a\n',
  'dense.yaml': `key0: [${'1,'.repeat(40_000)}]\n`,
  'small.json': '{"key0": 1}\n',
  'broken.yaml': 'a: [1\n',
};

/** Takes the lock of the state directory, says so, and keeps it for good. */
const HOLDER = `
  import { openStateDir } from '${new URL('../../dist/security/index.js', import.meta.url)}';
  openStateDir(process.env.STATE, []).lock();
  process.stdout.write('held');
  setInterval(() => undefined, 1e6);`;

async function serving(
  flags: readonly string[],
  work: (server: ToolServer, hasThread: () => boolean) => Promise<void>,
) {
  const beside = tempRoot();
  const logFile = join(beside.dir, 'log');
  const server = await startToolServer({
    files: FILES,
    flags: ['--log-level', 'debug', '--log-file', logFile, ...flags],
  });
  try {
    await work(server, () => readFileSync(logFile, 'utf8').includes('"worker_started"'));
  } finally {
    await server.close();
    beside.remove();
  }
}

const TEN = Array.from({ length: 10 }, (_, n) => ({
  op: 'set',
  file: 'small.yaml',
  path: `key${n}`,
  json: n,
}));

test('small reads, checks, previews and refusals need no thread of their own', async () => {
  await serving([], async (server, hasThread) => {
    await server.ok('config_get', { file: 'small.yaml', path: 'key7' });
    await server.ok('config_get', { file: 'small.json' });
    await server.ok('config_validate', { file: 'small.yaml' });
    const { data } = await server.ok('config_set', { file: 'small.yaml', path: 'key7', value: 'new' });
    expect(data['preview_id']).toMatch(/^[\w-]{43}$/);
    await server.ok('config_edit', { edits: TEN });
    expect(await server.refused('config_get', { file: 'small.yaml', path: 'key' })).toMatchObject({
      code: 'NODE_NOT_FOUND',
    });
    expect(hasThread()).toBe(false);
    // A preview that was made here is applied over there.
    await server.ok('config_apply', { preview_id: data['preview_id'] });
    expect(server.disk('small.yaml')).toContain('\nkey7: new\n');
    expect(hasThread()).toBe(true);
  });
});

test.each([
  { what: 'a large file', tool: 'config_get', args: { file: 'large.yaml', path: 'key7' } },
  {
    what: 'a file that the scan leaves to `yaml`',
    tool: 'config_get',
    args: { file: 'unusual.yaml', path: 'key7' },
  },
  { what: 'a file with a mistake', tool: 'config_validate', args: { file: 'broken.yaml' } },
  { what: 'an alias', tool: 'config_get', args: { file: 'aliases.yaml', path: 'key0' } },
  {
    what: 'a preview of a large file',
    tool: 'config_set',
    args: { file: 'large.yaml', path: 'key7', json: 1 },
  },
  {
    what: 'a long value',
    tool: 'config_set',
    args: { file: 'small.yaml', path: 'key7', value: 'x'.repeat(40_000) },
  },
  {
    what: 'a write',
    tool: 'config_set',
    args: { file: 'small.yaml', path: 'key7', json: 1, dry_run: false },
  },
  { what: 'a walk over folders', tool: 'config_list', args: {} },
  { what: 'a search', tool: 'config_search', args: { key: 'key7' } },
])('a thread of its own serves $what', async ({ tool, args }) => {
  await serving([], async (server, hasThread) => {
    expect(hasThread()).toBe(false);
    await server.ok(tool, args);
    expect(hasThread()).toBe(true);
  });
});

test('a thread of its own looks for the file that a name may mean', async () => {
  await serving([], async (server, hasThread) => {
    const { suggestions } = await server.refused('config_get', { file: 'samll.yaml' });
    expect(suggestions.join()).toContain('small.yaml');
    expect(hasThread()).toBe(true);
  });
});

test('a thread of its own serves every proof by two readers', async () => {
  await serving(['--verify', 'full'], async (server, hasThread) => {
    await server.ok('config_set', { file: 'small.yaml', path: 'key7', json: 1 });
    expect(hasThread()).toBe(true);
  });
});

test('a thread of its own waits where somebody else is at the state directory', async () => {
  await serving([], async (server, hasThread) => {
    const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { STATE: server.state },
    });
    onTestFinished(() => end(holder));
    await once(holder.stdout, 'data');
    const preview = server.ok('config_set', { file: 'small.yaml', path: 'key7', json: 1 });
    await eventually(() => expect(hasThread()).toBe(true));
    await end(holder);
    expect((await preview).data['preview_id']).toBeDefined();
  });
});

test('a limit of the operator is told as the operator set it', async () => {
  await serving(['--max-parsed-size', '1000'], async (server) => {
    const { message } = await server.refused('config_get', { file: 'small.yaml' });
    expect(message).toContain('1000 bytes');
  });
});

describe('what is small', () => {
  let server: ToolServer;
  beforeAll(async () => {
    server = await startToolServer({ files: FILES });
  });
  afterAll(() => server.close());

  const call = (tool: string, args: Readonly<Record<string, unknown>>) =>
    isSmallCall({ requestId: '', tool, args, caller: { name: 'test', version: '1' } });

  it('is a read, a check or a preview of named files with few words', () => {
    expect(call('config_get', { file: 'a' })).toBe(true);
    expect(call('config_edit', { edits: TEN, dry_run: true })).toBe(true);
    // What is no boolean is refused, and not written.
    expect(call('config_set', { file: 'a', dry_run: 'false' })).toBe(true);
  });

  test.each([
    ['a write', 'config_set', { file: 'a', dry_run: false }],
    ['a preview that is applied', 'config_apply', { preview_id: 'x' }],
    ['taking back', 'config_revert', { change_id: 'x' }],
    ['a tool that came later', 'config_new', {}],
    ['a long text', 'config_validate', { text: 'x'.repeat(30_001) }],
    ['a long name', 'config_set', { json: { ['x'.repeat(30_001)]: 1 } }],
    ['many texts', 'config_set', { json: Array.from({ length: 1_000 }, () => 'x'.repeat(31)) }],
    ['many parts', 'config_set', { json: Array.from({ length: 2_001 }, () => 1) }],
    [
      'parts in parts',
      'config_set',
      { json: Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => 1)) },
    ],
  ])('is not %s', (_what, tool, args) => {
    expect(call(tool, args)).toBe(false);
  });
});
