// Each way to bring about a change that a rule denies, through the real server: by the node itself, its parent, another
// document, an alias, another spelling, another file, a text edit, in another order. All of them end at the level of the rule.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { stage } from '../../harness/previews.ts';
import { tempRoot } from '../../harness/temp-root.ts';
import { startToolServer, type ToolServer } from '../../harness/tool-server.ts';

/** As an operator keeps them: the clone may lie below a folder that others can write. */
const operator = tempRoot(
  Object.fromEntries(
    ['bypass-policy.yaml', 'asked-again.yaml'].map((name) => [
      name,
      readFileSync(join(import.meta.dirname, name)),
    ]),
  ),
);
afterAll(() => operator.remove());

const WEB = `kind: Deployment
metadata:
  name: web
  namespace: prod
spec:
  replicas: 2
  strategy: Recreate
  containers:
    - name: web
      image: web:1.2.3
      args: [--safe, --tls]
    - name: sidecar
      image: side:1.0.0
limit: 5
version: 1.2.3
# keep
pinned: 1 # by ops
ordered:
  a: 1
  b: 2
privileged: false
port: 8080
`;
const JSON_WEB =
  '{\n  "kind": "Deployment",\n  "metadata": { "name": "web" },\n  "spec": { "replicas": 2, "paused": false }\n}\n';
const TEMPLATE = `safe: safe
spec:
  {{- if .x }}
  replicas: 2
  {{- end }}
  {{/* note */}}
  {{- /* trims */}}
  name: {{ .name }} # words
{{ toYaml .labels }}
`;
const FILES = {
  'deploy/web.yaml': WEB,
  'deploy/web.json': JSON_WEB,
  'deploy/web.jsonc': JSON_WEB.replace('{\n', '{\n  // the web\n'),
  'deploy/web.toml':
    'kind = "Deployment"\n\n[metadata]\nname = "web"\n\n[spec]\nreplicas = 2\npaused = false\n',
  'deploy/two.yaml':
    'kind: Service\nmetadata:\n  name: a\nport: 1\n---\nkind: Quota\nmetadata:\n  name: q\nhard: 1\n',
  'deploy/alias.yaml':
    'base: &base\n  replicas: 2\n  other: 1\nspec:\n  <<: *base\n  name: x\nmore: &more\n  replicas: 9\nnumber: &n 3\n',
  'deploy/pointing.yaml': 'number: &n 2\nspec:\n  replicas: *n\n',
  'deploy/twice.yaml': 'spec:\n  replicas: 2\n  replicas: 3\n',
  'deploy/broken.yaml': 'spec:\n  replicas: 2\n bad: [\n',
  'deploy/plain.yaml': 'spec:\n  name: x\nreplicas: 4\nother: 1\n',
  'locked/a.yaml': 'a: 1\n',
  'raw/notes.txt': 'one\n',
  'data/broken.yaml': 'spec:\n bad: [\n',
  'data/broken.json': '{"a": 1, "b": }\n',
  'lines/broken.yaml': '# keep\na: [\n',
  'lines/alone.yaml': '# keep\n',
  'deploy/template.yaml': TEMPLATE,
  'deploy/quoted.yaml': 'safe: safe\nname: "{{ .x }}" # note\n',
  'deploy/nameless.yaml': 'spec:\n  containers:\n    - name: web\n      image: a\n    - image: b\n',
  'deploy/alike.yaml':
    'spec:\n  containers:\n    - Name: web\n      image: a\n    - "name ": web\n      image: a\n    - image: b\n    - Name: x\n      image: b\n    - *k : web\n      image: a\nz: 1\n'.replace(
      'spec:',
      'k: &k NAME\nspec:',
    ),
  'deploy/numbers.yaml': 'word: a\ndigits: "1"\nunnumbered: a\nmember: {a: 1}\ndanger: {a: false}\n',
  'deploy/keys.yaml': 'tcp:\n  80: a\nmore: {x: 1}\ntail: [yes, a]\n',
  'deploy/masked.yaml': 'db:\n  password: abc9x\n  pin: hunter2\nold:\n  password: xyz8\n  pin: 4711\n',
};

type Edit = Readonly<Record<string, unknown>>;
interface Row {
  readonly why: string;
  readonly edits: readonly Edit[];
  /** Where the attempt is refused for a reason of its own, before any rule is asked. */
  readonly code?: string;
}

const at = (path: string, more: Edit = {}, file = 'deploy/web.yaml'): Edit => ({
  op: 'set',
  file,
  path,
  ...more,
});

/** The same in each format. */
function text(file: string, old_text: string, new_text: string): Edit {
  return { op: 'replace_text', file, old_text, new_text };
}

function inTemplate(old_text: string, new_text: string): Edit {
  return text('deploy/template.yaml', old_text, new_text);
}

function waysIn(file: string): readonly Row[] {
  const extension = file.replace(/^.*\./, '');
  const on = (op: string, path: string, more: Edit = {}): Edit => ({ op, file, path, ...more });
  const text =
    extension === 'toml'
      ? ['replicas = 2', 'replicas = 3']
      : extension === 'yaml'
        ? ['replicas: 2', 'replicas: 3']
        : ['"replicas": 2', '"replicas": 3'];
  const rows: readonly (readonly [string, readonly Edit[]])[] = [
    ['the value', [on('set', 'spec.replicas', { json: 3 })]],
    ['the value as a text', [on('set', 'spec.replicas', { json: '2' })]],
    ['the value as a fraction', [on('set', 'spec.replicas', { json: 2.5 })]],
    ['the value as a mapping', [on('set', 'spec.replicas', { json: { min: 2 } })]],
    ['the value as a list', [on('set', 'spec.replicas', { json: [2] })]],
    ['a pointer to it', [on('set', '/spec/replicas', { json: 3 })]],
    ['a path from the root', [on('set', '$.spec.replicas', { json: 3 })]],
    ['its removal', [on('delete', 'spec.replicas')]],
    ['the removal of its parent', [on('delete', 'spec')]],
    ['its parent without it', [on('set', 'spec', { json: { paused: true } })]],
    ['its parent with another', [on('set', 'spec', { json: { replicas: 3, paused: false } })]],
    ['its parent as a scalar', [on('set', 'spec', { json: 'none' })]],
    ['another name of its own', [on('rename', 'spec.replicas', { new_key: 'count' })]],
    ['another name of its parent', [on('rename', 'spec', { new_key: 'specs' })]],
    ['a merge into its parent', [on('merge', 'spec', { json: { replicas: 3 } })]],
    ['a merge into the parent of that', [on('merge', '', { json: { spec: { replicas: 3 } } })]],
    ['a move out of its parent', [on('move', 'spec.replicas', { to: 'metadata' })]],
    ['a move of its parent', [on('move', 'spec', { to: 'metadata' })]],
    ['its line as a text', [{ op: 'replace_text', file, old_text: text[0], new_text: text[1] }]],
    ['its letters as a text', [on('replace_text', 'spec.replicas', { old_text: '2', new_text: '3' })]],
    [
      'another case as a text',
      [{ op: 'replace_text', file, old_text: text[0], new_text: String(text[0]).replace('r', 'R') }],
    ],
    [
      'its removal, and another one after it',
      [on('delete', 'spec.replicas'), on('insert', 'spec', { key: 'replicas', json: 3 })],
    ],
    [
      'two values one after the other',
      [on('set', 'spec.replicas', { json: 2 }), on('set', 'spec.replicas', { json: 3 })],
    ],
    [
      'a change that is allowed before it',
      [on('set', 'metadata.name', { json: 'x' }), on('set', 'spec.replicas', { json: 3 })],
    ],
    [
      'a change that is allowed after it',
      [on('set', 'spec.replicas', { json: 3 }), on('set', 'metadata.name', { json: 'x' })],
    ],
    ['a pattern of every depth', [on('set', '**.replicas', { json: 3 })]],
    ['a pattern of its parent', [on('set', '*.replicas', { json: 3 })]],
    [
      'a pattern of files',
      [{ ...on('set', 'spec.replicas', { json: 3 }), file: `deploy/web.${extension}*` }],
    ],
    ['a key of another case beside it', [on('insert', 'spec', { key: 'Replicas', json: 3 })]],
    ['a key of another width beside it', [on('insert', 'spec', { key: 'ｒeplicas', json: 3 })]],
    ['the file without it', [{ op: 'delete_file', file }]],
  ];
  return rows.map(([why, edits]) => ({ why: `${why} (${extension})`, edits }));
}

const ROWS: readonly Row[] = [
  ...['yaml', 'json', 'jsonc', 'toml'].flatMap((extension) => waysIn(`deploy/web.${extension}`)),
  { why: 'the same number in another spelling', edits: [at('spec.replicas', { value: '0x2' })] },
  { why: 'the same number with a tag', edits: [at('spec.replicas', { value: '!!int 2' })] },
  { why: 'the same number with an anchor', edits: [at('spec.replicas', { value: '&r 2' })] },
  {
    why: 'a comment on it',
    edits: [{ op: 'comment', file: 'deploy/web.yaml', path: 'spec.replicas', comment: 'x' }],
  },
  { why: 'what its alias means', edits: [at('number', { value: '&n 3' }, 'deploy/pointing.yaml')] },
  { why: 'its alias by the value', edits: [at('spec.replicas', { json: 2 }, 'deploy/pointing.yaml')] },
  { why: 'what is merged', edits: [at('base.replicas', { json: 3 }, 'deploy/alias.yaml')] },
  {
    why: 'what is merged, as a whole',
    edits: [at('base', { value: '&base {replicas: 3}' }, 'deploy/alias.yaml')],
  },
  { why: 'what is merged goes', edits: [{ op: 'delete', file: 'deploy/alias.yaml', path: 'base.replicas' }] },
  { why: 'the merge goes', edits: [{ op: 'delete', file: 'deploy/alias.yaml', path: 'spec["<<"]' }] },
  {
    why: 'a key of its own hides what is merged',
    edits: [{ op: 'insert', file: 'deploy/alias.yaml', path: 'spec', key: 'replicas', json: 3 }],
  },
  {
    why: 'another merge',
    edits: [
      { op: 'replace_text', file: 'deploy/alias.yaml', old_text: '<<: *base', new_text: '<<: {replicas: 7}' },
    ],
  },
  ...[
    '{<<: {replicas: 7}, name: x}',
    '{<<: [{replicas: 7}], name: x}',
    '{!!merge "<<": {replicas: 7}, name: x}',
  ].map((value) => ({
    why: `a merge without an alias: ${value}`,
    edits: [at('spec', { value }, 'deploy/plain.yaml')],
  })),
  {
    why: 'a merge without an alias, put there as a text',
    edits: [text('deploy/plain.yaml', 'name: x', 'name: x\n  <<: {replicas: 7}')],
  },
  ...['0x1f90', '8080.0', '8_080', '+8080', '0o17620', '8.08e3'].map((key) => ({
    why: `a key that is the same number: ${key}`,
    edits: [at('tcp', { value: `{80: a, ${key}: b}` }, 'deploy/keys.yaml')],
  })),
  {
    why: 'the last of a list that is hard to read',
    edits: [at('tail[1]', { json: 'b' }, 'deploy/keys.yaml')],
  },
  { why: 'a key with a tag', edits: [at('more', { value: '{!x y: 1}' }, 'deploy/keys.yaml')] },
  {
    why: 'an item that loses its name, to be changed later',
    edits: [{ op: 'delete', file: 'deploy/nameless.yaml', path: 'spec.containers[0].name' }],
  },
  {
    why: 'an item without a name that gets that name',
    edits: [at('spec.containers[1].name', { json: 'web', create: true }, 'deploy/nameless.yaml')],
  },
  { why: 'one of two keys', edits: [at('spec.replicas[#1]', { json: 5 }, 'deploy/twice.yaml')] },
  {
    why: 'the other of two keys',
    edits: [{ op: 'delete', file: 'deploy/twice.yaml', path: 'spec.replicas[#2]' }],
  },
  {
    why: 'a file that cannot be read',
    edits: [
      { op: 'replace_text', file: 'deploy/broken.yaml', old_text: 'replicas: 2', new_text: 'replicas: 3' },
    ],
  },
  {
    why: 'a file that cannot be read, elsewhere',
    edits: [{ op: 'replace_text', file: 'deploy/broken.yaml', old_text: 'bad: [', new_text: 'bad: x' }],
  },
  { why: 'a file that cannot be read goes', edits: [{ op: 'delete_file', file: 'deploy/broken.yaml' }] },
  {
    why: 'a move from elsewhere',
    edits: [{ op: 'move', file: 'deploy/plain.yaml', path: 'replicas', to: 'spec' }],
  },
  {
    why: 'a copy from elsewhere',
    edits: [{ op: 'copy', file: 'deploy/plain.yaml', path: 'other', to: 'spec', key: 'replicas' }],
  },
  {
    why: 'a copy from another file',
    edits: [
      {
        op: 'copy',
        file: 'deploy/alias.yaml',
        path: 'more.replicas',
        to: 'spec',
        to_file: 'deploy/plain.yaml',
      },
    ],
  },
  {
    why: 'a move to another file',
    edits: [
      {
        op: 'move',
        file: 'deploy/web.yaml',
        path: 'spec',
        to: '',
        to_file: 'deploy/two.yaml',
        to_doc: 'Service/a',
      },
    ],
  },
  {
    why: 'a rename of another key to its name',
    edits: [{ op: 'rename', file: 'deploy/plain.yaml', path: 'spec.name', new_key: 'replicas' }],
  },
  {
    why: 'a new file',
    edits: [{ op: 'create_file', file: 'deploy/new.yaml', content: 'spec:\n  replicas: 1\n' }],
  },
  {
    why: 'a new document',
    edits: [{ op: 'add_document', file: 'deploy/two.yaml', json: { spec: { replicas: 1 } } }],
  },
  ...[
    '<<: { spec: { replicas: 9 } }\n',
    '<<: { "<<": { spec: { replicas: 9 } } }\n',
    'x: &x { replicas: 9 }\nspec: *x\n',
    'x: &k replicas\nspec: { *k : 9 }\n',
    'x: &k spec\n*k : { replicas: 9 }\n',
    'spec: { <<: [{ replicas: 9 }] }\n',
  ].flatMap((content, index): Row[] => [
    {
      why: `a new file whose readers resolve it: ${content}`,
      edits: [{ op: 'create_file', file: `deploy/resolved${index}.yaml`, content }],
    },
    {
      why: `a new document whose readers resolve it: ${content}`,
      edits: [{ op: 'add_document', file: 'deploy/two.yaml', value: content }],
    },
  ]),
  {
    why: 'a new document of a kind',
    edits: [{ op: 'add_document', file: 'deploy/two.yaml', json: { kind: 'Quota' } }],
  },
  {
    why: 'a document of a kind goes',
    edits: [{ op: 'delete_document', file: 'deploy/two.yaml', doc: 'Quota/q' }],
  },
  {
    why: 'a document of a kind gets another',
    edits: [at('kind', { json: 'Service', doc: 'Quota/q' }, 'deploy/two.yaml')],
  },
  {
    why: 'a document gets a kind',
    edits: [at('kind', { json: 'Quota', doc: 'Service/a' }, 'deploy/two.yaml')],
  },
  { why: 'a document of a kind by its index', edits: [at('hard', { json: 2, doc: '1' }, 'deploy/two.yaml')] },
  {
    why: 'a document of a kind, which is changed first',
    edits: [
      at('kind', { json: 'X', doc: '1' }, 'deploy/two.yaml'),
      at('hard', { json: 2, doc: '1' }, 'deploy/two.yaml'),
    ],
  },
  {
    why: 'a document of a kind as a text',
    edits: [{ op: 'replace_text', file: 'deploy/two.yaml', old_text: 'hard: 1', new_text: 'hard: 2' }],
  },
  {
    why: 'a comment in a document of a kind',
    edits: [{ op: 'comment', file: 'deploy/two.yaml', doc: 'Quota/q', path: 'hard', comment: 'x' }],
  },
  {
    why: 'the marker between documents',
    edits: [
      {
        op: 'replace_text',
        file: 'deploy/two.yaml',
        old_text: 'port: 1\n---\nkind: Quota\nmetadata:\n  name: q\nhard: 1\n',
        new_text: 'port: 1\n',
      },
    ],
  },
  {
    why: 'what the document is found by, and the node',
    edits: [at('metadata.namespace', { json: 'dev' }), at('spec.strategy', { json: 'x' })],
  },
  {
    why: 'the node, and what the document is found by',
    edits: [at('spec.strategy', { json: 'x' }), at('metadata.namespace', { json: 'dev' })],
  },
  {
    why: 'what the document is found by, to come back later',
    edits: [at('metadata.namespace', { json: 'dev' })],
  },
  {
    why: 'the parent of what the document is found by',
    edits: [{ op: 'delete', file: 'deploy/web.yaml', path: 'metadata' }],
  },
  {
    why: 'what the document is found by, by another name',
    edits: [{ op: 'rename', file: 'deploy/web.yaml', path: 'metadata.namespace', new_key: 'ns' }],
  },
  { why: 'an item by its name', edits: [at('spec.containers[name=web].image', { json: 'x' })] },
  { why: 'an item by its index', edits: [at('spec.containers[0].image', { json: 'x' })] },
  { why: 'an item from behind', edits: [at('spec.containers[-2].image', { json: 'x' })] },
  {
    why: 'an item that is renamed',
    edits: [at('spec.containers[0].name', { json: 'wep' }), at('spec.containers[0].image', { json: 'x' })],
  },
  {
    why: 'an item that is renamed, to be changed later',
    edits: [at('spec.containers[0].name', { json: 'wep' })],
  },
  {
    why: 'an item that goes',
    edits: [{ op: 'delete', file: 'deploy/web.yaml', path: 'spec.containers[0]' }],
  },
  { why: 'an item as a whole', edits: [at('spec.containers[0]', { json: { name: 'web', image: 'x' } })] },
  {
    why: 'a second item of that name',
    edits: [
      { op: 'append', file: 'deploy/web.yaml', path: 'spec.containers', json: { name: 'web', image: 'x' } },
    ],
  },
  { why: 'another item that gets that name', edits: [at('spec.containers[1].name', { json: 'web' })] },
  {
    why: 'items in another order',
    edits: [
      { op: 'move', file: 'deploy/web.yaml', path: 'spec.containers[0]', to: 'spec.containers', index: 1 },
    ],
  },
  { why: 'an item by every name', edits: [at('spec.containers[*].image', { json: 'x' })] },
  { why: 'the first of a list', edits: [at('spec.containers[0].args[0]', { json: '--unsafe' })] },
  {
    why: 'another in front of the first of a list',
    edits: [
      { op: 'insert', file: 'deploy/web.yaml', path: 'spec.containers[0].args', index: 0, json: '--unsafe' },
    ],
  },
  {
    why: 'the first of a list goes',
    edits: [{ op: 'delete', file: 'deploy/web.yaml', path: 'spec.containers[0].args[0]' }],
  },
  { why: 'a list in another order', edits: [at('spec.containers[0].args', { json: ['--tls', '--safe'] })] },
  { why: 'a number in quotes', edits: [at('limit', { json: '5' })] },
  { why: 'a number that is too large', edits: [at('limit', { json: 11 })] },
  { why: 'a number in base 60', edits: [at('limit', { value: '1:30' })] },
  { why: 'a number in octal digits', edits: [at('limit', { value: '010' })] },
  { why: 'a number with a tag', edits: [at('limit', { value: '!!str 5' })] },
  { why: 'a number that is none', edits: [at('limit', { value: '.inf' })] },
  { why: 'a list of numbers', edits: [at('limit', { json: [1] })] },
  { why: 'a mapping of numbers', edits: [at('limit', { json: { a: 1 } })] },
  ...[
    ...['.inf', '-.INF', '.NaN', '99999999999999999999', '0x1FFFFFFFFFFFFFFFFF', '1e400', '9007199254740993'],
    ...['0o7777777777777777777777', `-0x${'f'.repeat(80)}`, '1_0', `1${'0'.repeat(400)}.5`],
  ].flatMap((value): Row[] => [
    { why: `no text: ${value}`, edits: [at('word', { value }, 'deploy/numbers.yaml')] },
    { why: `no digits of a text: ${value}`, edits: [at('digits', { value }, 'deploy/numbers.yaml')] },
    {
      why: `no text, where numbers are denied: ${value}`,
      edits: [at('unnumbered', { value }, 'deploy/numbers.yaml')],
    },
  ]),
  ...['{A: 9}', '{"a ": 9}', '{"\\x41": 9}', '{a: 1, A: 9}', '{ａ: 9}', '{"<<": {a: 9}}', '{a: .inf}'].map(
    (value): Row => ({
      why: `a member that is too large, in another spelling: ${value}`,
      edits: [at('member', { value }, 'deploy/numbers.yaml')],
    }),
  ),
  ...['{A: true}', '{"a ": true}', '{a: false, A: true}', '{"<<": {a: true}}', '{"a": "yes"}'].map(
    (value): Row => ({
      why: `a member that is dangerous, in another spelling: ${value}`,
      edits: [at('danger', { value }, 'deploy/numbers.yaml')],
    }),
  ),
  ...[0, 1, 4].map(
    (index): Row => ({
      why: `an item by its name in another spelling of the key: ${index}`,
      edits: [at(`spec.containers[${index}].image`, { json: 'x' }, 'deploy/alike.yaml')],
    }),
  ),
  {
    why: 'an item that gets the name by another spelling of the key',
    edits: [at('spec.containers[2].Name', { json: 'web', create: true }, 'deploy/alike.yaml')],
  },
  {
    why: 'an item that gets the name at another spelling of the key',
    edits: [at('spec.containers[3].Name', { json: 'web' }, 'deploy/alike.yaml')],
  },
  {
    why: 'an item whose key of the name gets another spelling',
    edits: [{ op: 'rename', file: 'deploy/web.yaml', path: 'spec.containers[0].name', new_key: 'Name' }],
  },
  { why: 'no number', edits: [{ op: 'delete', file: 'deploy/web.yaml', path: 'limit' }] },
  { why: 'a lower version', edits: [at('version', { json: '1.2.2' })] },
  { why: 'a version that is a number', edits: [at('version', { json: 2 })] },
  { why: 'a version that is none', edits: [at('version', { json: 'latest' })] },
  { why: 'a version before the release', edits: [at('version', { json: '1.2.3-rc.1' })] },
  {
    why: 'a comment at the end of a line',
    edits: [{ op: 'comment', file: 'deploy/web.yaml', path: 'pinned', comment: '', place: 'line_end' }],
  },
  {
    why: 'a comment above',
    edits: [{ op: 'comment', file: 'deploy/web.yaml', path: 'pinned', comment: 'x' }],
  },
  {
    why: 'a comment as a text',
    edits: [{ op: 'replace_text', file: 'deploy/web.yaml', old_text: '# by ops', new_text: '# by me' }],
  },
  {
    why: 'a comment that goes with its node',
    edits: [{ op: 'delete', file: 'deploy/web.yaml', path: 'pinned' }],
  },
  {
    why: 'the order of keys',
    edits: [
      {
        op: 'replace_text',
        file: 'deploy/web.yaml',
        old_text: '  a: 1\n  b: 2\n',
        new_text: '  b: 2\n  a: 1\n',
      },
    ],
  },
  { why: 'a value that is dangerous', edits: [at('privileged', { json: true })] },
  { why: 'a dangerous value in the words of YAML 1.1', edits: [at('privileged', { value: 'yes' })] },
  { why: 'a dangerous value with a tag', edits: [at('privileged', { value: '!!bool true' })] },
  { why: 'a dangerous value with a tag of its own', edits: [at('privileged', { value: '!x true' })] },
  {
    why: 'a dangerous value by an alias',
    edits: [at('pinned', { value: '&t true' }), at('privileged', { value: '*t' })],
  },
  { why: 'a dangerous number in quotes', edits: [at('port', { json: '80' })] },
  { why: 'a dangerous number in base 60', edits: [at('port', { value: '1:20' })] },
  { why: 'a dangerous number in a list', edits: [at('port', { json: [80] })] },
  { why: 'a file that is locked', edits: [at('a', { json: 2 }, 'locked/a.yaml')] },
  {
    why: 'a comment in a file that is locked',
    edits: [{ op: 'comment', file: 'locked/a.yaml', path: 'a', comment: 'x' }],
  },
  {
    why: 'the layout of a file that is locked',
    edits: [{ op: 'replace_text', file: 'locked/a.yaml', old_text: 'a: 1', new_text: 'a:  1' }],
  },
  { why: 'a file that is locked goes', edits: [{ op: 'delete_file', file: 'locked/a.yaml' }] },
  {
    why: 'a new file where all are locked',
    edits: [{ op: 'create_file', file: 'locked/b.yaml', content: 'a: 1\n' }],
  },
  {
    why: 'a new file in another spelling of that folder',
    edits: [{ op: 'create_file', file: 'Locked/b.yaml', content: 'a: 1\n' }],
    code: 'FILE_EXISTS',
  },
  {
    why: 'lines of a text',
    edits: [{ op: 'replace_text', file: 'raw/notes.txt', old_text: 'one', new_text: 'two' }],
  },
  {
    why: 'a key in another Unicode form',
    edits: [{ op: 'insert', file: 'deploy/web.yaml', path: '', key: 'cafe\u0301', json: 1 }],
  },
  { why: 'the data of a file that cannot be read', edits: [text('data/broken.yaml', 'bad: [', 'bad: x')] },
  { why: 'the data of JSON that cannot be read', edits: [text('data/broken.json', '1', '2')] },
  { why: 'a comment of a file that cannot be read', edits: [text('lines/broken.yaml', 'keep', 'drop')] },
  { why: 'a comment of a file that holds nothing else', edits: [text('lines/alone.yaml', 'keep', 'drop')] },
  { why: 'the branch of a template around it', edits: [inTemplate('if .x', 'if .y')] },
  {
    why: 'no branch of a template around it',
    edits: [inTemplate('  {{- if .x }}\n  replicas: 2\n  {{- end }}', '  replicas: 2')],
  },
  {
    why: 'another branch',
    edits: [inTemplate('  replicas: 2\n  {{- end }}', '  {{- end }}\n  replicas: 2')],
  },
  {
    why: 'another branch, beside another value',
    edits: [
      inTemplate('  replicas: 2\n  {{- end }}', '  {{- end }}\n  replicas: 2'),
      inTemplate('.name', '.other'),
    ],
  },
  { why: 'lines that an action writes', edits: [inTemplate('.labels', '.more')] },
  { why: 'the indentation of what an action writes', edits: [inTemplate('{{ toYaml', '  {{ toYaml')] },
  { why: 'an action in place of a comment', edits: [inTemplate('/* note */', ' printf "  replicas: 3" ')] },
  { why: 'an action in a comment', edits: [inTemplate('words', '{{ "\\n  replicas: 3" }}')] },
  { why: 'the blanks that a comment takes away', edits: [inTemplate('{{- /* trims', '{{/* trims')] },
  {
    why: 'a key that an action writes',
    edits: [inTemplate('  name:', '  {{ "replicas" }}: 3\n  name:')],
  },
  {
    why: 'a value that an action writes',
    edits: [inTemplate('safe: safe', 'safe: safe{{ .x }}')],
  },
  {
    why: 'a value that an action writes, in quotes',
    edits: [text('deploy/quoted.yaml', 'safe: safe', 'safe: "safe{{ .x }}"')],
  },
  {
    why: 'an action in a comment of what is no template yet',
    edits: [text('deploy/quoted.yaml', 'note', '{{ "\\nspec: {replicas: 3}" }}')],
  },
];

describe('a change that a rule denies', () => {
  let server: ToolServer;
  beforeAll(async () => {
    server = await startToolServer({
      files: FILES,
      flags: [
        '--allow',
        '**/*.{yaml,json,jsonc,toml,txt}',
        '--policy',
        join(operator.dir, 'bypass-policy.yaml'),
      ],
    });
  });
  afterAll(() => server.close());

  test.for(ROWS)('is denied by $why [POL-2]', async ({ edits, code = 'POLICY_DENIED' }) => {
    const refused = await server.refused('config_edit', { edits });
    expect(refused).toMatchObject({ code });
  });
});

describe('a change that comes about in another way', () => {
  const serve = (limit: string) =>
    startToolServer({
      files: { 'a.yaml': `kind: Service\nlimit: ${limit}\nother: 1\n` },
      flags: ['--allow', '**/*.{yaml,txt}', '--policy', join(operator.dir, 'asked-again.yaml')],
    });

  it('is judged where a change is undone [POL-5]', async () => {
    const server = await serve('20');
    const { data } = await server.ok('config_set', {
      file: 'a.yaml',
      path: 'limit',
      json: 5,
      dry_run: false,
    });
    const refused = await server.refused('config_revert', { change_id: data['change_id'] });
    expect(refused).toMatchObject({ code: 'POLICY_DENIED' });
    await server.close();
  });

  it('is judged again when it is applied to a file that has changed since [POL-5]', async () => {
    const server = await serve('5');
    const preview = async () => {
      const { data } = await server.ok('config_set', { file: 'a.yaml', path: 'other', json: 2 });
      return { preview_id: data['preview_id'] };
    };
    const [moved, denied] = [await preview(), await preview()];
    server.write('a.yaml', 'kind: Service\nlimit: 4\nother: 1\n');
    expect(await server.refused('config_apply', moved)).toMatchObject({ code: 'FILE_CHANGED' });
    server.write('a.yaml', 'kind: Quota\nlimit: 5\nother: 1\n');
    expect(await server.refused('config_apply', denied)).toMatchObject({ code: 'POLICY_DENIED' });
    expect(server.disk('a.yaml')).toBe('kind: Quota\nlimit: 5\nother: 1\n');
    await server.close();
  });

  it('is judged by the policy of the server that is asked, where two share a state directory [POL-5]', async () => {
    const before = 'kind: Service\nlimit: 50\nother: 1\n';
    const at = stage({ 'a.yaml': before });
    const strict = await at.start(['--policy', join(operator.dir, 'asked-again.yaml')]);
    const lenient = await at.start(['--approval', 'preview']);
    const limit = (json: number) => ({ file: 'a.yaml', path: 'limit', json });
    const { data } = await lenient.ok('config_set', limit(60));
    const preview = { preview_id: data['preview_id'] };
    expect(await strict.refused('config_apply', preview)).toMatchObject({ code: 'POLICY_DENIED' });
    expect(at.disk('a.yaml')).toBe(before);
    await lenient.ok('config_apply', preview);
    const { data: lower } = await lenient.ok('config_set', limit(7));
    const { data: applied } = await lenient.ok('config_apply', { preview_id: lower['preview_id'] });
    const undo = { change_id: applied['change_id'] };
    expect(await strict.refused('config_revert', undo)).toMatchObject({ code: 'POLICY_DENIED' });
    expect(at.disk('a.yaml')).toContain('limit: 7\n');
  });

  it('names the value that would pass, as a call that works [POL-1]', async () => {
    const server = await serve('5');
    const edits = [
      { op: 'set', file: 'a.yaml', path: 'limit', json: 50 },
      { op: 'set', file: 'a.yaml', path: 'other', json: 3 },
    ];
    const { recovery_steps: steps, suggestions } = await server.refused('config_edit', { edits });
    expect(suggestions).toContain('More than ten is too much.');
    const [nearest] = steps;
    expect(nearest?.arguments).toEqual({
      edits: [{ op: 'set', file: 'a.yaml', path: 'limit', json: 10 }, edits[1]],
    });
    await server.ok(nearest?.tool ?? '', nearest?.arguments);
    await server.close();
  });

  it('says so where a rule is only perhaps about it [POL-1]', async () => {
    const server = await serve('20');
    server.write('t.yaml', 'kind: Quota\na: 1\n{{- if .Values.x }}\nb: 2\n{{- end }}\n');
    const edits = [{ op: 'replace_text', file: 't.yaml', old_text: '.Values.x', new_text: '.Values.y' }];
    const refused = await server.refused('config_edit', { edits });
    expect(refused).toMatchObject({
      code: 'POLICY_DENIED',
      suggestions: [expect.stringContaining('it counts as what the rule is about'), expect.anything()],
    });
    await server.close();
  });
});

it('there are at least 120 attempts', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(120);
  expect(new Set(ROWS.map(({ why }) => why)).size).toBe(ROWS.length);
});
