// A format is a folder and a line: what others know of formats is derived, and nobody asks for one by its name.
import { expect, it } from 'vitest';
import { formatNameOf } from '../../../src/adapters/formats/extensions.ts';
import { DEFAULT_ALLOW, FORMAT_FILES } from '../../../src/adapters/index.ts';
import { filesIn } from '../../architecture/sources.ts';

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

/** A branch on one format, by its name, an extension or its line in the registry. */
const BRANCH = /(?:===|!==|case) ?['"](?:YAML|JSONC?|TOML|yaml|yml|jsonc?|toml)['"]|FORMATS\.(?!yaml\b)/u;

it('is asked by its members alone outside of the folders of the formats', () => {
  expect(BRANCH.test("if (format.name === 'JSON')")).toBe(true);
  const branches = [...filesIn('src/adapters'), ...filesIn('src/tools')].filter(
    ([file, text]) => !file.startsWith('src/adapters/formats/') && BRANCH.test(text),
  );
  expect(branches.map(([file]) => file)).toEqual([]);
});
