// The next step after a refusal leads on: sent as it is, it does what was asked.
import { expect, test } from 'vitest';
import { toolServer } from '../harness/tool-server.ts';

const FILES = {
  'docs.yaml': 'kind: A\nmetadata: {name: x}\nn: 1\nm: 1\n---\nkind: B\nmetadata: {name: y}\nn: 2\nm: 1\n',
  'plain.yaml': 'n: 1\nm: 1\n---\nn: 2\nm: 1\n',
  'alias.yaml': 'probe: &p\n  http: {path: /, port: 1}\n  wait: 1\nready: *p\nlist: [*p]\n',
  'app.yaml':
    'a: {image: "nginx:1.26"}\nb: {image: "redis:7"}\nlist: [1]\nserver: {port: 1, host: x}\nmetadata:\n  labels: {a: b}\n',
};

const server = toolServer({ files: FILES });

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
    why: 'the path of a new key is that of its parent, and the key',
    args: edit({ op: 'insert', path: 'server.tls', after: 'port', json: 1 }),
    sends: { edits: [{ path: 'server', key: 'tls', after: 'port' }] },
  },
  {
    why: 'what an alias stands for is edited where it is',
    tool: 'config_set',
    args: { file: 'alias.yaml', path: 'ready.wait', json: 2 },
    sends: { path: 'probe.wait' },
  },
  {
    why: 'a pattern for one file names the files',
    tool: 'config_get',
    args: { file: '**/app.yaml' },
    sends: { file: 'app.yaml' },
  },
])('$why', async ({ tool = 'config_edit', args, sends }) => {
  const { again: step, details = '' } = await server.refused(tool, args);
  expect(step?.arguments).toMatchObject(Object(sends));
  await server.ok(step?.tool ?? '', step?.arguments);
  expect(details).not.toContain('folder');
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
  const { text, again } = await server.refused('config_edit', edit(fields));
  expect(text).toContain(says);
  expect(JSON.stringify(again)).not.toContain('create');
  expect((await server.ok(again?.tool ?? '', again?.arguments)).text).not.toContain('Nothing found');
});

test.each([1, 200])(
  'a step of which %i times ten characters are arguments is never cut in the text',
  async (times) => {
    const json = '0123456789'.repeat(times);
    const edits = [{ op: 'set', file: 'alias.yml', path: 'list', json }];
    const { text, again } = await server.refused('config_edit', { edits });
    const sent = JSON.stringify(again?.arguments);
    expect(text).toContain(`config_edit${times === 1 ? ` ${sent}` : ', with its arguments in again'}`);
    expect(text).not.toContain('…');
  },
);

test('the misspelled file among others of a batch is corrected', async () => {
  const right = { op: 'set', file: 'app.yaml', path: 'list[0]', json: 2 };
  const wrong = { op: 'set', file: 'alias.yml', path: 'probe.wait', json: 2 };
  const { again } = await server.refused('config_edit', { edits: [right, wrong] });
  expect(again?.arguments).toEqual({ edits: [right, { ...wrong, file: 'alias.yaml' }] });
  await server.ok(again?.tool ?? '', again?.arguments);
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

const BRANCHES = `{{- if .Values.a }}
image: one
{{- else }}
image: two
{{- end }}
list:
  - {name: x, image: three}
  - name: x
    image:
      tag: "4"
`;

test.each([
  {
    path: 'image',
    says: [
      'image[#1] on line 2 in the branch if .Values.a: one',
      'image[#2] on line 4 in the branch else of if .Values.a: two',
    ],
  },
  {
    path: 'list[name=x].image',
    says: ['list[0].image on line 7: three', 'list[1].image on line 10: a mapping of 1 key'],
  },
  { path: 'list[name=x]', says: ['list[0] on line 7: a mapping of 2 keys', 'list[1] on line 8:'] },
])('shows each node that $path can mean', async ({ path, says }) => {
  server.write('branches.yaml', BRANCHES);
  for (const [tool, more] of [
    ['config_get', {}],
    ['config_set', { json: 'z', dry_run: false }],
  ] as const) {
    const { code, text } = await server.refused(tool, { file: 'branches.yaml', path, ...more });
    expect(code).toBe('NODE_AMBIGUOUS');
    for (const line of says) expect(text).toContain(line);
  }
});

const LONG = 'x'.repeat(300);

test.each<{ why: string; tool?: string; args: Readonly<Record<string, unknown>>; sends: unknown }>([
  {
    why: 'nearest path',
    tool: 'config_set',
    args: { file: 'app.yaml', path: 'server.prt', json: LONG, create: false, reason: LONG, dry_run: false },
    sends: { path: 'server.port' },
  },
  {
    why: 'other document',
    tool: 'config_set',
    args: { file: 'plain.yaml', path: 'm', json: 2, reason: 'r', dry_run: false },
    sends: { doc: '0' },
  },
  {
    why: 'text of a value',
    tool: 'config_set',
    args: { file: 'app.yaml', path: 'server.note', value: 'a: b: c', reason: 'r', dry_run: false },
    sends: { value: undefined, json: 'a: b: c' },
  },
  {
    why: 'pattern',
    tool: 'config_set',
    args: { file: 'app.yaml', path: '*.image', json: 'x', reason: 'r', dry_run: false },
    sends: {
      file: undefined,
      path: undefined,
      json: undefined,
      edits: [{ op: 'set', file: 'app.yaml', path: '*.image', json: 'x' }],
    },
  },
])('Next keeps all that was sent, where it corrects: $why', async ({ tool = 'config_edit', args, sends }) => {
  const { again, text } = await server.refused(tool, args);
  const wanted = JSON.parse(JSON.stringify({ ...args, ...Object(sends) }));
  expect(again?.arguments).toEqual(wanted);
  expect(text).toContain(JSON.stringify(again?.arguments));
});

test('the text "false" writes nothing, and "true" is a preview', async () => {
  const args = { file: 'app.yaml', path: 'server.port', json: 7 };
  expect((await server.refused('config_set', { ...args, dry_run: 'false' })).code).toBe('ARGUMENT_INVALID');
  expect((await server.ok('config_set', { ...args, dry_run: 'true' })).text).toContain('nothing was written');
});

test.each([
  { path: 'm', has: 'kind: B', leaves: 'kind: B\nm: 9\n' },
  { path: 'spec.n', has: 'kind: A', leaves: 'spec: {n: 9}\n' },
  { path: 'list[1]', has: 'kind: C', leaves: 'list: [1, 9]\n' },
])('the one document that has $path is taken', async ({ path, leaves, has }) => {
  const file = server.fresh('kind: A\nspec: {n: 1}\n---\nkind: B\nm: 2\n---\nkind: C\nlist: [1, 2]\n');
  await server.ok('config_set', { file, path, json: 9, dry_run: false });
  expect(server.disk(file)).toContain(leaves);
  expect((await server.ok('config_get', { file, path })).text).toMatch(/^9\b/);
  const edits = [{ op: 'delete', file, path }];
  expect((await server.ok('config_edit', { edits })).text).toContain(has);
});

test.each([
  { why: 'two have it', path: 'a' },
  { why: 'none has it', path: 'b' },
  { why: 'one has it, and an alias leads on in another', path: 'c.d' },
])('the document is asked for: $why', async ({ path }) => {
  const file = server.fresh('a: 1\nc: {d: 1}\n---\na: 2\nx: &x {d: 2}\nc: *x\n');
  expect((await server.refused('config_set', { file, path, json: 9 })).code).toBe('DOCUMENT_AMBIGUOUS');
});

test.each([
  { place: { path: 'm.b', before: 'a' }, leaves: 'm:\n  b: 2\n  a: 1\n' },
  { place: { path: 'm.a', after: 'b' }, leaves: 'm:\n  b: 2\n  a: 1\n' },
  { place: { path: 'l[2]', index: 0 }, leaves: 'l:\n  - z\n  - x\n  - y\n' },
  { place: { path: 'l[0]', after: 'y' }, leaves: 'l:\n  - y\n  - x\n  - z\n' },
  { place: { path: 'm', after: 'l' }, leaves: 'z\nm:\n  a: 1\n  b: 2\n' },
])('a part moves within its parent: $place', async ({ place, leaves }) => {
  const file = server.fresh('m:\n  a: 1\n  b: 2\nl:\n  - x\n  - y\n  - z\n');
  await server.ok('config_edit', { edits: [{ op: 'move', file, ...place }], dry_run: false });
  expect(server.disk(file)).toContain(leaves);
});

test.each([
  { args: { path: 'server.host' }, says: 'move needs to, or a place in its parent', isSaid: true },
  { args: { path: 'server.host', to_file: 'x.yaml', before: 'a' }, says: 'move needs to', isSaid: true },
  { args: { after: 'port' }, says: 'needs to', isSaid: false },
  { args: {}, says: 'needs to', isSaid: false },
])('says what a move lacks: $args', async ({ args, says, isSaid }) => {
  const { text } = await server.refused('config_edit', edit({ op: 'move', ...args }));
  expect(text.includes(says)).toBe(isSaid);
});

test.each([
  {
    why: 'the holder of a label is no part of its key',
    edits: [{ op: 'set', path: 'route.app.annotations.gatus.home-operations.com/endpoint', json: 'x' }],
    says: 'Did you mean route.app.annotations["gatus.home-operations.com/endpoint"]?',
    not: '["annotations.',
  },
  {
    why: 'a new key had no value',
    edits: [
      { op: 'delete', path: 'old' },
      { op: 'set', path: 'other', json: 3 },
    ],
    says: '2 paths in 1 file',
    not: 'was text',
  },
  {
    why: 'a comment that moves to another file is not removed',
    edits: [{ op: 'move', path: 'part', to: '', to_file: 'target.yaml' }],
    says: '+part: 1 # on it',
    not: 'Removed comments',
  },
  {
    why: 'an insert and a delete in a list are two paths',
    edits: [
      { op: 'insert', path: 'list', index: 0, json: 'n' },
      { op: 'delete', path: 'list[-1]' },
    ],
    says: '2 paths in 1 file',
    not: 'a list',
  },
  {
    why: 'so they are among mappings',
    edits: [
      { op: 'insert', path: 'items', index: 1, json: { a: 'n' } },
      { op: 'delete', path: 'items[-1]' },
    ],
    says: '2 paths in 1 file',
    not: 'a mapping',
  },
])('gives no wrong hint: $why', async ({ edits, says, not }) => {
  server.write('target.yaml', 'x: 1\n');
  const text =
    'route: {}\n# about it\npart: 1 # on it\nlist: [a, b, c, d]\nitems:\n  - a: 1\n  - a: 2\n  - a: 3\nold: text\n';
  const file = server.fresh(text);
  const { text: said } = await server.ok('config_edit', { edits: edits.map((one) => ({ file, ...one })) });
  expect(said).toContain(says);
  expect(said).not.toContain(not);
});
