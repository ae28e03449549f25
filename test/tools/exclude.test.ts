// Files that a pattern leaves out, through a client: the same words in list, search, validation and edits.
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { toolServer } from '../harness/tool-server.ts';

const PATHS = [
  'a.yaml',
  'b.json',
  'charts/a.yaml',
  'charts/vendor/v.yaml',
  'vendor/deep/w.yaml',
  'x/test/t.yaml',
];

const textOf = (path: string) => (path.endsWith('.json') ? '{"k": 1}\n' : 'k: 1\n');
const server = toolServer({ files: Object.fromEntries(PATHS.map((path) => [path, textOf(path)])) });

const Listed = z.looseObject({ files: z.array(z.looseObject({ file: z.string() })) });
const Found = z.looseObject({ matches: z.array(z.string()) });
const Previewed = z.looseObject({ sha256: z.array(z.string()) });
const Checked = z.looseObject({ files: z.number() });

const CASES: readonly { args: object; left: readonly string[]; why: string }[] = [
  { args: { exclude: 'vendor' }, left: [0, 1, 2, 5].map(path), why: 'a name, at any depth' },
  { args: { exclude: 'charts/vendor' }, left: [0, 1, 2, 4, 5].map(path), why: 'one folder' },
  { args: { exclude: 'charts/' }, left: [0, 1, 4, 5].map(path), why: 'a folder with a slash' },
  { args: { exclude: '**/test/**' }, left: [0, 1, 2, 3, 4].map(path), why: 'a pattern' },
  { args: { exclude: '*.json' }, left: [0, 2, 3, 4, 5].map(path), why: 'an ending' },
  { args: { exclude: ['vendor', 'test'] }, left: [0, 1, 2].map(path), why: 'a list' },
  { args: { exclude: 'vendor,test' }, left: [0, 1, 2].map(path), why: 'names with a comma' },
  { args: { exclude: '{vendor,test}/**' }, left: PATHS.filter((one) => !/^vendor/.test(one)), why: 'braces' },
  { args: { exclude: '' }, left: PATHS, why: 'an empty text' },
];

function path(index: number): string {
  return PATHS[index] ?? '';
}

describe('leaves out', () => {
  test.each([
    ...CASES.map(({ args, ...rest }) => ({ ...rest, args: { pattern: '**/*.{yaml,json}', ...args } })),
    { args: { pattern: ['**/*.yaml', '!vendor'] }, left: [0, 2, 5].map(path), why: 'a list as pattern' },
    { args: { pattern: ['charts', 'b.json'] }, left: [1, 2, 3].map(path), why: 'a list of two' },
    { args: { pattern: '!vendor' }, left: [0, 1, 2, 5].map(path), why: 'no pattern but for it' },
    { args: { pattern: '**/*.yaml !vendor !test' }, left: [0, 2].map(path), why: 'in one text' },
    { args: { pattern: 'charts', exclude: 'vendor' }, left: [2].map(path), why: 'below a folder' },
  ])('$why', async ({ args, left }) => {
    const listed = Listed.parse((await server.ok('config_list', args)).data);
    expect(listed.files.map(({ file }) => file)).toEqual([...left].sort());
    const { matches } = Found.parse((await server.ok('config_search', { ...args, key: 'k' })).data);
    expect(matches.map((line) => line.split(':')[0])).toEqual([...left].sort());
    expect(Checked.parse((await server.ok('config_validate', args)).data).files).toBe(left.length);
  });

  test.each(CASES)('$why, in an edit', async ({ args, left }) => {
    const edit = { op: 'set', file: '**/*.{yaml,json}', path: 'k', value: '2', ...args };
    const { sha256 } = Previewed.parse((await server.ok('config_edit', { edits: [edit] })).data);
    expect(sha256.map((line) => line.split(' ')[0]).sort()).toEqual([...left].sort());
  });
});

it('an edit of one named file takes nothing to leave out', async () => {
  const edit = { op: 'set', file: 'a.yaml', exclude: 'vendor', path: 'k', value: '2' };
  const { text } = await server.refused('config_edit', { edits: [edit] });
  expect(text).toContain('it goes with a pattern in "file"');
});

it('a list of a hundred names is one pattern, and a longer one is told the limit', async () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `service-${index}`).join(',');
  const pattern = `**/{${names(100)},a}.yaml`;
  const listed = Listed.parse((await server.ok('config_list', { pattern })).data);
  expect(listed.files.map(({ file }) => file)).toEqual(['a.yaml', 'charts/a.yaml']);
  const { text } = await server.refused('config_list', { pattern: `{${names(400)}}.yaml` });
  expect(text).toContain('longer than 2000 characters');
});
