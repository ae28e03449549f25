// A format is a folder and a line: what others know of formats is derived, and nobody asks for one by its name.
import { expect, it } from 'vitest';
import { DEFAULT_ALLOW, EXTENSIONS } from '../../../src/adapters/index.ts';
import { filesIn } from '../../architecture/sources.ts';

it('gives the extensions and the files that exist by default', () => {
  expect(EXTENSIONS).toEqual(['yaml', 'yml', 'json', 'jsonc', 'toml']);
  expect(DEFAULT_ALLOW[0]).toBe('**/*.{yaml,yml,json,jsonc,toml}');
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
