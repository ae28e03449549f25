// What an edit does to documents, scalars and other files, through a client: previewed, applied and taken back.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toolServer } from '../harness/tool-server.ts';

const server = toolServer();

const Preview = z.looseObject({ preview_id: z.string() });
const Applied = z.looseObject({ change_id: z.string() });

const SOURCE = 'services:\n  # the web\n  web: # front\n    image: "web:1"   # pinned\n  db: {}\n';
const TARGET = '# other\n\nservices:\n    api:\n        image: api\n';
const MOVED = `${TARGET}    # the web\n    web: # front\n      image: "web:1"   # pinned\n`;

interface Call {
  readonly why: string;
  readonly files: Readonly<Record<string, string>>;
  readonly edits: readonly Readonly<Record<string, unknown>>[];
  readonly after: Readonly<Record<string, string>>;
}

const CALLS: readonly Call[] = [
  {
    why: 'a part goes to another file with its comments',
    files: { 'm1.yaml': SOURCE, 'm2.yaml': TARGET },
    edits: [{ op: 'move', file: 'm1.yaml', path: 'services.web', to: 'services', to_file: 'm2.yaml' }],
    after: { 'm1.yaml': 'services:\n  db: {}\n', 'm2.yaml': MOVED },
  },
  {
    why: 'a copy shows what earlier edits have made, and leaves its file alone, in whatever order files are named',
    files: { 'c1.yaml': SOURCE, 'c2.yaml': TARGET },
    edits: [
      { op: 'set', file: 'c2.yaml', path: 'services.api.image', value: 'api2' },
      { op: 'set', file: 'c1.yaml', path: 'services.web.image', json: 'web:2' },
      { op: 'copy', file: 'c1.yaml', path: 'services.web', to: 'services', to_file: 'c2.yaml', key: 'web2' },
      { op: 'set', file: 'c1.yaml', path: 'services.web.image', json: 'web:1' },
      { op: 'delete', file: 'c2.yaml', path: 'services.web2.image' },
      { op: 'set', file: 'c2.yaml', path: 'services.web2.x', value: '1' },
    ],
    after: {
      'c1.yaml': SOURCE,
      'c2.yaml': `${TARGET.replace('image: api', 'image: api2')}    # the web\n    web2: # front\n        x: 1\n`,
    },
  },
  {
    why: 'between formats it goes as data',
    files: { 'j1.yaml': 'b: &x [1.5, yes]\na:\n  k: *x # c\n', 'j2.json': '{\n  "o": {}\n}\n' },
    edits: [{ op: 'copy', file: 'j1.yaml', path: 'a', to: 'o', to_file: 'j2.json' }],
    after: {
      'j1.yaml': 'b: &x [1.5, yes]\na:\n  k: *x # c\n',
      'j2.json':
        '{\n  "o": {\n    "a": {\n      "k": [\n        1.5,\n        "yes"\n      ]\n    }\n  }\n}\n',
    },
  },
  {
    why: 'between YAML and a template it goes as it stands, where it holds no action',
    files: { 't1.yaml': SOURCE, 't2.yaml': 'a: {{ .x }}\n' },
    edits: [{ op: 'move', file: 't1.yaml', path: 'services.web', to: '', to_file: 't2.yaml' }],
    after: {
      't1.yaml': 'services:\n  db: {}\n',
      't2.yaml': 'a: {{ .x }}\n# the web\nweb: # front\n  image: "web:1"   # pinned\n',
    },
  },
  {
    why: 'the place that a part goes to is made, in its file and in another one',
    files: { 'n1.yaml': SOURCE, 'n2.yaml': 'a: 1\n' },
    edits: [
      { op: 'copy', file: 'n1.yaml', path: 'services.db', to: 'x.q', key: 'z', create: true },
      { op: 'copy', file: 'n1.yaml', path: 'services.db', to: 'l', index: 0, create: true },
      { op: 'move', file: 'n1.yaml', path: 'services.web', to: 'b.c', to_file: 'n2.yaml', create: true },
    ],
    after: {
      'n1.yaml': 'services:\n  db: {}\nx:\n  q:\n    z: {}\nl:\n  - {}\n',
      'n2.yaml': 'a: 1\nb:\n  c:\n    # the web\n    web: # front\n      image: "web:1"   # pinned\n',
    },
  },
  {
    why: 'documents come and go, and a line of a script changes',
    files: { 'd.yaml': 'kind: A\n---\nkind: B\nrun: |\n  a\n  b\n' },
    edits: [
      { op: 'replace_text', file: 'd.yaml', doc: 1, path: 'run', old_text: 'b', new_text: 'c' },
      { op: 'add_document', file: 'd.yaml', json: { kind: 'C' } },
      { op: 'delete_document', file: 'd.yaml', doc: 0 },
      { op: 'comment', file: 'd.yaml', path: '', comment: 'header' },
    ],
    after: { 'd.yaml': '# header\n\nkind: B\nrun: |\n  a\n  c\n---\nkind: C\n' },
  },
  {
    why: 'a whole document goes to another file with its comments, and the header of its file stays',
    files: {
      'w1.yaml': '# ours\n\n# about a\nkind: A\n# in a\n---\nkind: B\nx: |+\n  t\n\n---\nkind: C\n',
      'w2.yaml': 'kind: Y\n---\nkind: Z\n',
    },
    edits: [
      { op: 'move', file: 'w1.yaml', doc: 'A', path: '', to_file: 'w2.yaml', index: 0 },
      { op: 'move', file: 'w1.yaml', doc: 'B', path: '', to: '', to_file: 'w2.yaml' },
      { op: 'copy', file: 'w1.yaml', doc: 0, path: '', to_file: 'w2.yaml' },
    ],
    after: {
      'w1.yaml': '# ours\n\nkind: C\n',
      'w2.yaml':
        '# about a\nkind: A\n# in a\n---\nkind: Y\n---\nkind: Z\n---\nkind: B\nx: |+\n  t\n\n---\nkind: C\n',
    },
  },
  {
    why: 'a document of a CRLF file becomes the first one of an empty file',
    files: { 'r1.yaml': 'a: 1\r\n---\r\nb: 2\r\n', 'r2.yaml': '' },
    edits: [{ op: 'move', file: 'r1.yaml', doc: 1, path: '', to_file: 'r2.yaml' }],
    after: { 'r1.yaml': 'a: 1\r\n', 'r2.yaml': 'b: 2\n' },
  },
];

test.each(CALLS)('$why', async ({ files, edits, after }) => {
  for (const [file, contents] of Object.entries(files)) server.write(file, contents);
  const { preview_id } = Preview.parse((await server.ok('config_edit', { edits })).data);
  for (const [file, contents] of Object.entries(files)) expect(server.disk(file)).toBe(contents);
  const { change_id } = Applied.parse((await server.ok('config_apply', { preview_id })).data);
  for (const [file, contents] of Object.entries(after)) expect(server.disk(file)).toBe(contents);
  const undo = Preview.parse((await server.ok('config_revert', { change_id })).data);
  await server.ok('config_apply', { preview_id: undo.preview_id });
  for (const [file, contents] of Object.entries(files)) expect(server.disk(file)).toBe(contents);
});

test.each([
  {
    why: 'both ways at once',
    edits: [
      { op: 'copy', file: 'x1.yaml', path: 'a', to: '', to_file: 'x2.yaml' },
      { op: 'copy', file: 'x2.yaml', path: 'b', to: '', to_file: 'x1.yaml' },
    ],
    code: 'ARGUMENT_INVALID',
  },
  {
    why: 'to the file itself',
    edits: [{ op: 'copy', file: 'x1.yaml', path: 'a', to: '', to_file: 'x1.yaml' }],
    code: 'ARGUMENT_INVALID',
  },
  {
    why: 'an alias without its anchor',
    edits: [{ op: 'move', file: 'x1.yaml', path: 'l', to: '', to_file: 'x2.yaml' }],
    code: 'ANCHOR_IN_USE',
  },
  {
    why: 'as a document below a node',
    edits: [{ op: 'copy', file: 'x2.yaml', path: '', to: 'a', to_file: 'x1.yaml' }],
    code: 'TYPE_MISMATCH',
  },
  {
    why: 'as the only document of its file',
    edits: [{ op: 'move', file: 'x2.yaml', path: '', to_file: 'x1.yaml' }],
    code: 'TYPE_MISMATCH',
  },
  {
    why: 'as a document to a file of another format',
    edits: [
      { op: 'create_file', file: 'x3.json', content: '{}' },
      { op: 'copy', file: 'x2.yaml', path: '', to_file: 'x3.json' },
    ],
    code: 'TYPE_MISMATCH',
  },
  {
    why: 'out of the root',
    edits: [{ op: 'copy', file: 'x1.yaml', path: 'a', to: '', to_file: '../x2.yaml' }],
    code: 'PATH_INVALID',
  },
])('nothing goes $why', async ({ edits, code }) => {
  server.write('x1.yaml', 'a: &x 1\nl: *x\n');
  server.write('x2.yaml', 'b: 1\n');
  expect((await server.refused('config_edit', { edits })).code).toBe(code);
});

test.each([
  ['special.toml', 'd = 2026-01-31\n', 'to.yaml', 'd'],
  ['special.toml', 'x = -nan\n', 'to.json', 'x'],
  ['special.yaml', 'x: [.inf]\n', 'to.toml', 'x'],
])('what is no text in %s (%j) becomes none in %s', async (file, text, target, path) => {
  server.write(file, text);
  server.write(
    target,
    target.endsWith('json') ? '{}\n' : 'a = 1\n'.replace('=', target.endsWith('yaml') ? ':' : '='),
  );
  const error = await server.refused('config_edit', {
    edits: [{ op: 'copy', file, path, to: '', to_file: target }],
  });
  expect(error.code).toBe('VALUE_INVALID');
  expect(error.details).toContain('"value"');
});

test('where the file that a part goes to has several documents, the next call names one of them', async () => {
  server.write('part.yaml', 'kind: P\nports: [1]\n---\nkind: Q\n');
  server.write('many.yaml', 'kind: A\nspec: {}\n---\nkind: B\nspec: {}\n');
  const edits = [
    { op: 'move', file: 'part.yaml', doc: 'P', path: 'ports', to: 'spec', to_file: 'many.yaml' },
  ];
  const { code, again } = await server.refused('config_edit', { edits });
  expect(code).toBe('DOCUMENT_AMBIGUOUS');
  expect(again?.arguments).toMatchObject({ edits: [{ doc: 'P', to_doc: '0' }] });
  await server.ok(again?.tool ?? '', again?.arguments);
});
