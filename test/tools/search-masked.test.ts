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
