// The command, however it is started, makes no code from text and lets nobody change what all objects
// share: tried from inside, by code that was loaded into it.
import { spawnSync } from 'node:child_process';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startGreeted } from '../harness/raw-server.ts';
import { CLI, DIST_CLI } from '../harness/start-process.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { INTRUDER, intrude } from './intrusion.ts';

const LOCK_DOWN = new URL('../../dist/lock-down.js', import.meta.url).href;
const root = tempRoot({ 'a.yaml': 'a: 1\n' });
const bin = tempRoot();
afterAll(() => {
  root.remove();
  bin.remove();
});

const WAYS = [
  { why: 'node dist/cli.js', options: { nodeFlags: ['--import', INTRUDER] } },
  { why: 'NODE_OPTIONS', options: { env: { NODE_OPTIONS: `--import=${INTRUDER}` } } },
  {
    why: 'hardened by hand as well',
    options: {
      nodeFlags: [
        ...['--disallow-code-generation-from-strings', '--disable-proto=throw', '--import', INTRUDER],
      ],
    },
  },
  {
    why: '__proto__ deleted by hand',
    options: { nodeFlags: ['--disable-proto=delete', '--import', INTRUDER] },
  },
];

describe.each(WAYS)('started by $why', ({ options }) => {
  it('lets no text become code, and no object change all others [SRV-5]', async () => {
    const server = await startGreeted({ program: DIST_CLI, args: ['--root', root.dir], ...options });
    await server.request(1, 'tools/list');
    const { attempts, customs } = await intrude(server);
    expect(attempts.filter(([, outcome]) => outcome === 'worked')).toEqual([]);
    expect(customs.filter(([, isKept]) => !isKept)).toEqual([]);
    // It still works, and ends as it should.
    const call = { name: 'config_validate', arguments: { text: 'a: [' } };
    expect(await server.request(2, 'tools/call', call)).toMatchObject({
      result: { structuredContent: { ok: true, valid: false } },
    });
    server.child.stdin.end();
    expect(await server.exit).toEqual({ code: 0, signal: null });
  });
});

it.skipIf(process.platform === 'win32')('as npm installs it: a link to the file, by its first line', () => {
  chmodSync(CLI, 0o755);
  const link = join(bin.dir, 'config-airlock');
  symlinkSync(CLI, link);
  const run = spawnSync(link, ['--root', root.dir], {
    input: '',
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'] ?? '',
      AIRLOCK_STATE_DIR: join(bin.dir, 'state'),
      NODE_OPTIONS: `--import=${INTRUDER}`,
    },
  });
  expect(run.status).toBe(0);
  expect(run.stderr).toContain('"event":"stopped"');
});

it('does not start where it cannot be locked [SRV-5]', () => {
  const spoiler = join(bin.dir, 'spoiler.mjs');
  writeFileSync(
    spoiler,
    "Object.defineProperty(Object.prototype, '__proto__', { value: 1, configurable: false });",
  );
  for (const program of [CLI, DIST_CLI]) {
    const run = spawnSync(process.execPath, ['--import', spoiler, program, '--root', root.dir], {
      input: '',
      encoding: 'utf8',
    });
    expect(run.stdout).toBe('');
    expect(run.stderr).toBe('config-airlock: cannot lock __proto__\n');
    expect(run.status).toBe(1);
  }
});

it('leaves what it locks laid out for speed, where V8 can tell', () => {
  const names = ['Object', 'Array', 'String', 'RegExp', 'Map', 'Promise', 'Uint8Array', 'Int32Array'];
  const code = `
    import { lockDown } from '${LOCK_DOWN}';
    lockDown();
    const isFast = [${names}, Object.getPrototypeOf(Int8Array)].map(({ prototype }) => %HasFastProperties(prototype));
    process.stdout.write(JSON.stringify(isFast));`;
  const args = ['--allow-natives-syntax', '--input-type=module', '-e', code];
  const run = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(JSON.parse(run.stdout)).toEqual([...names, 'what typed arrays have in common'].map(() => true));
});
