// The example of docs/embedding.md compiles against the types of the installed package, as strictly as TypeScript can, and
// does what the page says; and the types name the options that there are.
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALL_OPTIONS, OPTION_GROUPS } from '../src/cli/settings/options.ts';
import { installPackage, REPOSITORY, run } from './harness/installed-package.ts';
import { tempRoot } from './harness/temp-root.ts';

const page = readFileSync(join(REPOSITORY, 'docs/embedding.md'), 'utf8');
const [, example = ''] = /```ts\n(.*?)```/s.exec(page) ?? [];
const place = tempRoot();
let home = '';

beforeAll(() => {
  ({ home } = installPackage(place.dir));
  const sdk = '@modelcontextprotocol';
  symlinkSync(join(REPOSITORY, 'node_modules', sdk), join(home, 'node_modules', sdk), 'junction');
});
afterAll(() => place.remove());

function compile(name: string, text: string): string {
  writeFileSync(join(home, name), text);
  const types = ['--types', 'node', '--typeRoots', join(REPOSITORY, 'node_modules/@types')];
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit'];
  const modules = ['--module', 'nodenext', '--target', 'es2023', '--skipLibCheck'];
  const args = [...strict, ...modules, ...types, name];
  const tsc = join(REPOSITORY, 'node_modules/.bin/tsc');
  return spawnSync(tsc, args, { cwd: home, encoding: 'utf8', shell: process.platform === 'win32' }).stdout;
}

it('the example compiles in strict mode, and reads what it asks for', () => {
  expect(example.trim().split('\n').length).toBeLessThanOrEqual(16);
  expect(compile('example.mts', example)).toBe('');
  // It is JavaScript as well.
  writeFileSync(join(home, 'example.mjs'), example);
  expect(run(process.execPath, [join(home, 'example.mjs')], REPOSITORY)).toContain('"1.10"');
});

it('its types name every option but the config file itself and those of HTTP, and no other', () => {
  const types = readFileSync(join(home, 'node_modules/config-airlock/bundle/index.d.ts'), 'utf8');
  const keys = [...types.matchAll(/^ {2}readonly '([\w-]+)'\?:/gm)].map(([, name]) => name);
  const overHttp = OPTION_GROUPS.find(({ title }) => title === 'Over HTTP')?.options ?? [];
  const ofCommand = ['config', ...overHttp.map(({ name }) => name)];
  expect(keys).toEqual(ALL_OPTIONS.map(({ name }) => name).filter((name) => !ofCommand.includes(name)));
  const start = "import { openAirlock } from 'config-airlock';\nexport const opened = openAirlock(";
  expect(compile('typo.mts', `${start}{ rot: 'x' });\n`)).toContain("'rot' does not exist");
  expect(compile('value.mts', `${start}{ approval: 'maybe' });\n`)).toContain(
    '\'"maybe"\' is not assignable',
  );
});
