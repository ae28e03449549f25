// A search, and a replacement of text, look outside masked values only, and say so where there are any.
import { expect, test } from 'vitest';
import { sharedStage } from '../harness/previews.ts';

const stage = sharedStage([], {
  'a.properties': 'quarkus.secret-store=file\ndb.password=hunter2pw\napi.token=hunter2pw\n',
  'b.yaml': 'secret: hunter2pw\nname: secret\npasswords: {a: hunter2pw}\n',
  'c.yaml': 'name: a secret\n',
});

test.each([
  { args: { text: 'secret', pattern: 'a.properties' }, found: ['a.properties:1'] },
  { args: { text: '(?i)SECRET', pattern: 'a.properties' }, found: ['a.properties:1'] },
  { args: { text: '<secret:', pattern: 'a.properties' }, found: [] },
  { args: { text: 'password=*', pattern: 'a.properties' }, found: ['a.properties:2'] },
  { args: { value: '*secret*', pattern: '*.yaml' }, found: ['b.yaml:2', 'c.yaml:1'] },
  { args: { value: '?', pattern: 'b.yaml' }, found: [] },
])('$args finds $found', async ({ args, found }) => {
  const { server } = await stage();
  const { data, text } = await server.ok('config_search', args);
  const places = [data['matches']].flat().map((line) => String(line).split('  ')[0]);
  expect(places).toEqual(found);
  expect(text).not.toContain('more in other letter case');
});

const MASKED = 'Masked values (<secret:…>) are not searched.';

test.each([
  { args: { text: 'secret', pattern: 'a.properties' }, total: '1 match in what was searched' },
  { args: { text: 'hunter2pw', pattern: 'a.properties' }, total: 'Nothing found in 1 file' },
  { args: { value: 'secret', pattern: 'b.yaml' }, total: '1 match in what was searched' },
  { args: { where: '!=x', pattern: 'b.yaml' }, total: 'in what was searched' },
  { args: { value: 'a secret', pattern: '{b,c}.yaml' }, total: '1 match in what was searched' },
])('$args says that masked values were left out', async ({ args, total }) => {
  const { server } = await stage();
  const { text } = await server.ok('config_search', args);
  expect(text).toContain(total);
  expect(text.split(MASKED)).toHaveLength(2);
});

test.each([
  { args: { key: 'secret', pattern: 'b.yaml' }, why: 'keys are not masked' },
  { args: { text: 'secret', pattern: 'c.yaml' }, why: 'nothing is masked there' },
])('$args finds all: $why', async ({ args }) => {
  const { server } = await stage();
  const { text } = await server.ok('config_search', args);
  expect(text).toContain('1 match in all');
  expect(text).not.toContain('Masked');
});

test('the last page tells of masked values on the pages before it', async () => {
  const { server } = await stage();
  const args = { text: 'name', pattern: '{b,c}.yaml', limit: 1 };
  const first = await server.ok('config_search', args);
  const { text } = await server.ok('config_search', { ...args, cursor: first.data['next_cursor'] });
  expect(text).toContain('Last page: 2 matches in what was searched');
  expect(text).toContain(MASKED);
});

const NOT_COMPARED = 'Masked values (<secret:…>) are not compared with old_text';

test.each([
  { file: '*.yaml', count: 2, told: true, why: 'a pattern for files with masked values' },
  { file: 'b.yaml', count: 1, told: true, why: 'a file with masked values' },
  { file: 'c.yaml', count: 1, told: false, why: 'a file without any' },
])('a replacement of counted text tells of masked values: $why', async ({ file, count, told }) => {
  const { server } = await stage();
  const edit = { op: 'replace_text', file, old_text: 'name: ', new_text: 'label: ' };
  const done = await server.ok('config_edit', { edits: [{ ...edit, expect: count }] });
  expect(done.text.includes(NOT_COMPARED)).toBe(told);
  const refused = await server.refused('config_edit', { edits: [{ ...edit, expect: 9 }] });
  expect(refused.text.includes(NOT_COMPARED)).toBe(told);
});

test.each([
  {
    key: '*password*',
    pattern: '*.properties',
    says: 'config_search {"pattern":"*.properties","text":"password"} searches it',
  },
  { key: 'nowhere', pattern: '*', says: 'config_search {"pattern":"*","text":"nowhere"} searches it' },
  {
    value: '*secret-store*',
    pattern: '*',
    says: 'config_search {"pattern":"*","text":"secret-store"} searches it',
  },
  { value: '*secret*', pattern: '*', says: 'config_search {"pattern":"*","text":"secret"} searches it' },
])(
  'plain text has neither keys nor values, and $key$value in $pattern leads to text',
  async ({ says, ...args }) => {
    const { server } = await stage();
    const { text } = await server.ok('config_search', args);
    expect(text).toContain(`Of these files 1 is plain text, without keys: ${says}`);
    expect(text).not.toMatch(/\(root\)|No key is|in all/u);
  },
);
