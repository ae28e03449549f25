// Which names of files are read in which format, told by what can be read by a path in them.
import { afterAll, expect, test } from 'vitest';
import { inlineAirlock } from '../harness/inline-airlock.ts';

const TEXTS = {
  yaml: 'a: 1\n',
  json: '{"a": 1}\n',
  jsonc: '{"a": 1, "b": [1,],}\n',
  toml: 'a = 1\n',
  template: 'a: 1\n{{- if .b }}\nc: 1\n{{- end }}\n',
} as const;

/** The formats in which `a` is found by its path. */
const READS = {
  yaml: ['yaml', 'json', 'jsonc', 'template'],
  template: ['yaml', 'json', 'jsonc', 'template'],
  json: ['json'],
  jsonc: ['json', 'jsonc'],
  toml: ['toml'],
  text: [],
} as const;

const airlock = await inlineAirlock({ 'x.yaml': '' }, { allow: ['**'] });
afterAll(() => airlock.close());

test.each<[string, keyof typeof READS]>([
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
  ['.yaml', 'text'],
  ['_helpers.tpl', 'template'],
  ['app.yaml.j2', 'template'],
  ['Cargo.toml', 'toml'],
  ['nginx.conf', 'text'],
])('%s is read as %s', async (file, format) => {
  const read: string[] = [];
  for (const [kind, text] of Object.entries(TEXTS)) {
    airlock.write(file, text);
    const outcome = await airlock.call('config_get', { file, path: 'a' });
    if (outcome.status === 'ok' && outcome.text.startsWith('1')) read.push(kind);
  }
  expect(read).toEqual(READS[format]);
});
