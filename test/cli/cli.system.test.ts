// The command as an operator meets it: one clear line for what is wrong, help that helps, settings that
// come from where they should. Everything runs the built command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { ALL_OPTIONS } from '../../src/cli/settings/options.ts';
import { VERSION } from '../../src/server.ts';
import { CLI } from '../harness/start-process.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { atTerminal, CTRL_D, HAS_TERMINAL } from '../harness/terminal.ts';

const root = tempRoot({ 'a.yaml': 'a: 1\n', 'file.txt': '' });
const links = tempRoot();
const home = tempRoot();
const linked = join(links.dir, 'root');
symlinkSync(root.dir, linked);
afterAll(() => {
  root.remove();
  links.remove();
  home.remove();
});

type Env = Readonly<Record<string, string>>;

interface Run {
  readonly status: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(args: readonly string[], env: Env = {}): Promise<Run> {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: home.dir, ...env },
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
  {
    args: ['history', '--root', root.dir],
    env: { HOME: root.dir },
    says: '--allow-broad-root',
    why: 'a home as a root of a command',
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
  { words: '--version', says: VERSION },
  { words: '-V', says: VERSION },
  { words: '--help', says: 'Usage: config-airlock --root DIR' },
  { words: '-h', says: 'Usage: config-airlock --root DIR' },
  { words: 'help', says: 'Usage: config-airlock --root DIR' },
  { words: 'help approve', says: 'Usage: config-airlock approve [options] <preview_id>' },
  { words: 'approve --help', says: 'Exit codes: 0 approved' },
  { words: 'approve -h', says: '--key <FILE>' },
])('$words answers on stdout, and starts nothing', async ({ words, says }) => {
  const { status, stdout, stderr } = await run(words.split(' '));
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(says);
});

it('--help names every option, how variables are named, every exit code, in lines that fit', async () => {
  const { stdout } = await run(['--help']);
  for (const option of ALL_OPTIONS) {
    expect(stdout).toContain(`--${option.name}`);
    expect(stdout).toContain(option.help.slice(0, 20));
  }
  expect(stdout).toContain('--log-level is AIRLOCK_LOG_LEVEL');
  expect(stdout).toMatch(/Examples:[\s\S]*Exit codes:\n {2}0 [\s\S]* 1 [\s\S]* 2 /);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
});

it('--print-config shows each setting and where it comes from, and starts nothing', async () => {
  const { status, stdout, stderr } = await run(['--print-config', '--root', root.dir], {
    AIRLOCK_LOG_LEVEL: 'debug',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^root +flag +\S+$/m);
  expect(stdout).toMatch(/^log-level +environment +debug$/m);
  expect(stdout).toMatch(/^read-only +default +false$/m);
  const rows = stdout.trimEnd().split('\n');
  expect(rows.filter((row) => row.length > 80)).toEqual([]);
  expect(rows.flatMap((row) => /^[a-z][\w-]*/u.exec(row)?.[0] ?? [])).toEqual(
    ALL_OPTIONS.map(({ name }) => name),
  );
});

it.each([
  { flags: ['--root', '/nowhere/at/all'], says: '/nowhere/at/all', why: 'a root that does not exist' },
  { flags: ['--root', root.dir, '--deny', '{1..9}'], says: '{1..9}', why: 'a pattern that is none' },
  {
    flags: ['--root', root.dir, '--reviewers', '/nowhere/at/all'],
    says: '/nowhere/at/all',
    why: 'a reviewers file that does not exist',
  },
  {
    flags: ['--root', root.dir, '--approval', 'human'],
    says: '--reviewers',
    why: 'nobody who could approve',
  },
  {
    flags: ['--root', root.dir, '--state-dir', join(root.dir, 'state')],
    says: 'overlap',
    why: 'a state directory inside a root',
  },
  {
    flags: ['--root', linked, '--log-file', join(root.dir, 'x.log')],
    says: 'inside a root',
    why: 'a log file inside a root that is given by a link to it',
  },
  {
    flags: ['--root', root.dir, '--log-file', '/nowhere/at/all.log'],
    says: 'all.log',
    why: 'no place for a log',
  },
])('--print-config fails as the start does: $why', async ({ flags, says }) => {
  const { status, stdout, stderr } = await run(['--print-config', ...flags]);
  expect(status).toBe(2);
  expect(stdout).toMatch(/^root /m);
  expect(stderr).toMatch(/^config-airlock: [^\n]+\n$/);
  expect(stderr).toContain(says);
  expect(readdirSync(root.dir).sort()).toEqual(['a.yaml', 'file.txt']);
});

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
