// Changes of what a file does not say itself: what a tag makes of its node, what an action writes below the node that stands
// above it, keys and documents that are filled in. No rule about these may be passed by a change around them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tempRoot } from '../../harness/temp-root.ts';
import { startToolServer, type ToolServer } from '../../harness/tool-server.ts';

type Edit = Readonly<Record<string, unknown>>;

interface Row {
  readonly why: string;
  /** The one rule that is about the files of this row. */
  readonly rule: string;
  /** None: it does not exist yet. */
  readonly before?: string;
  readonly edit: Edit;
  readonly file?: string;
}

const paths = (path: string) => `paths: ${JSON.stringify(path)}, then: deny`;
const SECRET = 'doc: { kind: Secret }, then: deny';
const text = (old_text: string, new_text: string): Edit => ({ op: 'replace_text', old_text, new_text });
const create = (content: string): Edit => ({ op: 'create_file', content });

const LINES = 'spec:\n  a: 1\n  {{- toYaml .x | nindent 2 }}\nlast: 1\n';
const ITEMS = 'spec:\n  - name: a\n    {{- toYaml .x | nindent 4 }}\nlast: 1\n';
const CLOSED = text('  a: 1\n', '  a: 1\nclosed:\n  z: 1\n');

const DENIED: readonly Row[] = [
  {
    why: 'another text for a tag',
    rule: paths('spec.locked'),
    before: 'spec: !include a.yaml\n',
    edit: text('a.yaml', 'b.yaml'),
  },
  {
    why: 'another entry for a tag',
    rule: paths('spec.locked'),
    before: 'spec: !if\n  c: 1\n',
    edit: text('c: 1', 'c: 2'),
  },
  {
    why: 'another item for a tag',
    rule: paths('spec.locked'),
    before: 'spec: !If [c, { b: 1 }]\n',
    edit: text('[c', '[d'),
  },
  {
    why: 'another item for a tag that an alias brings',
    rule: paths('spec.locked'),
    before: 'q: &a !If [c, { b: 1 }]\nspec: *a\n',
    edit: text('[c', '[d'),
  },
  {
    why: 'another value by an alias within a tag',
    rule: paths('spec.locked'),
    before: 'q: &a { b: 1 }\nspec: !If [c, *a]\n',
    edit: text('b: 1', 'b: 2'),
  },
  {
    why: 'a document of a tag',
    rule: SECRET,
    before: '!include a.yaml\n',
    edit: text('a.yaml', 'b.yaml'),
  },
  { why: 'lines of an action below another key', rule: paths('closed.x'), before: LINES, edit: CLOSED },
  { why: 'lines of an action no longer below a key', rule: paths('spec.x'), before: LINES, edit: CLOSED },
  {
    why: 'lines of an action below what stood above the key',
    rule: paths('spec.x'),
    before: `${LINES}open:\n  b: 1\n  {{- toYaml .y | nindent 2 }}\n`.replace('last: 1\n', ''),
    edit: text('open:\n  b: 1\n', ''),
  },
  {
    why: 'lines of an action below the next item',
    rule: paths('spec[name=b].x'),
    before: ITEMS,
    edit: text('- name: a\n', '- name: a\n  - name: b\n'),
  },
  {
    why: 'lines of an action no longer below an item',
    rule: paths('spec[name=a].x'),
    before: ITEMS,
    edit: text('- name: a\n', '- name: a\n  - name: b\n'),
  },
  {
    why: 'lines of an action in another document',
    rule: paths('spec.x'),
    before: LINES,
    edit: text('  a: 1\n', '  a: 1\n---\nspec:\n  z: 1\n'),
  },
  {
    why: 'lines of an action below a key with another name',
    rule: paths('closed.x'),
    before: LINES,
    edit: { op: 'rename', path: 'spec', new_key: 'closed' },
  },
  {
    why: 'lines of Jinja below another key',
    rule: paths('closed.x'),
    file: 'x.yaml.j2',
    before: 'spec:\n  a: 1\n{% include "q" %}\nlast: 1\n',
    edit: CLOSED,
  },
  {
    why: 'a filled-in key in a new document',
    rule: SECRET,
    before: 'kind: Service\na: {{ .b }}\n',
    edit: { op: 'add_document', value: '{{ "kind" }}: Secret\nstringData: { a: b }' },
  },
  { why: 'a filled-in key in a new file', rule: SECRET, edit: create('{{ .k }}: Secret\ndata: {}\n') },
  {
    why: 'a filled-in key beside the kind',
    rule: SECRET,
    before: 'kind: Service\na: {{ .b }}\n',
    edit: text('kind: Service', 'kind: Service\n{{ .k }}: Secret'),
  },
  {
    why: 'data of a document whose kind is filled in',
    rule: SECRET,
    before: '{{ .k }}: Secret\na: 1\n',
    edit: text('a: 1', 'a: 2'),
  },
  {
    why: 'data of a document whose kind an action writes',
    rule: SECRET,
    before: '{{ include "head" . }}\na: 1\n',
    edit: text('a: 1', 'a: 2'),
  },
  { why: 'a file that only an action writes', rule: SECRET, edit: create('{{ include "x" . }}\n') },
  {
    why: 'a kind by a merge in quotes',
    rule: SECRET,
    before: 'a: &k { kind: Secret }\nb: 1\n',
    edit: text('b: 1', 'b: 1\n"<<": *k'),
  },
  {
    why: 'a comment with an action behind a dollar',
    rule: paths('locked'),
    before: 'a: 1 # words\n',
    edit: text('# words', '# ${' + '{ "\\nlocked: 1" }}'),
  },
  {
    why: 'a text in quotes, of a file that is filled in first',
    rule: paths('locked'),
    file: 'templates/x.yaml',
    before: 'a: "1"\n',
    edit: text('"1"', `'{{ "x\\nlocked: 1" }}'`),
  },
  {
    why: 'a block of text, of a file that is filled in first',
    rule: paths('locked'),
    file: 'templates/x.yaml',
    before: 'a: |\n  words\nb: 1\n',
    edit: text('words', '{{ "x\\nlocked: 1" }}'),
  },
  {
    why: 'a date of TOML for a text',
    rule: 'paths: s, change: { unchanged: true }, then: preview, else: deny',
    file: 'x.toml',
    before: 's = "2020-01-01"\n',
    edit: text('"2020-01-01"', '2020-01-01'),
  },
];

/** Each by a rule about the comments of `p`. */
const COMMENTS = [
  ['last in a block', 'x.yaml', 'p:\n  a: 1\n  # c\nq: 1\n'],
  ['last in a list', 'x.yaml', 'p:\n  - a\n  # c\nq: 1\n'],
  ['last in a file', 'x.yaml', 'p:\n  a: 1\n  # c\n'],
  ['in front of the first key, on its line', 'x.jsonc', '{ /* # c */ "p": 1 }\n'],
].map(
  ([where, file, before]): Row => ({
    ...{ why: `a comment ${where}`, rule: 'paths: p, ops: comment, then: deny' },
    ...{ file: file ?? '', before: before ?? '', edit: text('# c', '# d') },
  }),
);

const PASSED: readonly Row[] = [
  {
    why: 'a comment behind a block',
    rule: 'paths: p, ops: comment, then: deny',
    before: 'p:\n  a: 1\n# c\nq: 1\n',
    edit: text('# c', '# d'),
  },
  {
    why: 'a tag elsewhere',
    rule: paths('spec.x'),
    before: 'a: !Ref x\nspec: { q: 1 }\n',
    edit: text('Ref x', 'Ref y'),
  },
  {
    why: 'a key beside the lines',
    rule: paths('spec.x'),
    before: LINES,
    edit: text('  a: 1\n', '  a: 1\n  z: 1\n'),
  },
  {
    why: 'a key behind the lines',
    rule: paths('spec.x'),
    before: LINES,
    edit: text('last: 1', 'last: 1\nq: 2'),
  },
  {
    why: 'a document before the lines',
    rule: paths('spec.x'),
    before: LINES,
    edit: { op: 'add_document', json: { a: 1 }, index: 0 },
  },
  {
    why: 'a filled-in label',
    rule: SECRET,
    before: 'kind: Service\nmetadata:\n  labels:\n    {{ .k }}: a\n',
    edit: text(': a', ': b'),
  },
  {
    why: 'labels that an action writes',
    rule: SECRET,
    before: 'kind: Service\nmetadata:\n  labels:\n    {{- toYaml .l | nindent 4 }}\nx: 1\n',
    edit: text('x: 1', 'x: 2'),
  },
  {
    why: 'a plain action in quotes',
    rule: paths('locked'),
    file: 'templates/x.yaml',
    before: 'a: "1"\n',
    edit: text('"1"', '"{{ .Values.a }}"'),
  },
];

describe('what a file does not say itself', () => {
  const rows = [...DENIED, ...COMMENTS, ...PASSED];
  const fileOf = (row: Row) => `r${rows.indexOf(row)}/${row.file ?? 'x.yaml'}`;
  const rules = rows.map(({ rule }, index) => `  - { id: r${index}, files: "r${index}/**", ${rule} }\n`);
  const comments = '  - { id: comments, ops: [comment, layout], then: direct }\n';
  const policy = `default: preview\nrules:\n${comments}${rules.join('')}`;
  const operator = tempRoot({ 'policy.yaml': policy });
  let server: ToolServer;
  beforeAll(async () => {
    server = await startToolServer({
      files: Object.fromEntries(
        rows.flatMap((row) => (row.before === undefined ? [] : [[fileOf(row), row.before]])),
      ),
      flags: ['--allow', '**', '--policy', `${operator.dir}/policy.yaml`],
    });
  });
  afterAll(async () => {
    await server.close();
    operator.remove();
  });

  test.for(DENIED)('is judged as what it may be: $why [POL-2]', async (row) => {
    const edits = [{ ...row.edit, file: fileOf(row) }];
    expect(await server.refused('config_edit', { edits })).toMatchObject({ code: 'POLICY_DENIED' });
  });

  test.for(COMMENTS)('has $why [POL-1]', async (row) => {
    const edits = [{ ...row.edit, file: fileOf(row) }];
    expect(await server.refused('config_edit', { edits })).toMatchObject({ code: 'POLICY_DENIED' });
  });

  test.for(PASSED)('is not touched by $why [POL-1]', async (row) => {
    const { data } = await server.ok('config_edit', { edits: [{ ...row.edit, file: fileOf(row) }] });
    expect(data['preview_id']).toBeTypeOf('string');
  });
});
