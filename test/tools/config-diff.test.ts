// config_diff through a client: what differs in the data of two files, documents or nodes, and of a file since a change.
import { expect, it, test } from 'vitest';
import { toolServer } from '../harness/tool-server.ts';

const FILES = {
  'staging.yaml':
    'image: {tag: "1.10"}\nreplicas: 1\ndebug: true\nenv:\n- name: LOG\n  value: debug\n- {name: A, value: "1"}\n',
  'prod.yaml':
    "# by hand\nreplicas: 3\nimage: {tag: 1.11}\nhosts: [a, b]\nenv:\n- name: A\n  value: '1'\n- {name: NEW, value: x}\n- {name: LOG, value: info}\n",
  'same.json': '{"replicas": 3, "image": {"tag": 1.11}, "hosts": ["a", "b"]}',
  'two.yaml': 'kind: A\nmetadata: {name: a}\nn: 1\n---\nkind: B\nmetadata: {name: b}\nn: {x: 1}\n',
  'owt.yaml':
    'kind: B\nmetadata: {name: b}\nn: {x: 2}\n---\nkind: C\nmetadata: {name: c}\n---\nkind: A\nmetadata: {name: a}\nn: 1\n',
  'old.yaml': `t: |\n  a: 1\n  b: 2\n  c: 3\nl: ${'x'.repeat(300)}1\nw: |\n  a\n  b\nq: |\n  a\n  b\n`,
  'new.yaml': `t: |\n  a: 1\n  b: 4\n  c: 3\nl: ${'x'.repeat(300)}2\nw: |\n  a\n  b\n  c\n  d\nq: |\n  b\n`,
  'order.yaml':
    'a:\n  args: [a, b, c, d]\n  env: [{name: A}, {name: B}]\nb:\n  args: [d, a, b, x]\n  env: [{name: B}, {name: A}]\n',
  'loop.yaml': 'a: &a\n  b: *a\n  c: 1\n',
  '.env.yaml': 'secret: hunter2\n',
  'a.properties': `${Array.from({ length: 20 }, (_, i) => `n${i}=${i}\n`).join('')}db.password=Hunter2xyz9\n`,
  'b.properties': `${Array.from({ length: 19 }, (_, i) => `n${i}=${i === 2 ? 'two' : i}\n`).join('')}db.password=0therPw4xyz\nlast=1`,
  'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
  'chart/templates/a.yaml':
    '{{- if .Values.a }}\nx: {{ .Values.x }}\n{{- end }}\ny:\n  {{- with .Values.y }}\n  z: 1\n  {{- end }}\n',
  'chart/templates/b.yaml':
    '{{- if .Values.b }}\nx: {{ .Values.x }}\n{{- end }}\ny:\n  {{- with .Values.y }}\n  z: 1\n  {{- end }}\n',
};

const NUMBERS = 'Indexes and lines are those of b, behind "-" those of a.';

const server = toolServer({ files: FILES });

test.each([
  {
    a: { file: 'staging.yaml' },
    b: { file: 'prod.yaml' },
    lines: [
      'staging.yaml → prod.yaml: 2 added, 1 removed, 4 changed',
      '~ replicas: 1 → 3  (line 2)',
      '~ image.tag: "1.10" → 1.11  (line 3)',
      '+ hosts = ["a","b"]  (line 4)',
      '+ env[1] = {"name":"NEW","value":"x"}  (line 8)',
      '~ env[2].value: debug → info  (line 9)',
      '~ env: its items are in another order  (line 6)',
      '- debug = true  (line 3)',
      NUMBERS,
    ],
    why: 'whole files, items by their names, whatever the order and the quotes',
  },
  {
    a: { file: 'staging.yaml', path: 'env[name=A].value' },
    b: { file: 'prod.yaml', path: '/env/0/value' },
    lines: ['staging.yaml env[name=A].value → prod.yaml /env/0/value: no difference in the data'],
    why: 'two nodes in the forms of paths that edits take',
  },
  {
    a: { file: 'order.yaml', path: 'a' },
    b: { file: 'order.yaml', path: 'b' },
    lines: [
      'order.yaml a → order.yaml b: 1 added, 1 removed, 2 changed',
      '+ args[3] = x  (line 5)',
      '- args[2] = c  (line 2)',
      '~ args: its items are in another order  (line 5)',
      '~ env: its items are in another order  (line 6)',
      NUMBERS,
    ],
    why: 'lists of texts and of named items by what is in them and by their order',
  },
  {
    a: { file: 'two.yaml' },
    b: { file: 'owt.yaml' },
    lines: [
      'two.yaml → owt.yaml: 1 added, 0 removed, 1 changed',
      '~ B/b  n.x: 1 → 2  (line 3)',
      '+ C/c: the whole document',
    ],
    why: 'documents by kind and name',
  },
  {
    a: { file: 'prod.yaml', path: 'hosts' },
    b: { file: 'same.json', path: 'hosts' },
    lines: ['prod.yaml hosts → same.json hosts: no difference in the data'],
    why: 'two formats',
  },
  {
    a: { file: 'old.yaml' },
    b: { file: 'new.yaml' },
    lines: [
      'old.yaml → new.yaml: 0 added, 0 removed, 4 changed',
      '~ t: b: 2 → b: 4  (line 3)',
      `~ l: …${'x'.repeat(20)}1 → …${'x'.repeat(20)}2  (line 5)`,
      '~ w: (no line) → c  (line 9)',
      '~ q: a → b  (line 12)',
    ],
    why: 'texts of several lines, and long ones, by what differs in them',
  },
  {
    a: { file: 'loop.yaml' },
    b: { file: 'loop.yaml' },
    lines: ['loop.yaml → loop.yaml: no difference in the data'],
    why: 'an alias within its own anchor',
  },
  {
    a: { file: 'chart/templates/a.yaml' },
    b: { file: 'chart/templates/b.yaml' },
    lines: [
      'chart/templates/a.yaml → chart/templates/b.yaml: 1 added, 1 removed, 0 changed',
      '- {{- if .Values.a }}  (line 1)',
      '+ {{- if .Values.b }}  (line 1)',
      NUMBERS,
    ],
    why: 'the lines of a template that hold actions only',
  },
])('compares $why', async ({ a, b, lines }) => {
  const { text, data } = await server.ok('config_diff', { a, b });
  expect(text.split('\n')).toEqual(lines);
  expect(data).toMatchObject({ result: lines[0] });
});

it('compares plain text line by line, and masks it [DIS-9]', async () => {
  const { text } = await server.ok('config_diff', {
    a: { file: 'a.properties' },
    b: { file: 'b.properties' },
  });
  expect(text.replaceAll(/<secret:[0-9a-z]{8}>/gu, '<secret>').split('\n')).toEqual([
    'a.properties → b.properties: lines of plain text: 3 added, 3 removed',
    ...['@@ -1,6 +1,6 @@', ' n0=0', ' n1=1', '-n2=2', '+n2=two', ' n3=3', ' n4=4', ' n5=5'],
    ...['@@ -17,5 +17,5 @@', ' n16=16', ' n17=17', ' n18=18', '-n19=19', '-db.password=<secret>'],
    ...['+db.password=<secret>', '+last=1', '\\ No newline at end of file'],
  ]);
});

it('compares a file with what it was before a change', async () => {
  const file = server.fresh('a: 1\nb: 2\n');
  const edited = await server.ok('config_edit', {
    edits: [
      { op: 'set', file, path: 'a', json: 5 },
      { op: 'delete', file, path: 'b' },
    ],
    dry_run: false,
  });
  const change = String(edited.data['change_id']);
  const { text } = await server.ok('config_diff', { a: { file, before_change: change }, b: { file } });
  expect(text.split('\n').slice(1)).toEqual(['~ a: 1 → 5  (line 1)', '- b = 2  (line 2)', NUMBERS]);
  const other = { file: 'prod.yaml', before_change: change };
  expect((await server.refused('config_diff', { a: other, b: { file } })).code).toBe('CHANGE_NOT_FOUND');
  const denied = { file: '.env.yaml', before_change: change };
  expect((await server.refused('config_diff', { a: denied, b: { file } })).code).toBe('PATH_DENIED');
});

it('says how many differences it left out', async () => {
  const many = (value: string) => Array.from({ length: 400 }, (_, i) => `k${i}: ${value}\n`).join('');
  const [a, b] = [server.fresh(many('a')), server.fresh(many('b'))];
  const { text, data } = await server.ok('config_diff', { a: { file: a }, b: { file: b } });
  expect(text).toContain('0 added, 0 removed, 400 changed');
  expect(data['notes']).toEqual(['100 differences more: compare a part with "path"']);
});

test.each([
  { a: { file: '.env.yaml' }, code: 'PATH_DENIED', why: 'what the policy hides' },
  { a: { file: 'prod.yaml', path: 'nowhere' }, code: 'NODE_NOT_FOUND', why: 'a path that is not there' },
  {
    a: { file: 'two.yaml', path: 'n' },
    code: 'DOCUMENT_AMBIGUOUS',
    why: 'a path in one of several documents',
  },
  { a: { file: 'prod.yaml', free: 1 }, code: 'ARGUMENT_INVALID', why: 'a field that it does not know' },
])('does not compare $why', async ({ a, code }) => {
  expect((await server.refused('config_diff', { a, b: { file: 'prod.yaml' } })).code).toBe(code);
});
