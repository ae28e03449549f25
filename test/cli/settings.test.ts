// Where the value of an option comes from, and how its text is read.
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readCommandLine } from '../../src/cli/command-line.ts';
import { airlockOptions, logOptions } from '../../src/cli/settings/airlock-options.ts';
import { HTTP_OPTIONS } from '../../src/cli/settings/http-options.ts';
import { httpOptions } from '../../src/cli/settings/http-settings.ts';
import { ALL_OPTIONS } from '../../src/cli/settings/options.ts';
import { resolveSettings } from '../../src/cli/settings/settings.ts';
import { tempRoot } from '../harness/temp-root.ts';

const files = tempRoot({
  'good.yaml': 'read-only: true\nmax-depth: 7\nallow: ["x/*.yaml", "y/*.yaml"]\ndeny: one\n',
  'paths.yaml': [
    'root: [app=./app, "infra=/srv/x"]',
    'schema: "*=../s.json"',
    'reviewers: who',
    'state-dir: /s',
    'log-file: ""\n',
  ].join('\n'),
  'schema.json': '{}',
  'policy.yaml': 'default: preview\nrules: []\n',
  'good.json': '{ "max-file-size": "5mb", "log-level": "warn" }',
});
const at = (name: string): string => join(files.dir, name);
afterAll(() => files.remove());

async function settings(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, { value: unknown; from: string }>>> {
  const request = readCommandLine(args);
  if (request.kind === 'print') throw new Error('no settings were asked for');
  const resolved = await resolveSettings(request.flags, env);
  return Object.fromEntries(
    ALL_OPTIONS.map((option) => {
      const { value, from } = resolved.of(option);
      return [option.name, { value, from }];
    }),
  );
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
  const found = await settings(['--config', at('paths.yaml'), '--log-file', 'x.log']);
  expect(found).toMatchObject({
    root: {
      value: [
        { name: 'app', dir: at('app') },
        { name: 'infra', dir: '/srv/x' },
      ],
    },
    schema: { value: [{ pattern: '*', file: join(files.dir, '../s.json') }] },
    reviewers: { value: at('who') },
    'state-dir': { value: '/s' },
    'log-file': { value: resolve('x.log'), from: 'flag' },
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
  { text: '**/*.{yaml,yml}, b', globs: ['**/*.{yaml,yml}', 'b'], why: 'but not inside braces' },
  { text: ' a ,, ', globs: ['a', '', ''], why: 'what is empty stays, and is refused as a pattern' },
  { text: 'a{b', globs: ['a{b'], why: 'a brace that never closes' },
])('read lists from the environment: $why', async ({ text, globs }) => {
  expect((await settings([], { AIRLOCK_ALLOW: text }))['allow']).toEqual({
    value: globs,
    from: 'environment',
  });
});

it.each(['true', '1', 'yes', 'ON'])('read %s as true', async (text) => {
  expect((await settings([], { AIRLOCK_READ_ONLY: text }))['read-only']?.value).toBe(true);
});

it('hold several roots by name', async () => {
  const args = ['--root', 'app=./a', '--root', 'infra=/srv/x=y', '--deny', 'p', '--deny', 'q'];
  expect(await settings(args)).toMatchObject({
    root: {
      value: [
        { name: 'app', dir: resolve('a') },
        { name: 'infra', dir: '/srv/x=y' },
      ],
      from: 'flag',
    },
    deny: { value: ['p', 'q'], from: 'flag' },
  });
});

/** Of an option of HTTP: those without which it is refused, whatever it says. */
function besideOf(name: string): readonly string[] {
  if (Object.values(HTTP_OPTIONS).every((option) => option.name !== name)) return [];
  const address = ['--http', '127.0.0.1:80'];
  const tokens = ['--http-tokens', 'tokens'];
  const beside: Readonly<Record<string, readonly string[]>> = {
    http: tokens,
    'http-tokens': address,
    'oidc-issuer': address,
    'tls-cert': [...address, ...tokens, '--tls-key', 'key'],
    'tls-key': [...address, ...tokens, '--tls-cert', 'cert'],
  };
  const who = name.startsWith('oidc-') ? ['--oidc-issuer', 'https://login.example'] : tokens;
  return beside[name] ?? [...address, ...who];
}

it.each(ALL_OPTIONS.filter(({ name }) => name !== 'config'))('--$name has an effect', async (option) => {
  const outcome = async (flags: readonly string[]): Promise<unknown> => {
    const request = readCommandLine(['--root', 'x=.', ...flags]);
    if (request.kind !== 'run') throw new Error('nothing was to be run');
    const resolved = await resolveSettings(request.flags, {});
    const http = httpOptions(resolved);
    return { ...(await airlockOptions(resolved, {})), log: logOptions(resolved), http };
  };
  const others = besideOf(option.name);
  const texts = {
    http: '127.0.0.1:80',
    'http-url': 'https://config.example/mcp',
    metrics: '127.0.0.1:81',
    'oidc-issuer': 'https://login.example',
    root: 'y=.',
    approval: 'human',
    'log-level': 'error',
    'log-format': 'text',
    verify: 'full',
    replies: 'text',
    state: 'postgres://ann@db/airlock',
    'file-format': '*=yaml',
    schema: `*=${at('schema.json')}`,
    policy: at('policy.yaml'),
    'mask-path': '*.yaml:spec.license',
    'show-path': '*.yaml:spec.license',
  };
  const given = new Map(Object.entries(texts)).get(option.name) ?? '17';
  const flags = option.argument === undefined ? [`--${option.name}`] : [`--${option.name}`, given];
  const without = await outcome(others).catch((error: unknown) => error);
  expect(await outcome([...others, ...flags])).not.toEqual(without);
});
