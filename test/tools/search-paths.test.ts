// config_search through a client: keys at the root alone, empty collections, what aliases and merges bring, counted values, and files that may hold secrets.
import { expect, it, test } from 'vitest';
import { z } from 'zod';
import { ownToolServer, toolServer } from '../harness/tool-server.ts';

const SECRET = 'hunter2-real-secret';
const FILES = {
  'a.yaml': 'permissions: {}\njobs: {x: {uses: c@1}}\n',
  'b.yaml': 'jobs:\n  x: {permissions: [], uses: c@1}\n  y: {uses: c@2}\n',
  'c.json': '{"jobs": {"permissions": { }}, "list": [\n]}',
  'd.toml': 'list = []\n[permissions]\n',
  'merge.yaml':
    'base: &base {TZ: UTC, deep: {n: 1}}\nservices:\n  a: {environment: {<<: *base, A: 1}}\n  b: {environment: *base}\n  c: {environment: {<<: [*base, {TZ: no}], deep: own}}\n',
  'bomb.yaml': `a: &a {k1: 1}\n${'bcdefghij'
    .split('')
    .map(
      (name, at) =>
        `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefghi'[at]}`).join(', ')}]\n`,
    )
    .join('')}`,
  'secret.yaml': `db:\n  password: ${SECRET}\n# ${'filler '.repeat(9_000)}\n`,
};

const Reply = z.object({
  matches: z.array(z.string()).optional(),
  values: z.array(z.object({ value: z.string(), count: z.number(), example: z.string() })).optional(),
  notes: z.array(z.string()),
});

const server = toolServer({ files: FILES });

async function search(args: Readonly<Record<string, unknown>>) {
  return Reply.parse((await server.ok('config_search', args)).data);
}

const LACKING = (key: string) => ['b.yaml:1', 'c.json:1'].map((place) => `${place}  (root) lacks ${key}`);

test.each([
  { args: { key: '/permissions', where: 'missing', pattern: '[abc].*' }, found: LACKING('/permissions') },
  { args: { key: '$.permissions', where: 'missing', pattern: '[abc].*' }, found: LACKING('$.permissions') },
  { args: { key: '$.permissions', pattern: '[abc].*' }, found: ['a.yaml:1  permissions = {}'] },
  {
    args: { value: '{}' },
    found: ['a.yaml:1  permissions = {}', 'c.json:1  jobs.permissions = { }', 'd.toml:2  permissions = {0}'],
  },
  {
    args: { value: '[]' },
    found: ['b.yaml:2  jobs.x.permissions = []', 'c.json:1  list = [0]', 'd.toml:1  list = []'],
  },
  { args: { key: 'permissions', where: '=[]' }, found: ['b.yaml:2  jobs.x.permissions = []'] },
  { args: { key: 'permissions', where: '!={}' }, found: ['b.yaml:2  jobs.x.permissions = []'] },
  {
    args: { key: 'services.*.environment.TZ' },
    found: ['a', 'b', 'c'].map(
      (name, at) => `merge.yaml:${at + 3}  services.${name}.environment.TZ = UTC (by alias)`,
    ),
  },
  {
    args: { key: 'deep.n' },
    found: [
      'merge.yaml:1  base.deep.n = 1',
      'merge.yaml:3  services.a.environment.deep.n = 1 (by alias)',
      'merge.yaml:4  services.b.environment.deep.n = 1 (by alias)',
    ],
  },
  { args: { key: 'k1' }, found: ['bomb.yaml:1  a.k1 = 1'] },
])('finds $args', async ({ args, found }) => {
  const pattern = args.pattern?.replace('[abc].*', '{a.yaml,b.yaml,c.json}');
  expect((await search({ ...args, ...(pattern && { pattern }) })).matches).toEqual(found);
});

it('says how many files have a missing key only deeper', async () => {
  const { notes } = await search({ key: 'permissions', where: 'missing', pattern: '{a.yaml,b.yaml,c.json}' });
  expect(notes.join()).toContain('2 files have it only deeper');
  expect(notes.join()).toContain('"key":"/permissions"');
});

it('counts values, the most frequent first, with one place each', async () => {
  expect(await search({ key: 'uses', count: true })).toEqual({
    values: [
      { value: 'c@1', count: 2, example: 'a.yaml:2  jobs.x.uses = c@1' },
      { value: 'c@2', count: 1, example: 'b.yaml:3  jobs.y.uses = c@2' },
    ],
    notes: expect.arrayContaining([expect.stringContaining('3 matches in all')]),
  });
  expect((await search({ key: 'uses', count: true, limit: 1 })).notes).toContain(
    '1 rarer value not shown: raise "limit"',
  );
});

it('finds a text in a file that is too large to be parsed, and says the same of it each time', async () => {
  const lines = `${'a: 1 # see the token\n'.repeat(200)}# last\n`;
  const small = await ownToolServer({
    files: { 'large.yaml': lines },
    flags: ['--max-parsed-size', '2000'],
  });
  const ask = async (args: Readonly<Record<string, unknown>>) => (await small.ok('config_search', args)).text;
  expect(await ask({ text: 'last' })).toMatch(/^large\.yaml:201 {2}# last\n1 match in all$/u);
  const [first, again] = [await ask({ text: 'no such text' }), await ask({ text: 'no such text' })];
  expect(first).toMatch(/^Nothing found in 1 file\./u);
  expect(again).toBe(first);
  expect(await ask({ key: 'a' })).toContain('1 file not searched (1 too large): large.yaml');
});
