// However much a call reads or changes, its reply stays within bounds, and says how to go on where it was cut. The
// sizes are those of the whole result, which says everything twice: as text and as data.
import { expect, test } from 'vitest';
import { toolServer } from '../harness/tool-server.ts';

/** By default. */
const replyChars = 200_000;
/** A line break takes two characters in JSON, and the text stands there twice. */
const MOST = 4 * replyChars + 20_000;
const FEW = 40_000;

const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('');
/** With three digits as long as a key may be. */
const LONG = 'k'.repeat(997);
const KEYS = lines(20_000, (i) => `key${i}: value`);

const small = Array.from({ length: 300 }, (_, i) => [`small/${i}.yaml`, 'a: 1\n'] as const);
const named = {
  'keys.yaml': KEYS,
  'comments.yaml': lines(3_000, (i) => `# about ${i}\nk${i}: v`),
  'documents.yaml': lines(900, (i) => `---\nkind: K${i}`),
  'one.yaml': `a: ${'x'.repeat(replyChars + 1)}\n`,
  'wrong.yaml': lines(3_000, () => 'key: value'),
  'long-comments.yaml': lines(600, (i) => `# ${'c'.repeat(3_000)}\nk${i}: v`),
  'one-comment.yaml': `a: 1 # ${'c'.repeat(3 * replyChars)}\n`,
  'long-keys.yaml': lines(600, (i) => `${LONG}${i}: no`),
  'followed.yaml': `x: &a\n${lines(600, (i) => `  ${LONG}${i}: 1`)}y: *a\nz: *a\n`,
  'twice.yaml': lines(600, () => `${LONG}: 1`),
  'deep.yaml': `${`{ ${LONG}: `.repeat(90)}{ a: no, b: no }${' }'.repeat(90)}\n`,
  'one.json': JSON.stringify({ ['k'.repeat(2 * replyChars)]: 1, z: 1 }),
  'halves/a.yaml': lines(110, (i) => `${LONG}${i}: 1`),
  'halves/b.yaml': lines(110, (i) => `${LONG}${i}: 1`),
};
const server = toolServer({ files: { ...Object.fromEntries(small), ...named } });

test.each([
  { tool: 'config_list', args: {}, most: FEW, wayOn: /repeat with cursor/ },
  {
    tool: 'config_get',
    args: { file: 'keys.yaml', view: 'outline' },
    most: FEW,
    wayOn: /name one of their keys/,
  },
  {
    tool: 'config_get',
    args: { file: 'documents.yaml', view: 'outline' },
    most: FEW,
    wayOn: /name one in "doc"/,
  },
  { tool: 'config_search', args: { value: 'value' }, most: FEW, wayOn: /repeat with cursor/ },
  { tool: 'config_search', args: { value: '*', limit: 500 }, most: 200_000, wayOn: /repeat with cursor/ },
  { tool: 'config_validate', args: { file: 'wrong.yaml' }, most: MOST, wayOn: /more/ },
  {
    tool: 'config_set',
    args: { file: 'keys.yaml', path: '', value: 'a: 1' },
    most: MOST,
    wayOn: /change less at a time/,
  },
  {
    tool: 'config_set',
    args: { file: 'comments.yaml', path: '', value: 'a: 1' },
    most: MOST,
    wayOn: /and 2989 more/,
  },
  // A reply is no longer where single keys and comments are.
  ...['long-comments', 'long-keys', 'followed', 'twice'].map((name) => ({
    tool: 'config_set',
    args: { file: `${name}.yaml`, path: '', value: 'a: 1' },
    most: MOST,
    wayOn: /change less at a time/,
  })),
  {
    tool: 'config_edit',
    args: { edits: [{ op: 'comment', file: 'one-comment.yaml', path: 'a', place: 'line_end', comment: '' }] },
    most: MOST,
    wayOn: /change less at a time/,
  },
  {
    tool: 'config_edit',
    args: {
      edits: ['a', 'b'].map((name) => ({ op: 'set', file: `halves/${name}.yaml`, path: '', value: 'a: 1' })),
    },
    most: MOST,
    wayOn: /change less at a time/,
  },
  {
    tool: 'config_edit',
    args: {
      edits: Array.from({ length: 200 }, () => ({
        ...{ op: 'comment', file: 'small/1.yaml', path: 'a' },
        comment: 'n'.repeat(10_000),
      })),
    },
    most: 60_000,
    wayOn: /config_apply/,
  },
  {
    tool: 'config_search',
    args: { pattern: 'long-keys.yaml', key: '*', limit: 500 },
    most: MOST,
    wayOn: /repeat with cursor/,
  },
  {
    tool: 'config_search',
    args: { pattern: '{deep.yaml,one.json}', value: '*' },
    most: FEW,
    wayOn: /characters\)/,
  },
  { tool: 'config_validate', args: { file: 'twice.yaml' }, most: MOST, wayOn: /more/ },
  { tool: 'config_validate', args: { file: 'deep.yaml' }, most: FEW, wayOn: /hazard/ },
])('$tool $args', async ({ tool, args, most, wayOn }) => {
  const { text, data } = await server.ok(tool, args);
  expect(JSON.stringify({ text, data }).length).toBeLessThan(most);
  expect(text).toMatch(wayOn);
});

test.each([
  { tool: 'config_get', args: { file: 'keys.yaml', view: 'source' }, wayOn: /outline/ },
  { tool: 'config_get', args: { file: 'keys.yaml', view: 'value' }, wayOn: /outline/ },
  { tool: 'config_get', args: { file: 'one.yaml', path: 'a' }, wayOn: /outline/ },
])('$tool $args is refused, for a cut slice could be taken for the whole', async ({ tool, args, wayOn }) => {
  const error = await server.refused(tool, args);
  expect(error.code).toBe('LIMIT_EXCEEDED');
  expect(error.text).toMatch(wayOn);
  expect(error.text.length).toBeLessThan(2_000);
});

test('a change beside a line of 300 KB is shown whole, the line is cut, and the preview can be applied', async () => {
  const long = `long: ${'x'.repeat(300_000)}\n`;
  server.write('beside.yaml', `${long}a: 1\n${long.replace('long', 'after')}`);
  const { text, data } = await server.ok('config_set', { file: 'beside.yaml', path: 'a', value: '2' });
  expect(text.length).toBeLessThan(3_000);
  expect(text).toContain('… (cut: an unchanged line of 300006 characters)\n-a: 1\n+a: 2\n');
  await server.ok('config_apply', { preview_id: data['preview_id'] });
  expect(server.disk('beside.yaml')).toBe(`${long}a: 2\n${long.replace('long', 'after')}`);
});

const LARGE = lines(2_000, (i) => `key${i}: value number ${i} of the file`);

test.each([
  {
    why: 'its outline',
    args: {},
    says: [/^ *key0/m, /has \d+ characters, so this is its outline/, /view "source"/],
    most: 8_000,
  },
  { why: 'all of it by view', args: { view: 'source' }, says: [/key1999: value/], most: LARGE.length + 100 },
  { why: 'the lines', args: { lines: '1999-2000' }, says: [/^1999\tkey1998/m], most: 500 },
  { why: 'the node', args: { path: 'key7' }, says: [/^value number 7/m], most: 100 },
])('a large file is answered by $why', async ({ args, says, most }) => {
  server.write('large.yaml', LARGE);
  const { text, data } = await server.ok('config_get', { file: 'large.yaml', ...args });
  for (const words of says) expect(`${text}\n${data['note'] ?? ''}`).toMatch(words);
  expect(text.length).toBeLessThan(most);
});

test.each(['large.toml', 'large.yaml', 'large.json'])(
  '%s of 40,000 characters is answered whole',
  async (file) => {
    const line = { toml: 'k = 1\n', yaml: 'k: 1\n', json: '{"k": 1}\n' }[file.split('.')[1] ?? ''] ?? '';
    const comment = file.endsWith('json') ? '' : `#${'x'.repeat(39_998 - line.length)}\n`;
    server.write(file, comment + line);
    expect((await server.ok('config_get', { file })).text).toContain(line.trim());
  },
);

test.each([
  { why: 'comments that are added', op: { op: 'comment', path: 'a', comment: 'Why' } },
  { why: 'comments at line ends', op: { op: 'comment', path: 'a', place: 'line_end', comment: 'v2' } },
  { why: 'comments of files', op: { op: 'comment', path: '', comment: 'By us' } },
  { why: 'values', op: { op: 'set', path: 'a', json: 7 } },
])('equal changes of 69 files are one, and are not listed once they are written: $why', async ({ op }) => {
  const folder = `equal-${op.op}-${String(Object(op).place)}-${op.path}`;
  for (let i = 0; i < 69; i++) server.write(`${folder}-${i}.yaml`, `a: 1 # v1\nb: ${i}\n`);
  const edits = [{ ...op, file: `${folder}-*.yaml` }];
  const preview = await server.ok('config_edit', { edits });
  expect(preview.text).toContain('(69×), for example:');
  expect(preview.text.match(/^equal-.*yaml:/gm)).toHaveLength(20);
  expect(preview.text).toContain('and 49 more; config_history with the id shows each');
  expect(preview.text.length).toBeLessThan(2_000);
  const { text } = await server.ok('config_edit', { edits, dry_run: false });
  expect(text).toContain('(69×), for example:');
  expect(text).not.toContain('All of them:');
  expect(text.length).toBeLessThan(700);
});

test.each([
  { why: 'deletions that leave an empty mapping', op: { op: 'delete', path: 'm.k' }, most: 2_000 },
  { why: 'values that differ', op: { op: 'set', path: 'n', json: 7 }, most: 23_000 },
  { why: 'files that go', op: { op: 'delete_file' }, most: 23_000 },
])('the reply about 400 files is bounded, and the rest can be seen: $why', async ({ op, most }) => {
  const folder = `bounded-${op.op}-${op.path}`;
  for (let i = 0; i < 400; i++)
    server.write(`${folder}-${i}.yaml`, `m:\n  k: v\n# ${'-'.repeat(40)}\nn: ${i + 10}\n`);
  const edits = [{ ...op, file: `${folder}-*.yaml` }];
  const { text, data } = await server.ok('config_edit', { edits });
  expect(text.length).toBeLessThan(most);
  expect(JSON.stringify(data).length).toBeLessThan(most * 1.25);
  expect(text).toMatch(/… and (?:the diffs of )?\d+ more.*; config_history with the id shows each/);
  const { text: history } = await server.ok('config_history', { preview_id: data['preview_id'] });
  expect(history).toContain(`--- a/${folder}-399.yaml`);
});
