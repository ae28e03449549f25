// The next step after a refusal leads on: sent as it is, it does what was asked.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startToolServer, type ToolServer } from '../harness/tool-server.ts';

const FILES = {
  'docs.yaml': 'kind: A\nmetadata: {name: x}\nn: 1\nm: 1\n---\nkind: B\nmetadata: {name: y}\nn: 2\nm: 1\n',
  'plain.yaml': 'n: 1\nm: 1\n---\nn: 2\nm: 1\n',
  'app.yaml':
    'a: {image: "nginx:1.26"}\nb: {image: "redis:7"}\nlist: [1]\nserver: {port: 1, host: x}\nmetadata:\n  labels: {a: b}\n',
};

let server: ToolServer;
beforeAll(async () => {
  server = await startToolServer({ files: FILES });
});
afterAll(() => server.close());

const edit = (fields: object) => ({ edits: [{ file: 'app.yaml', ...fields }] });
const set = (path: string) => ({ op: 'set', file: 'plain.yaml', path, json: 5 });

test.each<{ why: string; tool?: string; args: Readonly<Record<string, unknown>>; sends: unknown }>([
  {
    why: 'a text within many values is looked for in those that hold it',
    args: edit({ op: 'replace_text', path: '*.image', old_text: '1.26', new_text: '1.27' }),
    sends: { edits: [{ from: '*1.26*' }] },
  },
  {
    why: 'the document is given as text, for all edits of the file',
    args: { edits: [set('n'), set('m')] },
    sends: { edits: [{ doc: '0' }, { doc: '0' }] },
  },
  {
    why: 'missing parents are made',
    args: edit({ op: 'copy', path: 'server.port', to: 'other.place' }),
    sends: { edits: [{ create: true }] },
  },
  {
    why: 'a part that moves beside another one stays below its parent',
    args: edit({ op: 'move', path: 'server.host', before: 'port' }),
    sends: { edits: [{ to: 'server' }] },
  },
  {
    why: 'the text of a whole file that is copied is read first',
    args: edit({ op: 'copy', path: '', to: '', to_file: 'new.yaml' }),
    sends: { file: 'app.yaml' },
  },
  {
    why: 'a pattern for one file names the files',
    tool: 'config_get',
    args: { file: '**/app.yaml' },
    sends: { file: 'app.yaml' },
  },
])('$why', async ({ tool = 'config_edit', args, sends }) => {
  const { recovery_steps: steps, suggestions } = await server.refused(tool, args);
  const [step] = steps;
  expect(step?.arguments).toMatchObject(Object(sends));
  await server.ok(step?.tool ?? '', step?.arguments);
  expect(suggestions.join()).not.toContain('folder');
});

test('a guard against new keys is not removed', async () => {
  const args = edit({ op: 'copy', path: 'server.port', to: 'other.place', create: false });
  const { recovery_steps: steps } = await server.refused('config_edit', args);
  expect(JSON.stringify(steps)).not.toContain('"create":true');
});

test.each([
  {
    args: edit({ op: 'rename', path: 'server.port', new_key: 'server.listen' }),
    says: 'server.listen becomes one key, below server. Did you mean listen? new_key is no path.',
  },
  {
    args: edit({ op: 'set', path: 'metadata.labels.app.kubernetes.io/name', json: 'x' }),
    says: 'Did you mean metadata.labels["app.kubernetes.io/name"]?',
  },
])('asks: $says', async ({ args, says }) => {
  expect((await server.ok('config_edit', args)).text).toContain(says);
});

test('a key is not missing where nothing leads to the parts that a wildcard names', async () => {
  const { data } = await server.ok('config_search', { key: 'server.none.*.image', where: 'missing' });
  expect(data['matches']).toEqual([]);
});
