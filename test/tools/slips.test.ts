// Slips of an agent: each is a warning in the preview, and is asked about before it is written at once. What only looks alike is
// written without a question.
import { expect, test } from 'vitest';
import { toolServer } from '../harness/tool-server.ts';

const server = toolServer();

const [OLD, NEW] = ['8ade135a41bc03ea155e62e844d188df1ea18608', 'f43a0e5ff2bd294095638e18286ca9a3d1956744'];
const TEXTS = 'args:\n  - --one\n  - --two\nports: ["80:80"]\nenv:\n  - name: A\n    value: b\n';
const SERVICE = 'web:\n  image: nginx\n  restart: always\n  command: run\n';
const KEYS = 'image: nginx\nreplicas: 1\nservice: web\nhost: a\n';
const TOML =
  '[lints]\nrust.unsafe = "deny"\nrust.dead = "warn"\n\n[deps]\nserde.workspace = true\n\n[plain]\na = 1\n';

interface Slip {
  readonly text: string;
  readonly edit: Readonly<Record<string, unknown>>;
  readonly type?: string;
}
interface Asked extends Slip {
  readonly asks: string;
}

const stale = (comment: string) => `The comment ${comment} beside a new value still names the old version.`;
const steps = (comment: string) => `steps:\n  - uses: a/b@${OLD} # ${comment}\n`;

test.each<Asked>([
  {
    text: KEYS,
    edit: { op: 'set', path: 'image', from: 'nginx*', json: 'caddy*' },
    asks: '"caddy*" is written as it is: a wildcard of "from" has no meaning in the new value.',
  },
  {
    text: KEYS,
    edit: { op: 'set', path: '*', from: 'ngin?', value: 'cadd?' },
    asks: '"cadd?" is written as it is',
  },
  {
    text: 'a: [x/v1, y/v1]\n',
    edit: { op: 'set', path: 'a[*]', from: '*/v1', json: '*/v2' },
    asks: 'Then use op "replace_text"',
  },
  {
    text: TEXTS,
    edit: { op: 'append', path: 'args', json: ['--three', '--four'] },
    asks: 'args[2]: a list within a list of texts. Did you mean to append each? Then send "each": true, or one by one.',
  },
  {
    text: TEXTS,
    edit: { op: 'append', path: 'ports', value: '["81:81", "82:82"]' },
    asks: 'ports[1]: a list within a list of texts.',
  },
  {
    text: TEXTS,
    edit: { op: 'insert', path: 'args', index: 0, json: ['--zero', '-v'] },
    asks: 'args[0]: a list within a list of texts.',
  },
  {
    text: 'a = ["x"]\n',
    type: 'toml',
    edit: { op: 'append', path: 'a', json: ['y'] },
    asks: 'a[1]: a list within a list of texts.',
  },
  { text: KEYS, edit: { op: 'set', path: 'imge', json: 'x' }, asks: 'Did you mean image?' },
  { text: KEYS, edit: { op: 'set', path: 'iimage', json: 'x' }, asks: 'Did you mean image?' },
  { text: KEYS, edit: { op: 'insert', path: '', key: 'hosst', json: 'x' }, asks: 'Did you mean host?' },
  { text: KEYS, edit: { op: 'merge', path: '', json: { replcas: 2 } }, asks: 'Did you mean replicas?' },
  {
    text: SERVICE,
    edit: { op: 'set', path: 'web.image', value: 'nginx: 1.25' },
    asks: 'web.image: the value is a mapping, where a scalar was.',
  },
  {
    text: SERVICE,
    edit: { op: 'set', path: 'web.user', value: 'name: root' },
    asks: 'web.user: the value is a mapping, where the others are scalars.',
  },
  {
    text: TEXTS,
    edit: { op: 'append', path: 'args', value: 'KEY: value' },
    asks: 'args: the value is a mapping, where the others are scalars.',
  },
  {
    text: SERVICE,
    edit: { op: 'insert', path: 'web', key: 'stop', after: 'image', value: 'signal: TERM' },
    asks: 'web.stop: the value is a mapping',
  },
  {
    text: TOML,
    type: 'toml',
    edit: { op: 'insert', path: 'lints', key: 'rust.unused', json: 'deny' },
    asks: 'lints["rust.unused"] is one key with a dot, where the keys beside it are dotted paths. Did you mean the path lints.rust.unused?',
  },
  {
    text: TOML,
    type: 'toml',
    edit: { op: 'merge', path: 'deps', json: { 'tokio.workspace': true } },
    asks: 'Did you mean the path deps.tokio.workspace?',
  },
  {
    text: 'a.b = 1\n',
    type: 'toml',
    edit: { op: 'insert', path: '', key: 'a.c', json: 1 },
    asks: 'Did you mean the path a.c?',
  },
  {
    text: steps('v7.0.1'),
    edit: { op: 'set', path: 'steps[0].uses', json: `a/b@${NEW}` },
    asks: stale('# v7.0.1'),
  },
  {
    text: steps('pin v7'),
    edit: { op: 'set', path: 'steps[0].uses', json: `a/b@${NEW}` },
    asks: stale('# pin v7'),
  },
  {
    text: 'image: "x:1.2.3" # 1.2.3 is the last with y\n',
    edit: { op: 'set', path: 'image', json: 'x:1.3.0' },
    asks: stale('# 1.2.3 is the last with y'),
  },
  {
    text: 'rev = "1.4" # as in 1.4\n',
    type: 'toml',
    edit: { op: 'set', path: 'rev', json: '1.5' },
    asks: stale('# as in 1.4'),
  },
])('asks about $edit', async ({ text, edit, asks, type = 'yaml' }) => {
  const file = server.fresh(text, type);
  const edits = [{ file, ...edit }];
  const { data } = await server.ok('config_edit', { edits });
  expect(String(data['warnings'])).toContain(asks);
  const {
    code,
    text: said,
    again: next,
    ...rest
  } = await server.refused('config_edit', { edits, dry_run: false });
  expect(code).toBe('PREVIEW_REQUIRED');
  expect(said).toContain(asks);
  // Its preview has the question already.
  expect(JSON.stringify(rest).split(JSON.stringify(asks).slice(1, -1))).toHaveLength(2);
  expect(server.disk(file)).toBe(text);
  await server.ok(next?.tool ?? '', next?.arguments);
  expect(server.disk(file)).not.toBe(text);
});

test.each<Slip>([
  { text: 'a: "1 * * * *"\n', edit: { op: 'set', path: 'a', from: '1 * * * *', json: '2 * * * *' } },
  { text: KEYS, edit: { op: 'set', path: 'image', from: 'nginx*', json: 'caddy?' } },
  { text: KEYS, edit: { op: 'set', path: 'image', from: 'nginx', json: 'caddy*' } },
  { text: 'a: [[1], [2]]\n', edit: { op: 'append', path: 'a', json: [3] } },
  { text: 'a: []\n', edit: { op: 'append', path: 'a', json: ['x'] } },
  { text: TEXTS, edit: { op: 'append', path: 'env', json: ['x', 'y'] } },
  { text: KEYS, edit: { op: 'set', path: 'ingress', json: 'x' } },
  { text: KEYS, edit: { op: 'rename', path: 'host', new_key: 'hosts' } },
  { text: SERVICE, edit: { op: 'set', path: 'web.environment', value: 'A: b' } },
  { text: SERVICE, edit: { op: 'set', path: 'web.build', json: { context: '.' } } },
  { text: SERVICE, edit: { op: 'set', path: 'web.image', value: '"a: b"' } },
  { text: TEXTS, edit: { op: 'append', path: 'env', value: 'name: B\nvalue: c' } },
  { text: TOML, type: 'toml', edit: { op: 'insert', path: 'plain', key: 'b.c', json: 1 } },
  { text: TOML, type: 'toml', edit: { op: 'set', path: 'lints.rust.unused', json: 'deny' } },
  { text: TOML, type: 'toml', edit: { op: 'set', path: 'profile.release', json: { lto: true } } },
  { text: KEYS, edit: { op: 'set', path: 'logger', json: { default: 'info' } } },
  { text: KEYS, edit: { op: 'set', path: 'logger.default', json: 'info' } },
  { text: steps('pinned'), edit: { op: 'set', path: 'steps[0].uses', json: `a/b@${NEW}` } },
  { text: 'port: 80 # since v2\n', edit: { op: 'set', path: 'port', json: 81 } },
])('writes $edit at once', async ({ text, edit, type = 'yaml' }) => {
  const file = server.fresh(text, type);
  await server.ok('config_edit', { edits: [{ file, ...edit }], dry_run: false });
  expect(server.disk(file)).not.toBe(text);
});

test('a question shows the diff: whole, with equal changes as one, or its first lines', async () => {
  const long = (width: number, lines: number) =>
    Array.from({ length: lines }, (_, at) => `${at}: ${'x'.repeat(width)}\n`).join('');
  const files = Array.from({ length: 12 }, () => server.fresh(KEYS, 'same.yaml'));
  const same = { op: 'set', file: '*.same.yaml', path: 'image', json: 'caddy*', from: 'nginx*' };
  const bulk = await server.refused('config_edit', { edits: [same], dry_run: false });
  expect(files).toHaveLength(12);
  expect(bulk.text).toContain('12 files: replace image: nginx → caddy* (12×), for example:');
  for (const [width, lines, isWhole] of [
    [40, 40, true],
    [80, 100, false],
  ] as const) {
    const file = server.fresh('a: nginx\n');
    const edits = [
      { op: 'set', file, path: 'a', from: 'nginx*', json: 'caddy*' },
      { op: 'set', file, path: 'b', value: long(width, lines) },
    ];
    const { text } = await server.callTool('config_edit', { edits, dry_run: false });
    expect(text).toContain('\n-a: nginx\n+a: caddy*\n');
    expect(text.includes(`+  ${lines - 1}: x`)).toBe(isWhole);
    expect(/… more of it: config_history \{"preview_id":"pv_\w+"\}/u.test(text)).toBe(!isWhole);
    expect(text).toMatch(/config_apply \{"preview_id":"pv_\w+"\}$/u);
  }
});

test('a comment that changes with its version is no question', async () => {
  const file = server.fresh(steps('v7.0.1'));
  const edits = [
    { op: 'set', file, path: 'steps[0].uses', json: `a/b@${NEW}` },
    { op: 'comment', file, path: 'steps[0].uses', place: 'line_end', comment: 'v8.0.0' },
  ];
  await server.ok('config_edit', { edits, dry_run: false });
  expect(server.disk(file)).toBe(`steps:\n  - uses: a/b@${NEW} # v8.0.0\n`);
});

test.each([
  { why: 'typed values', list: TEXTS, path: 'args', json: ['--x', 3], adds: '  - --x\n  - 3\n' },
  {
    why: 'values as written',
    list: TEXTS,
    path: 'args',
    value: '- "1.10"\n- b',
    adds: '  - "1.10"\n  - b\n',
  },
  {
    why: 'mappings',
    list: TEXTS,
    path: 'env',
    json: [{ name: 'X', value: 'z' }],
    adds: '  - name: X\n    value: z\n',
  },
  { why: 'a list that is made', list: TEXTS, path: 'new', json: ['a', 'b'], adds: 'new:\n  - a\n  - b\n' },
])('append takes each item of a list: $why', async ({ list, path, adds, why: _, ...value }) => {
  const file = server.fresh(list);
  await server.ok('config_edit', {
    edits: [{ op: 'append', file, path, each: true, ...value }],
    dry_run: false,
  });
  expect(server.disk(file)).toContain(adds);
});

const COMPOSE =
  'services:\n  web:\n    build: {context: .}\n    depends_on:\n      db: {condition: x}\n  api:\n    build: {context: .}\n    links: [db, "db:x"]\n  db: {image: pg}\n';
const JOBS =
  'jobs:\n  build: {runs-on: x}\n  test:\n    needs: [build]\n    env: {A: "${{ needs.build.outputs.a }}", B: "${{ needs.build-x.a }}"}\n';
const VALUES = 'old:\n  a: 1\nb: "{{ .Values.old }}-{{ .Values.older }}"\nc: ["old"]\nd: OLD\n';

test.each([
  {
    text: COMPOSE,
    path: 'services.db',
    says: 'db is still named at services.web.depends_on.db, services.api.links[0].',
  },
  { text: COMPOSE, path: 'services.web.build', says: undefined },
  { text: JOBS, path: 'jobs.build', says: 'build is still named at jobs.test.needs[0], jobs.test.env.A.' },
  { text: VALUES, path: 'old', says: 'old is still named at b, c[0].' },
  { text: VALUES, path: 'old.a', says: undefined },
  {
    text: `a: {x: 1}\nb:\n${'  - a\n'.repeat(5)}`,
    path: 'a',
    says: 'a is still named at b[0], b[1], b[2] and 2 more places.',
  },
])('a renamed key that is still named elsewhere is told: $path', async ({ text, path, says }) => {
  const edits = [{ op: 'rename', file: server.fresh(text), path, new_key: 'renamed' }];
  const { data } = await server.ok('config_edit', { edits });
  expect(data['warnings']).toEqual(says === undefined ? undefined : [says]);
  await server.ok('config_edit', { edits, dry_run: false });
});

test.each([
  {
    text: 'a: {tag: "{{ .Values.t }}"}\nb: {tag: x}\n',
    edit: {},
    asks: '1 replaced value has a template action',
  },
  { text: 'a: {tag: "${{ matrix.a }}"}\nb: {tag: "${{ b }}"}\n', edit: {}, asks: '2 replaced values have a' },
  { text: 'a: {tag: "{{ .Values.t }}"}\n', edit: { json: '{{ .Values.u }}' }, asks: undefined },
  { text: 'a: {tag: "{{ .Values.t }}"}\n', edit: { from: '{{ .Values.t }}' }, asks: undefined },
  { text: 'a: {tag: x}\nb: {tag: y}\n', edit: {}, asks: undefined },
])('a pattern that replaces template actions is asked about: $text $edit', async ({ text, edit, asks }) => {
  const edits = [{ op: 'set', file: server.fresh(text), path: '*.tag', json: 'v2', ...edit }];
  if (asks === undefined) await server.ok('config_edit', { edits, dry_run: false });
  else {
    expect(String((await server.ok('config_edit', { edits })).data['warnings'])).toContain(asks);
    const { code, text: said } = await server.refused('config_edit', { edits, dry_run: false });
    expect([code, said]).toEqual(['PREVIEW_REQUIRED', expect.stringContaining(asks)]);
  }
});

test.each([
  { key: 'time2', after: 'time', why: 'behind a named key' },
  { key: 'tiem', before: 'other', why: 'before a named key' },
])('a new key is no typing error $why', async ({ why: _, ...placed }) => {
  const file = server.fresh('features:\n  time: 1\n  other: 2\n');
  const edits = [{ op: 'insert', file, path: 'features', json: 1, ...placed }];
  await server.ok('config_edit', { edits, dry_run: false });
});

test.each([
  { file: '.github/workflows/new.yml', isWarned: false },
  { file: 'charts/new.yml', isWarned: true },
])('the key on of a new file: $file', async ({ file, isWarned }) => {
  const edits = [{ op: 'create_file', file, content: 'on: push\njobs: {}\n' }];
  const { text } = await server.ok('config_edit', { edits });
  expect(text.includes('YAML 1.1')).toBe(isWarned);
});
