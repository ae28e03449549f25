// The command as an operator meets it: one clear line for what is wrong, help that helps, settings that
// come from where they should. Everything runs the built command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { envName } from '../../src/cli/settings/option.ts';
import { ALL_OPTIONS } from '../../src/cli/settings/options.ts';
import { VERSION } from '../../src/server.ts';
import { CLI } from '../harness/start-server.ts';
import { tempRoot } from '../harness/temp-root.ts';

const root = tempRoot({ 'a.yaml': 'a: 1\n', 'file.txt': '' });
afterAll(() => root.remove());

type Env = Readonly<Record<string, string>>;

interface Run {
  readonly status: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(args: readonly string[], env: Env = {}): Promise<Run> {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: '/root', ...env },
  });
  child.stdin.end();
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { status, stdout, stderr };
}

const MISTAKES: readonly { args: readonly string[]; env?: Env; says: string; why: string }[] = [
  { args: [], says: 'no root: give --root DIR, or a --config FILE that names one', why: 'no root' },
  { args: ['--root', '/nowhere/at/all'], says: '/nowhere/at/all', why: 'a root that does not exist' },
  { args: ['--root', join(root.dir, 'file.txt')], says: 'file.txt', why: 'a root that is a file' },
  { args: ['--root', '/'], says: '--allow-broad-root', why: 'everything as a root' },
  {
    args: ['--root', root.dir],
    env: { HOME: root.dir },
    says: '--allow-broad-root',
    why: 'a home as a root',
  },
  { args: ['--rot', root.dir], says: 'Did you mean --root?', why: 'an unknown flag' },
  {
    args: ['--root', root.dir],
    env: { AIRLOCK_LOG_LEVEL: 'x' },
    says: 'AIRLOCK_LOG_LEVEL',
    why: 'a variable',
  },
  { args: ['--root', root.dir, '--config', '/nowhere.yaml'], says: 'nowhere.yaml', why: 'no config file' },
  {
    args: ['--root', root.dir, '--log-file', '/nowhere/at/all.log'],
    says: 'all.log',
    why: 'no place for a log',
  },
  { args: ['--root', '\u001b[2K\u202Eevil'], says: '<U+001B>', why: 'OUTP-001: terminal codes are shown' },
  { args: ['--\u001b[2Kroot'], says: '<U+001B>', why: 'OUTP-001: wherever they stand' },
];

it.concurrent.each(MISTAKES)('stops with one line and exit code 2: $why', async ({ args, env, says }) => {
  const { status, stdout, stderr } = await run(args, env);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^config-airlock: [^\n]+\n$/);
  expect(stderr).toContain(says);
  expect(stderr).not.toContain('    at ');
  expect(status).toBe(2);
});

it.each([
  { flag: '--version', says: VERSION },
  { flag: '--help', says: 'Usage: config-airlock --root DIR' },
])('$flag answers on stdout, and starts nothing', async ({ flag, says }) => {
  const { status, stdout, stderr } = await run([flag]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(says);
});

it('--help names every option, every variable, every exit code, in lines that fit', async () => {
  const { stdout } = await run(['--help']);
  for (const option of ALL_OPTIONS) {
    expect(stdout).toContain(`--${option.name}`);
    expect(stdout).toContain(option.help.slice(0, 20));
    expect(stdout).toContain(envName(option));
  }
  expect(stdout).toMatch(/Examples:[\s\S]*Exit codes:\n {2}0 [\s\S]* 1 [\s\S]* 2 /);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});

it('--print-config shows each setting and where it comes from, and starts nothing', async () => {
  const { status, stdout, stderr } = await run(['--print-config', '--root', 'x'], {
    AIRLOCK_LOG_LEVEL: 'debug',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^root +x +flag$/m);
  expect(stdout).toMatch(/^log-level +debug +environment$/m);
  expect(stdout).toMatch(/^read-only +false +default$/m);
  expect(stdout.trimEnd().split('\n')).toHaveLength(ALL_OPTIONS.length);
});
