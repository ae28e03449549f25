// However much a call reads or changes, its reply stays within bounds, and says how to go on where it was cut. The
// sizes are those of the whole result, which says everything twice: as text and as data.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/security/index.ts';
import { startToolServer, type ToolServer } from '../harness/tool-server.ts';

const { replyChars } = DEFAULT_LIMITS;
/** A line break takes two characters in JSON, and the text stands there twice. */
const MOST = 4 * replyChars + 20_000;
const FEW = 40_000;

const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('');
/** As long as a key that is not marked by '?' may be. */
const LONG = 'k'.repeat(1_000);
const KEYS = lines(20_000, (i) => `key${i}: value`);

let server: ToolServer;

beforeAll(async () => {
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
    'marked.yaml': `? "${'k'.repeat(2 * replyChars)}"\n: { a: no, b: no }\nz: 1\n`,
    'one.json': JSON.stringify({ ['k'.repeat(2 * replyChars)]: 1, z: 1 }),
    'halves/a.yaml': lines(110, (i) => `${LONG}${i}: 1`),
    'halves/b.yaml': lines(110, (i) => `${LONG}${i}: 1`),
  };
  server = await startToolServer({ files: { ...Object.fromEntries(small), ...named } });
});

afterAll(() => server.close());

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
  { tool: 'config_search', args: { pattern: 'marked.yaml', value: '*' }, most: FEW, wayOn: /characters\)/ },
  { tool: 'config_search', args: { pattern: 'one.json', key: '*' }, most: FEW, wayOn: /characters\)/ },
  { tool: 'config_validate', args: { file: 'twice.yaml' }, most: MOST, wayOn: /more/ },
  { tool: 'config_validate', args: { file: 'long-keys.yaml' }, most: MOST, wayOn: /hazard/ },
  { tool: 'config_validate', args: { file: 'marked.yaml' }, most: FEW, wayOn: /hazard/ },
])('$tool $args', async ({ tool, args, most, wayOn }) => {
  const { text, data } = await server.ok(tool, args);
  expect(JSON.stringify({ text, data }).length).toBeLessThan(most);
  expect(text).toMatch(wayOn);
});

test.each([
  { tool: 'config_get', args: { file: 'keys.yaml' }, wayOn: /outline/ },
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

test('a line of 300 KB that changes is never cut in silence: such a preview cannot be applied', async () => {
  server.write('changed.yaml', `a: ${'x'.repeat(300_000)}\n`);
  const { text, data } = await server.ok('config_set', { file: 'changed.yaml', path: 'a', value: '2' });
  expect(data).not.toHaveProperty('preview_id');
  expect(text).toContain('It has no preview_id');
});
