// The command as an operator meets it: one clear line for what is wrong, before anything is opened; help that helps; and
// --print-config, which shows what a start would take and fails as the start does.
import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { ALL_OPTIONS } from '../../src/cli/settings/options.ts';
import { runCommand } from '../harness/run-command.ts';
import { tempRoot } from '../harness/temp-root.ts';

const root = tempRoot({ 'a.yaml': 'a: 1\n', 'file.txt': '' });
const links = tempRoot();
const linked = join(links.dir, 'root');
symlinkSync(root.dir, linked);
const files = tempRoot({
  'unknown.yaml': 'red-only: true\n',
  'typo.yaml': 'log-level: loud\n',
  'nested.yaml': 'max-depth: { a: 1 }\n',
  'list.yaml': '- read-only\n',
  'empty.yaml': '',
  'broken.yaml': 'a: [\n',
  'self.yaml': 'config: other.yaml\n',
  'latin1.yaml': Buffer.from([0x61, 0x3a, 0x20, 0xe9]),
});
afterAll(() => {
  for (const { remove } of [root, links, files]) remove();
});

type Env = Readonly<Record<string, string>>;

const run = (args: readonly string[], env: Env = {}) =>
  runCommand(args, { env: { HOME: join(files.dir, 'home'), ...env } });
const rooted = (...args: readonly string[]): readonly string[] => ['--root', '.', ...args];
const config = (name: string): readonly string[] => rooted('--config', join(files.dir, name));

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
    args: ['--root', root.dir, '--log-file', '/nowhere/at/all.log'],
    says: 'all.log',
    why: 'no place for a log',
  },
  { args: ['--root', '\u001b[2K\u202Eevil'], says: '<U+001B>', why: 'OUTP-001: terminal codes are shown' },
  { args: ['--\u001b[2Kroot'], says: '<U+001B>', why: 'OUTP-001: wherever they stand' },
  { args: [], env: { AIRLOCK_ROOT: '  ' }, says: 'no root', why: 'an empty variable counts as unset' },
  { args: ['--root', ''], says: '--root: expected a directory', why: 'an empty root' },
  { args: ['--root'], says: '--root', why: 'a flag without its value' },
  { args: ['--root', 'a', '--root', 'b'], says: 'name=DIR', why: 'two roots without names' },
  { args: ['--root', 'x=a', '--root', 'x=b'], says: 'same name', why: 'two roots of one name' },
  { args: ['somewhere'], says: 'unknown command "somewhere"', why: 'a directory without its flag' },
  { args: rooted('--max-file-size', '10zb'), says: '--max-file-size: expected a size', why: 'no such unit' },
  { args: rooted('--max-file-size', '0'), says: '--max-file-size', why: 'nothing at all' },
  { args: rooted('--max-file-size', '1e9'), says: '--max-file-size', why: 'a number of another kind' },
  { args: rooted('--max-file-size', '0.5'), says: '--max-file-size', why: 'half a byte' },
  { args: rooted('--max-file-size', '501mb'), says: 'at most 500mb', why: 'more than a string can hold' },
  { args: rooted('--max-depth', '-1'), says: '--max-depth', why: 'a negative limit' },
  { args: rooted('--max-depth', '501'), says: 'from 1 to 500', why: 'deeper than a stack' },
  { args: rooted('--max-depth', '1', '--max-depth', '2'), says: 'one value', why: 'given twice' },
  {
    args: rooted('--approval', 'nobody'),
    says: 'expected direct or preview or client or human',
    why: 'an approval that does not exist',
  },
  { args: rooted('--quiet', '--verbose'), says: 'exclude each other', why: 'little and much at once' },
  { args: rooted('--log-level', 'loud'), says: 'debug or info or warn or error', why: 'no such level' },
  { args: rooted(), env: { AIRLOCK_READONLY: '1' }, says: 'unknown variable', why: 'a misspelt variable' },
  { args: rooted(), env: { AIRLOCK_RADONLY: '1' }, says: 'AIRLOCK_READ_ONLY', why: 'a slip of the pen' },
  { args: rooted(), env: { AIRLOCKREADONLY: '1' }, says: 'AIRLOCK_READ_ONLY', why: 'no underscore at all' },
  { args: rooted(), env: { airlock_read_only: '1' }, says: 'AIRLOCK_READ_ONLY', why: 'another case' },
  { args: rooted(), env: { AIRLOCK_YES: '1' }, says: '--help', why: 'a variable that does not exist' },
  { args: rooted(), env: { AIRLOCK_READ_ONLY: 'maybe' }, says: 'AIRLOCK_READ_ONLY', why: 'a wrong variable' },
  {
    args: rooted('--log-level', 'info'),
    env: { AIRLOCK_LOG_LEVEL: 'loud' },
    says: 'AIRLOCK_LOG_LEVEL',
    why: 'a wrong variable behind a right flag',
  },
  { args: config('none.yaml'), says: 'none.yaml', why: 'no such config file' },
  { args: config('.'), says: 'no plain file', why: 'a directory as config file' },
  { args: config('unknown.yaml'), says: '"red-only"; did you mean read-only?', why: 'an unknown key' },
  { args: config('typo.yaml'), says: 'log-level in', why: 'a wrong value in the file' },
  { args: config('nested.yaml'), says: 'max-depth in', why: 'a mapping for a number' },
  { args: config('list.yaml'), says: 'mapping', why: 'a list for a mapping' },
  { args: config('empty.yaml'), says: 'mapping', why: 'nothing for a mapping' },
  { args: config('broken.yaml'), says: 'broken.yaml', why: 'no YAML' },
  { args: config('self.yaml'), says: '"config"', why: 'a file that names a file' },
  { args: config('latin1.yaml'), says: 'UTF-8', why: 'another encoding' },
  {
    args: rooted('--deny', '--read-only'),
    says: '--deny: expected a value, got "--read-only"',
    why: 'a flag whose value was forgotten, and which would take the next flag for it',
  },
  {
    args: rooted(),
    env: { AIRLOCK_DENY: ',' },
    says: 'bad --deny pattern "": it is empty',
    why: 'a comma alone',
  },
  { args: rooted(), env: { AIRLOCK_DENY: 'a,,b' }, says: 'it is empty', why: 'two commas' },
  {
    args: rooted(),
    env: { AIRLOCK_MASK_KEY: 'a,' },
    says: '--mask-key pattern ""',
    why: 'a comma at the end',
  },
  { args: rooted(), env: { AIRLOCK_DENY: '{a,{b,c}},./d' }, says: 'write "d"', why: 'a list with braces' },
  { args: rooted('--mask-path', 'a.yaml: b'), says: 'write "a.yaml:b"', why: 'a blank after the colon' },
  { args: rooted('--mask-path', 'a.yaml'), says: 'expected GLOB:PATH', why: 'no node' },
  { args: rooted('--mask-key', 'a.b'), says: 'for a key that holds a dot', why: 'a dotted key' },
  {
    args: rooted('--log-file', '--read-only'),
    says: '--log-file: expected a value',
    why: 'the same, a file',
  },
  { args: rooted('--deny=--x'), says: '--deny: expected a value', why: 'a value that looks like a flag' },
  { args: rooted('--json'), says: '--print-config', why: 'an option without the one it belongs to' },
  { args: ['help', 'revew'], says: 'did you mean review?', why: 'help about a command that does not exist' },
  { args: ['approve'], says: 'usage: config-airlock approve <preview_id>', why: 'no argument' },
  { args: ['approve', 'x', 'y'], says: 'usage: config-airlock approve', why: 'one argument too many' },
  { args: ['serve', '--key', 'x'], says: "unknown option '--key'", why: 'an option of other commands' },
];

it.each(MISTAKES)('stops with one line and exit code 2: $why [DIS-5]', async ({ args, env, says }) => {
  const { status, stdout, stderr } = await run(args, env);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^config-airlock: [^\n]+\n$/);
  expect(stderr).toContain(says);
  expect(stderr).not.toContain('    at ');
});

it.each([
  { words: '--version', says: packageJson.version },
  { words: '-V', says: packageJson.version },
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
  const names = rows.flatMap((row) => /^[a-z][\w-]*/u.exec(row)?.[0] ?? []);
  // The last line is about this process.
  expect(names.filter((name) => name !== 'node-flags')).toEqual(ALL_OPTIONS.map(({ name }) => name));
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
