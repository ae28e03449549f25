// The command as an operator meets it: one clear line for what is wrong, help that helps, settings that
// come from where they should. Everything runs the built command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { envName } from '../../src/cli/option.ts';
import { ALL_OPTIONS } from '../../src/cli/options.ts';
import { VERSION } from '../../src/server.ts';
import { CLI } from '../harness/start-server.ts';
import { tempRoot } from '../harness/temp-root.ts';

const root = tempRoot({ 'a.yaml': 'a: 1\n', 'file.txt': '' });
const files = tempRoot({
  'unknown.yaml': 'red-only: true\n',
  'typo.yaml': 'log-level: loud\n',
  'nested.yaml': 'max-depth: { a: 1 }\n',
  'list.yaml': '- read-only\n',
  'broken.yaml': 'a: [\n',
  'self.yaml': 'config: other.yaml\n',
  'latin1.yaml': Buffer.from([0x61, 0x3a, 0x20, 0xe9]),
});
const at = (name: string): string => join(files.dir, name);
afterAll(() => {
  root.remove();
  files.remove();
});

interface Run {
  readonly status: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
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

const MISTAKES: readonly {
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  says: string;
  why: string;
}[] = [
  { args: [], says: 'no root', why: 'no root' },
  { args: [], env: { AIRLOCK_ROOT: '  ' }, says: 'no root', why: 'an empty variable counts as unset' },
  { args: ['--root', '/nowhere/at/all'], says: '/nowhere/at/all', why: 'a root that does not exist' },
  { args: ['--root', join(root.dir, 'file.txt')], says: 'file.txt', why: 'a root that is a file' },
  { args: ['--root', '/'], says: '--allow-broad-root', why: 'everything as a root' },
  {
    args: ['--root', root.dir],
    env: { HOME: root.dir },
    says: '--allow-broad-root',
    why: 'a home as a root',
  },
  { args: ['--root', ''], says: '--root', why: 'an empty root' },
  { args: ['--root'], says: '--root', why: 'a flag without its value' },
  { args: ['--root', 'a', '--root', 'b'], says: 'name=DIR', why: 'two roots without names' },
  { args: ['--root', 'x=a', '--root', 'x=b'], says: 'same name', why: 'two roots of one name' },
  { args: ['--rot', root.dir], says: '--root', why: 'an unknown flag, with what was meant' },
  { args: [root.dir], says: 'argument', why: 'a directory without its flag' },
  { args: ['--root', root.dir, '--max-file-size', '10zb'], says: '--max-file-size', why: 'no such unit' },
  { args: ['--root', root.dir, '--max-file-size', '0'], says: '--max-file-size', why: 'nothing at all' },
  {
    args: ['--root', root.dir, '--max-file-size', '1e9'],
    says: '--max-file-size',
    why: 'a number of another kind',
  },
  { args: ['--root', root.dir, '--max-depth', '-1'], says: '--max-depth', why: 'a negative limit' },
  {
    args: ['--root', root.dir, '--max-depth', '1', '--max-depth', '2'],
    says: '--max-depth',
    why: 'given twice',
  },
  {
    args: ['--root', root.dir, '--approval', 'human'],
    says: 'expected direct',
    why: 'an approval that does not exist yet',
  },
  {
    args: ['--root', root.dir, '--log-level', 'loud'],
    says: 'debug or info or warn or error',
    why: 'no such level',
  },
  {
    args: ['--root', root.dir, '--log-file', '/nowhere/at/all.log'],
    says: 'all.log',
    why: 'no place for a log',
  },
  {
    args: ['--root', root.dir],
    env: { AIRLOCK_READ_ONLY: 'maybe' },
    says: 'AIRLOCK_READ_ONLY',
    why: 'a wrong variable, named',
  },
  {
    args: ['--root', root.dir, '--log-level', 'info'],
    env: { AIRLOCK_LOG_LEVEL: 'loud' },
    says: 'AIRLOCK_LOG_LEVEL',
    why: 'a wrong variable behind a right flag',
  },
  { args: ['--root', root.dir, '--config', at('none.yaml')], says: 'none.yaml', why: 'no such config file' },
  {
    args: ['--root', root.dir, '--config', root.dir],
    says: 'no plain file',
    why: 'a directory as config file',
  },
  { args: ['--root', root.dir, '--config', at('unknown.yaml')], says: '"red-only"', why: 'an unknown key' },
  {
    args: ['--root', root.dir, '--config', at('typo.yaml')],
    says: 'log-level in',
    why: 'a wrong value in the file',
  },
  {
    args: ['--root', root.dir, '--config', at('nested.yaml')],
    says: 'max-depth in',
    why: 'a mapping for a number',
  },
  { args: ['--root', root.dir, '--config', at('list.yaml')], says: 'mapping', why: 'a list for a mapping' },
  { args: ['--root', root.dir, '--config', at('broken.yaml')], says: 'broken.yaml', why: 'no YAML' },
  {
    args: ['--root', root.dir, '--config', at('self.yaml')],
    says: '"config"',
    why: 'a file that names a file',
  },
  { args: ['--root', root.dir, '--config', at('latin1.yaml')], says: 'UTF-8', why: 'another encoding' },
  { args: ['--root', root.dir, '--json'], says: '--print-config', why: 'half a question' },
  {
    args: ['--root', '\u001b[2K\u202Eevil'],
    says: '<U+001B>',
    why: 'OUTP-001: terminal codes are shown, not obeyed',
  },
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
