// The next step after a refusal leads on: sent as it is, it does what was asked.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startToolServer, type ToolServer } from '../harness/tool-server.ts';

const FILES = {
  'docs.yaml': 'kind: A\nmetadata: {name: x}\nn: 1\nm: 1\n---\nkind: B\nmetadata: {name: y}\nn: 2\nm: 1\n',
  'plain.yaml': 'n: 1\nm: 1\n---\nn: 2\nm: 1\n',
  'alias.yaml': 'probe: &p\n  http: {path: /, port: 1}\n  wait: 1\nready: *p\nlist: [*p]\n',
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
    why: 'the path of a new key is that of its parent, and the key',
    args: edit({ op: 'insert', path: 'server.tls', after: 'port', json: 1 }),
    sends: { edits: [{ path: 'server', key: 'tls', after: 'port' }] },
  },
  {
    why: 'a key below an alias becomes one of this place',
    tool: 'config_set',
    args: { file: 'alias.yaml', path: 'ready.wait', json: 2 },
    sends: { edits: [{ path: 'ready', value: '<<: *p' }, { path: 'ready.wait' }] },
  },
  {
    why: 'what is deeper below an alias is copied first',
    args: { edits: [{ op: 'set', file: 'alias.yaml', path: 'list[0].http.port', json: 2 }] },
    sends: { edits: [{ path: 'list[0]' }, { op: 'copy', path: 'probe.http', to: 'list[0]' }, { op: 'set' }] },
  },
  {
    why: 'a new key below what is deeper needs no copy',
    args: { edits: [{ op: 'set', file: 'alias.yaml', path: 'ready.tcp.port', json: 2, create: true }] },
    sends: { edits: [{ path: 'ready' }, { path: 'ready.tcp.port' }] },
  },
  {
    why: 'a mapping that is merged into an alias becomes one of this place',
    args: { edits: [{ op: 'merge', file: 'alias.yaml', path: 'ready', json: { wait: 2 } }] },
    sends: { edits: [{ path: 'ready', value: '<<: *p' }, { op: 'merge' }] },
  },
  {
    why: 'a file to which something goes is made first',
    args: edit({ op: 'copy', path: 'server', to: 'x', create: true, to_file: 'apq.yaml' }),
    sends: { edits: [{ op: 'create_file', file: 'apq.yaml' }, { op: 'copy' }] },
  },
  {
    why: 'a pattern for one file names the files',
    tool: 'config_get',
    args: { file: '**/app.yaml' },
    sends: { file: 'app.yaml' },
  },
])('$why', async ({ tool = 'config_edit', args, sends }) => {
  const { recovery_steps: steps, suggestions, text } = await server.refused(tool, args);
  const [step] = steps;
  if (text.includes('FILE_NOT_FOUND') && tool === 'config_edit')
    expect(text).toMatch(/In to_file (?![\s\S]*Use app.yaml)/u);
  expect(step?.arguments).toMatchObject(Object(sends));
  await server.ok(step?.tool ?? '', step?.arguments);
  expect(suggestions.join()).not.toContain('folder');
});

test.each([
  {
    edit: { op: 'set', path: 'server[port=1].host', json: 'y', create: true, expect: 1 },
    says: 'server is a mapping, and has no items for [port=1].host. There is: server.host',
  },
  {
    edit: { op: 'set', path: 'server.tls.*.on', json: true, create: true },
    says: 'server is a mapping, and has no tls.*.on',
  },
  {
    edit: { op: 'set', file: 'docs.yaml', doc: 'C/*', path: 'n', json: 1, create: true },
    says: 'No document is "C/*"; there is: A/x, B/y',
  },
  {
    edit: { op: 'set', file: '*.yaml', doc: { kind: 'C' }, path: 'n', json: 1 },
    says: 'No document is {"kind":"C"}; there is: ',
  },
  {
    edit: { op: 'insert', path: 'server.tls.on', after: 'port', json: 1, create: true },
    says: 'the name of a new key goes in "key"',
  },
])('says the cause where create does not help: $says', async ({ edit: fields, says }) => {
  const { text, recovery_steps: steps } = await server.refused('config_edit', edit(fields));
  expect(text).toContain(says);
  expect(JSON.stringify(steps)).not.toContain('create');
  for (const { tool = '', arguments: args } of steps)
    expect((await server.ok(tool, args)).text).not.toContain('Nothing found');
});

test.each([
  { place: 'before', says: 'goes with "place": "line_end"' },
  { place: 'line_end', says: 'goes with "place": "before"' },
])('says where the comment is that is to go, if it is not $place', async ({ place, says }) => {
  const file = server.fresh(place === 'before' ? 'a: 1 # x\n' : '# x\n\n# y\na: 1\n');
  const edits = [{ op: 'comment', file, path: 'a', comment: '', place }];
  const { text } = await server.ok('config_edit', { edits });
  expect(text).toContain('No change');
  expect(text).toContain(says);
});

test('create is offered where any of the files has room for the key', async () => {
  for (const text of ['zz: 1\n', 'zz: {a: 1}\n']) server.fresh(text);
  const edits = [{ op: 'set', file: '*.yaml', path: 'zz.b', json: 1 }];
  const { recovery_steps: steps } = await server.refused('config_edit', { edits });
  expect(steps[0]?.arguments).toMatchObject({ edits: [{ create: true }] });
});

test('masked values are not compared, whatever they are', async () => {
  const file = server.fresh('a: 1\npassword: hunter2pw\n');
  const plain = server.fresh('a: 1\n');
  for (const term of ['hunter2pw', 'other']) {
    for (const field of ['text', 'value']) {
      const search = async (pattern: string) =>
        (await server.ok('config_search', { pattern, [field]: term })).text;
      expect(await search(file)).toContain('Masked values (<secret:…>) are not searched.');
      expect(await search(plain)).not.toContain('Masked');
    }
    const edits = [{ op: 'replace_text', file, old_text: term, new_text: 'x' }];
    const replaced = [edits, [{ ...edits[0], path: 'password' }]];
    for (const one of replaced)
      expect((await server.refused('config_edit', { edits: one })).text).toContain('Masked values');
  }
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
    args: edit({ op: 'rename', path: 'metadata.labels.a', new_key: 'labels.b' }),
    says: 'labels.b becomes one key, below metadata.labels. Did you mean b? new_key is no path.',
  },
  {
    args: edit({ op: 'rename', path: '/metadata/labels/a', new_key: '/metadata/labels/b' }),
    says: '/metadata/labels/b becomes one key, below metadata.labels. Did you mean b? new_key is no path.',
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
