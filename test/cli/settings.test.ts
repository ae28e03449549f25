// Where the value of an option comes from, and how its text is read, as --print-config shows it.
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCommand } from '../harness/run-command.ts';
import { tempRoot } from '../harness/temp-root.ts';

const files = tempRoot({
  'good.yaml': 'read-only: true\nmax-depth: 7\nallow: ["x/*.yaml", "y/*.yaml"]\ndeny: one\n',
  'paths.yaml': 'root: [app=./app, "infra=./x=y"]\nreviewers: who\nstate-dir: s\n',
  'good.json': '{ "max-file-size": "5mb", "log-level": "warn" }',
  'app/a.yaml': '',
  'x=y/a.yaml': '',
  who: `ann ed25519:${Buffer.alloc(32, 1).toString('base64')}\n`,
});
const at = (name: string): string => join(files.dir, name);
afterAll(() => files.remove());

/** A root beside the files, where none is named. */
async function settings(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, { value: unknown; from: string }>>> {
  const root = /paths|--root/u.test(args.join()) ? [] : ['--root', at('app')];
  const place = { HOME: at('home'), ...env };
  const { stdout, stderr } = await runCommand(['--print-config', '--json', ...root, ...args], { env: place });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

it('come from flag over environment over config file over default', async () => {
  const config = ['--config', at('good.yaml')];
  const name = 'max-depth';
  expect((await settings([]))[name]).toEqual({ value: 100, from: 'default' });
  expect((await settings(config))[name]).toEqual({ value: 7, from: 'file' });
  expect((await settings(config, { AIRLOCK_MAX_DEPTH: '8' }))[name]).toEqual({
    value: 8,
    from: 'environment',
  });
  expect((await settings([...config, '--max-depth', '9'], { AIRLOCK_MAX_DEPTH: '8' }))[name]).toEqual({
    value: 9,
    from: 'flag',
  });
});

it('are read from YAML and from JSON, named by a flag or by the environment', async () => {
  expect(await settings(['--config', at('good.yaml')])).toMatchObject({
    'read-only': { value: true, from: 'file' },
    allow: { value: ['x/*.yaml', 'y/*.yaml'], from: 'file' },
    deny: { value: ['one'], from: 'file' },
  });
  expect(await settings([], { AIRLOCK_CONFIG: at('good.json') })).toMatchObject({
    'max-file-size': { value: 5_000_000, from: 'file' },
    'log-level': { value: 'warn', from: 'file' },
    config: { value: at('good.json'), from: 'environment' },
  });
});

it('resolve relative paths of a config file against its folder, and those of a flag against the working directory', async () => {
  const found = await settings(['--config', at('paths.yaml'), '--log-level', 'error']);
  expect(found).toMatchObject({
    root: {
      value: [
        { name: 'app', dir: at('app') },
        { name: 'infra', dir: at('x=y') },
      ],
    },
    reviewers: { value: at('who') },
    'state-dir': { value: at('s') },
  });
  const flags = ['--root', 'one=./test', '--root', 'two=./docs', '--deny', 'p', '--deny', 'q'];
  expect(await settings(flags)).toMatchObject({
    root: {
      value: [
        { name: 'one', dir: resolve('test') },
        { name: 'two', dir: resolve('docs') },
      ],
      from: 'flag',
    },
    deny: { value: ['p', 'q'], from: 'flag' },
  });
});

it.each([
  { text: '65536', bytes: 65_536 },
  { text: '500kb', bytes: 500_000 },
  { text: '10MB', bytes: 10_000_000 },
  { text: '1MiB', bytes: 1_048_576 },
  { text: '1.5 mb', bytes: 1_500_000 },
])('read $text as $bytes bytes', async ({ text, bytes }) => {
  expect((await settings(['--max-file-size', text]))['max-file-size']?.value).toBe(bytes);
});

it.each([
  { text: 'a/*.yaml,b/*.yaml', globs: ['a/*.yaml', 'b/*.yaml'], why: 'commas part a list' },
  { text: '**/*.{yaml,yml}, b/*', globs: ['**/*.{yaml,yml}', 'b/*'], why: 'but not inside braces' },
])('read lists from the environment: $why', async ({ text, globs }) => {
  expect((await settings([], { AIRLOCK_ALLOW: text }))['allow']).toEqual({
    value: globs,
    from: 'environment',
  });
});

it.each(['true', '1', 'yes', 'ON'])('read %s as true', async (text) => {
  expect((await settings([], { AIRLOCK_READ_ONLY: text }))['read-only']?.value).toBe(true);
});
