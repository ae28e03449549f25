// Changes that one reader sees and another does not: other ends of lines, other spellings of a value or a key, what comes by
// aliases, comments that are somebody else's now. None of them may pass at a milder level than what some reader sees.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { tempRoot } from '../../harness/temp-root.ts';
import { startToolServer, type ToolServer } from '../../harness/tool-server.ts';

const POLICY = 'readings-policy.yaml';
/** As an operator keeps it: the clone may lie below a folder that others can write. */
const operator = tempRoot({ [POLICY]: readFileSync(join(import.meta.dirname, POLICY)) });
afterAll(() => operator.remove());

const FILES = {
  'plain.yaml':
    'uid: 1000\nprivileged: false\nleast: 2000\ncontext: {}\nnote: 1 # words\npinned: 1 # by ops\nother: 2\ntcp:\n  443: a\ntext: |\n  words\n',
  'above.yaml': '# by ops\npinned: 1\nother: 2\n',
  'octal.yaml': 'locked: 010\nother: 1\n',
  'numbers.yaml': 'env:\n  - name: 1.10\n    value: a\nrelease: 1.10\ntier: 1\n',
  'alias.yaml': 'one: &a 5\nlocked: *a\n',
  'inner.yaml': 'one: &a { b: 5 }\nlocked: *a\n',
  'twice.yaml': 'one: &b\n  r: 1\n  r: 2\nlocked: *b\n',
  'merged.yaml': 'one: &b\n  q: 1\nlocked:\n  <<: *b\n',
  'key.yaml': 'one: &k privileged\nother: 1\n',
  'context.yaml': 'one: &b { privileged: yes }\ncontext: {}\n',
  'two.yaml': 'kind: Service\na: 1\n---\nkind: Secret\nb: "2"\n',
  'spec.json': '{\n  "spec": { "locked": 1 },\n  "spec": { "q": 1 }\n}\n',
  'order.yaml': 'one: &b { locked: 1 }\nspec: {}\nlast:\n  locked: 2\n  <<: *b\n',
  'chart.yaml':
    'name: {{ .a }}\nquoted: "{{ .a }}"\nlabels:\n  {{- toYaml .l | nindent 2 }}\nset: {{ $r = 5 }}\nlocked: 1\n',
  'pinned.jsonc': '{\n  "pinned": 1, // by ops\n  "other": 2\n}\n',
  'words.yaml': 'spec:\n  true: 1\n  yes: 2\nclosed:\n  80: a\n  0x50: b\n',
  ...Object.fromEntries(
    ['\u2028', '\u2029', '\u0085', '\r'].map((end) => [
      `kind-${end.charCodeAt(0)}.yaml`,
      `a: 1\n# words${end}kind: Secret\n`,
    ]),
  ),
  'pinned.toml': 'pinned = 1 # by ops\nother = 2\n',
};

type Edit = Readonly<Record<string, unknown>>;

function text(file: string, old_text: string, new_text: string): Edit {
  return { op: 'replace_text', file, old_text, new_text };
}

function set(path: string, value: string, file = 'plain.yaml'): Edit {
  return { op: 'set', file, path, value };
}

interface Row {
  readonly why: string;
  readonly edits: readonly Edit[];
}

const BREAKS = { CR: '\r', NEL: '\u0085', LS: '\u2028', PS: '\u2029' };
const ZEROS = ['0X0', '+0x0', '-0x0', '0B0', '0O0', '0o_0', '-0o0', '"0"', '"0x0"', '00', '0.0', '-0'];
const TRUES = ['"true"', "'True'", 'yes', '"on"', '"y"'];

const ROWS: readonly Row[] = [
  ...Object.entries(BREAKS).flatMap(([name, end]): Row[] => [
    {
      why: `a key behind ${name} in a comment`,
      edits: [text('plain.yaml', '# words', `# words${end}locked: 1`)],
    },
    {
      why: `a key behind ${name} in a block of text`,
      edits: [text('plain.yaml', '  words\n', `  words${end}locked: 1\n`)],
    },
  ]),
  ...ZEROS.map((zero) => ({ why: `0 as ${zero}`, edits: [set('uid', zero)] })),
  ...TRUES.map((word) => ({ why: `true as ${word}`, edits: [set('privileged', word)] })),
  { why: 'an octal number that is long', edits: [set('least', `${'0'.repeat(66)}1000`)] },
  ...['0120', '0o120', '1:20', '8_0', '"80 "'].map((key) => ({
    why: `80 as the key ${key}`,
    edits: [text('plain.yaml', '443: a', `${key}: a`)],
  })),
  { why: 'another version for its numbers', edits: [text('octal.yaml', 'locked', '%YAML 1.1\n---\nlocked')] },
  {
    why: 'an item whose name is a number',
    edits: [{ op: 'set', file: 'numbers.yaml', path: 'env[0].value', value: 'b' }],
  },
  { why: 'a document that is found by a number', edits: [set('tier', '2', 'numbers.yaml')] },
  { why: 'a tag that an alias brings', edits: [text('alias.yaml', '&a 5', '&a !!str 5')] },
  { why: 'a tag within what an alias brings', edits: [text('inner.yaml', 'b: 5', 'b: !!str 5')] },
  { why: 'the second of two keys that an alias brings', edits: [text('twice.yaml', 'r: 2', 'r: 3')] },
  {
    why: 'one of two keys, behind which the other shows',
    edits: [text('spec.json', ',\n  "spec": { "q": 1 }', '')],
  },
  { why: 'a merge in quotes', edits: [text('order.yaml', 'spec: {}', 'spec: { "<<": *b }')] },
  {
    why: 'a merge before a key of its own',
    edits: [text('order.yaml', '  locked: 2\n  <<: *b\n', '  <<: *b\n  locked: 2\n')],
  },
  { why: 'a merge by its tag', edits: [text('merged.yaml', 'q: 1', 'q: 1\n  !!merge x: { r: 1 }')] },
  { why: 'a key that is an alias', edits: [text('key.yaml', 'other: 1', 'other: 1\n*k : true')] },
  { why: 'a word in what an alias brings', edits: [set('context', '*b', 'context.yaml')] },
  {
    why: 'a word in what a merge brings',
    edits: [text('context.yaml', 'context: {}', 'context: { <<: *b }')],
  },
  {
    why: 'the order of true and yes',
    edits: [text('words.yaml', '  true: 1\n  yes: 2', '  yes: 2\n  true: 1')],
  },
  {
    why: 'the order of 80 and 0x50',
    edits: [text('words.yaml', '  80: a\n  0x50: b', '  0x50: b\n  80: a')],
  },
  ...['\u2028', '\u2029', '\u0085', '\r'].map((end) => ({
    why: `data of a document that is of a kind by ${JSON.stringify(end)} in a comment`,
    edits: [text(`kind-${end.charCodeAt(0)}.yaml`, 'a: 1', 'a: 2')],
  })),
  {
    why: 'the layout of two documents',
    edits: [text('two.yaml', 'a: 1', 'a:  1'), text('two.yaml', 'b: "2"', "b: '2'")],
  },
  {
    why: 'the layout of a document, beside the data of another',
    edits: [text('two.yaml', 'a: 1', 'a: 2'), text('two.yaml', 'b: "2"', "b: '2'")],
  },
];

const chart = (why: string, old: string, next: string): Row => ({
  why,
  edits: [text('chart.yaml', old, next)],
});

const FILLED_IN: readonly Row[] = [
  chart('a text with a line break', 'name: {{ .a }}', 'name: {{ "1\\nlocked: 2" }}'),
  chart('a text in backquotes', 'name: {{ .a }}', 'name: {{ `1\nlocked: 2` }}'),
  chart('a character by its number', 'name: {{ .a }}', 'name: {{ printf "1%clocked: 2" 10 }}'),
  chart('a text with a quote', 'quoted: "{{ .a }}"', 'quoted: "{{ "1\\"\\nlocked: 2" }}"'),
  chart('lines that are not indented', 'name: {{ .a }}', 'name: {{ toYaml .b }}'),
  chart('lines that are indented too little', 'toYaml .l | nindent 2', 'toYaml .l | nindent 0'),
  chart('another template', 'name: {{ .a }}', 'name: {{ tpl .b . }}'),
  chart('a file', 'name: {{ .a }}', 'name: {{ .Files.Get "x" }}'),
  chart('a variable that is used elsewhere', 'name: {{ .a }}', 'name: {{ $x = .a }}'),
  chart('a variable that is set no more', 'set: {{ $r = 5 }}', 'set: 5'),
  chart('the break behind the value', 'name: {{ .a }}', 'name: {{ .a -}}'),
  chart('a node below the value', 'name: {{ .a }}', 'name: x\nclosed: {{ .b }}'),
  chart('a node below its lines', 'name: {{ .a }}', 'name: x\nclosed:\n  {{- toYaml .b | nindent 2 }}'),
  chart('a document of its own', 'locked: 1\n', 'locked: 1\n{{ include "all" . }}\n'),
];

const MOVED: readonly Row[] = [
  {
    why: 'another line',
    edits: [text('plain.yaml', 'pinned: 1 # by ops\nother: 2', 'pinned: 1\nother: 2 # by ops')],
  },
  {
    why: 'its line, from above',
    edits: [text('above.yaml', '# by ops\npinned: 1\nother', 'pinned: 1\n# by ops\nother')],
  },
  {
    why: 'another key of that line',
    edits: [text('plain.yaml', 'pinned: 1 # by ops\nother: 2', 'other: 2 # by ops\npinned: 1')],
  },
  {
    why: 'another line of JSON',
    edits: [text('pinned.jsonc', '1, // by ops\n  "other": 2', '1,\n  "other": 2 // by ops')],
  },
  {
    why: 'another line of TOML',
    edits: [text('pinned.toml', '1 # by ops\nother = 2', '1\nother = 2 # by ops')],
  },
];

describe('what some reader sees', () => {
  let server: ToolServer;
  beforeAll(async () => {
    server = await startToolServer({
      files: FILES,
      flags: ['--allow', '**', '--policy', join(operator.dir, POLICY)],
    });
  });
  afterAll(() => server.close());

  test.for(ROWS)('is denied as $why [POL-2]', async ({ edits }) => {
    expect(await server.refused('config_edit', { edits })).toMatchObject({ code: 'POLICY_DENIED' });
  });

  test.for(MOVED)('is a comment that goes to $why [POL-1]', async ({ edits }) => {
    expect(await server.refused('config_edit', { edits })).toMatchObject({ code: 'POLICY_DENIED' });
  });

  test.for(FILLED_IN)('is denied where an action may write $why [POL-2]', async ({ edits }) => {
    expect(await server.refused('config_edit', { edits })).toMatchObject({ code: 'POLICY_DENIED' });
  });

  it.each([
    ['name: {{ .a }}', 'name: {{ .b | default "z" | quote }}'],
    ['name: {{ .a }}', 'name: {{ printf "%s-%d" $x.b (int .c) | quote }}'],
    ['name: {{ .a }}', 'name: {{ include "web.name" . | trunc 63 | trimSuffix "-" | toJson }}'],
    ['name: {{ .a }}', 'name: x{{/* why */}}'],
    ['name: {{ .a }}', 'name: {{ if .a }}x{{ else }}y{{ end }}'],
    ['quoted: "{{ .a }}"', 'quoted: "{{ .a }}:1"\nclosed: "{{ .a }}"'],
    ['toYaml .l | nindent 2', 'toYaml .m | nindent 4'],
  ])('is its own value where an action keeps to it: %s, %s [POL-1]', async (old, next) => {
    const { data } = await server.ok('config_edit', { edits: [text('chart.yaml', old, next)] });
    expect(data['preview_id']).toBeTypeOf('string');
  });

  it('is not there where all readers agree [POL-1]', async () => {
    const edits = [
      set('uid', '10'),
      set('privileged', 'false'),
      set('least', '1001'),
      text('plain.yaml', '# words', '# other words'),
      text('two.yaml', 'a: 1', 'a: 2'),
      text('alias.yaml', 'one: &a 5', 'two: 1\none: &a 5'),
      set('q', '2', 'merged.yaml'),
    ];
    const { data } = await server.ok('config_edit', { edits });
    expect(data['preview_id']).toBeTypeOf('string');
  });
});
