// Which names of files are read in which format.
import { expect, it } from 'vitest';
import { formatNameOf } from '../../../src/adapters/formats/extensions.ts';
import { DEFAULT_ALLOW, FORMAT_FILES } from '../../../src/adapters/index.ts';

it('gives the names of its files', () => {
  expect(FORMAT_FILES.map(({ name }) => name)).toEqual(['yaml', 'template', 'jsonc', 'json', 'toml']);
});

it.each([
  ['a.yaml', 'yaml'],
  ['CI.YML', 'yaml'],
  ['package.json', 'json'],
  ['tsconfig.json', 'jsonc'],
  ['tsconfig.build.json', 'jsonc'],
  ['my-tsconfig.json', 'json'],
  ['tsconfig.json.txt', 'text'],
  ['devcontainer.json', 'jsonc'],
  ['a.jsonc', 'jsonc'],
  ['team.code-workspace', 'jsonc'],
  ['.swcrc', 'jsonc'],
  ['.yaml', 'text'],
  ['_helpers.tpl', 'template'],
  ['app.yaml.j2', 'template'],
  ['nginx.conf', 'text'],
])('%s is read as %s', (file, format) => {
  expect(formatNameOf(file.split('/'))).toBe(format);
});

it('leaves to the operator what starts programs', () => {
  expect(DEFAULT_ALLOW.join()).not.toContain('code-workspace');
});
