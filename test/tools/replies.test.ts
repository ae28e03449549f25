// What a reply is: everything that matters in the text and in the data, each thing once, ids that copy cleanly, and
// many equal changes in a line each.
import { expect, onTestFinished, test } from 'vitest';
import { humanFlags, person, stage } from '../harness/previews.ts';
import { startServer } from '../harness/start-server.ts';

const WORKFLOW = `jobs:
  build:
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
  test:
    steps:
      - uses: actions/checkout@v4
`;

async function serve(files: Readonly<Record<string, string>>, flags: readonly string[] = []) {
  const server = await startServer({ files, flags });
  onTestFinished(() => server.close());
  return server;
}

const SET = { file: 'a.yaml', path: 'a', json: 2 };

test('a preview has only what says something, and an id that stands alone', async () => {
  const server = await serve({ 'a.yaml': 'a: 1\n' });
  const { text, data } = await server.callTool('config_set', SET);
  expect(Object.keys(data)).toEqual([
    ...['ok', 'dry_run', 'summary', 'diff', 'sha256', 'preview_id', 'expires_at'],
  ]);
  expect(text).toMatch(/: config_apply \{"preview_id":"pv_[0-9a-hj-km-np-tv-z]{10}"\}$/u);
  const applied = await server.callTool('config_apply', { preview_id: data['preview_id'] });
  expect(Object.keys(applied.data)).toEqual([
    'ok',
    'applied',
    'change_id',
    'confirmed_by',
    'summary',
    'sha256',
  ]);
  expect(applied.text).not.toContain('+a: 2');
  const guard = /→ ([0-9a-f]{12})$/mu.exec(applied.text)?.[1];
  const next = { ...SET, json: 3, expected_sha256: guard };
  expect((await server.callTool('config_set', next)).isError).toBe(false);
});

test('text and data both say so where a person decides', async () => {
  const at = stage();
  const server = await at.start(humanFlags(at, [person('ann')]));
  const { text, data } = await server.ok('config_set', SET);
  const says = expect.stringContaining('A person has to approve it first');
  expect([text, data['note']]).toEqual([says, says]);
});

test('many equal changes are one sample and a line each, and one that is not equal is shown as a diff', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `.github/workflows/w${index}.yml`);
  const files = Object.fromEntries(names.map((name) => [name, WORKFLOW]));
  const server = await serve({ ...files, 'a.yaml': 'a: 1\n' });
  const edits = names.flatMap((file) =>
    ['build', 'test'].map((job) => ({
      ...{ op: 'set', file, path: `jobs.${job}.steps[0].uses` },
      value: 'actions/checkout@v5',
    })),
  );
  const { text, data } = await server.callTool('config_edit', { edits: [...edits, { op: 'set', ...SET }] });
  expect(text).toContain(
    '8 files: replace uses: actions/checkout@v4 → actions/checkout@v5 (16×), for example:\n',
  );
  expect(text).toContain('.github/workflows/w7.yml:8 jobs.test.steps[0].uses\n');
  expect(text.match(/^\+ .*checkout@v5/gmu)).toHaveLength(1);
  expect(text).toContain('-a: 1\n+a: 2\n');
  expect(JSON.stringify(data).length).toBeLessThan(1.25 * text.length);
  const applied = await server.callTool('config_apply', { preview_id: data['preview_id'] });
  expect(applied.text).toMatch(/^Applied: 17 paths in 9 files\./u);
});

test.each([
  {
    why: 'one text, as part of many values and comments',
    content: (at: number) => `# see old.example\n${['host', 'url'][at % 2]}: x${at}.old.example\n`,
    edit: { op: 'replace_text', old_text: 'old.example', new_text: 'new.example', expect: 40 },
    says: '20 files: replace the text old.example → new.example (40×), for example:\n',
    lists: ['f0.yaml:1\n', 'f1.yaml:2 url\n'],
  },
  {
    why: 'values whose comments stand in a column with others',
    content: (at: number) => `name: n${at}\ntag: 1.9.0    # which\npull: Always  # when\n`,
    edit: { op: 'set', path: 'tag', json: '1.10.0', expect: 20 },
    says: '20 files: replace tag: 1.9.0 → 1.10.0 (20×), for example:\n',
    lists: ['f0.yaml:2 tag\n', 'f19.yaml:2 tag\n'],
  },
])('$why: the same edits are shown once', async ({ content, edit, says, lists }) => {
  const names = Array.from({ length: 20 }, (_, at) => [`f${at}.yaml`, content(at)] as const);
  const server = await serve(Object.fromEntries(names));
  const { text } = await server.callTool('config_edit', { edits: [{ file: '*.yaml', ...edit }] });
  expect(text).toContain(says);
  for (const line of lists) expect(text).toContain(line);
  expect(text.match(/^\+\+\+ /gmu)).toHaveLength(1);
});

test('--replies text leaves out structured content and output schemas', async () => {
  const server = await serve({ 'a.yaml': 'a: 1\n' }, ['--replies', 'text']);
  expect((await server.listTools()).filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
  const { text, data } = await server.callTool('config_get', { file: 'a.yaml', path: 'a' });
  expect({ text, data }).toEqual({ text: '1', data: {} });
});
