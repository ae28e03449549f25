// One character again and again, in the middle of a line, a value, a comment, a path or a name: whoever looks for what ends with it
// must not look at the same run from each of its places, which takes hours at this length. The time of a test is the bound.
import { afterAll, expect, test } from 'vitest';
import { inlineAirlock } from '../harness/inline-airlock.ts';

const RUN = 300_000;
const HEAD = `%YAML 1.2${' '.repeat(RUN)}# c\n---\n`;
const KEYS = Array.from({ length: 20_000 }, (_, i) => `k${i}: v\n`).join('');

const airlock = await inlineAirlock({ 'a.yaml': '' });
afterAll(() => airlock.close());

type Row = { readonly why: string; readonly before?: string; readonly edit: object; readonly after?: string };

test.each<Row>([
  {
    why: 'line breaks in a comment',
    edit: { op: 'comment', path: 'a', comment: `x${'\n'.repeat(RUN / 3)}y` },
    after: `# x\n${'#\n'.repeat(RUN / 3 - 1)}# y\na: 1\n`,
  },
  {
    why: 'blanks behind a directive',
    before: `${HEAD}a: 1\n`,
    edit: { op: 'set', path: 'a', value: '2' },
    after: `${HEAD}a: 2\n`,
  },
  {
    why: 'blanks in directives that are read as text only',
    before: `%TAG !e! tag:e${' '.repeat(RUN)}# c\n%X a${'\t'.repeat(RUN / 9)}b\n---\na: 1\n`,
    edit: { op: 'set', path: 'a', value: '2' },
  },
  {
    why: 'line breaks in a text',
    before: 'a: |\n  x\n',
    edit: { op: 'set', path: 'a', json: `x${'\n'.repeat(RUN / 3)}y` },
    after: `a: |-\n  x${'\n'.repeat(RUN / 3)}  y\n`,
  },
  {
    why: 'digits in a text',
    edit: { op: 'set', path: 'a', json: '1'.repeat(RUN) },
    after: `a: "${'1'.repeat(RUN)}"\n`,
  },
  {
    why: 'digits and underscores in a text',
    edit: { op: 'set', path: 'a', json: `${'1_'.repeat(RUN)}x` },
    after: `a: "${'1_'.repeat(RUN)}x"\n`,
  },
  {
    why: 'comments of CRLF above',
    before: `${'# comment\r\n'.repeat(5_000)}z: 1\r\n`,
    edit: { op: 'set', path: 'z', value: '2' },
    after: `${'# comment\r\n'.repeat(5_000)}z: 2\r\n`,
  },
  { why: 'steps of a path', before: KEYS, edit: { op: 'delete', path: `${'a.'.repeat(127)}b` } },
  { why: 'slashes of a path', before: KEYS, edit: { op: 'delete', path: `a${'/b'.repeat(126)}` } },
  { why: 'conditions of a path', before: KEYS, edit: { op: 'delete', path: `a[${'x='.repeat(2_000)}]` } },
  {
    why: 'wildcards of a path',
    before: `${'{a: '.repeat(30)}[${'1, '.repeat(20_000)}1]${'}'.repeat(30)}\n`,
    edit: { op: 'set', path: `${'**.a.'.repeat(60)}**.c`, json: 1 },
  },
  {
    why: 'letters of a key that is looked for',
    before: Array.from({ length: 200 }, (_, i) => `${'x'.repeat(5_000)}${i}: 1\n`).join(''),
    edit: { op: 'delete', path: `${'y'.repeat(4_000)}1` },
  },
])('$why', async ({ before = 'a: 1\n', edit, after }) => {
  airlock.write('a.yaml', before);
  const outcome = await airlock.call('config_edit', { edits: [{ ...edit, file: 'a.yaml' }], dry_run: false });
  expect(outcome.status).toBe(after === undefined ? 'refused' : 'ok');
  expect(airlock.disk('a.yaml') === (after ?? before)).toBe(true);
});

test('an outline of very many keys shows as much as fits, and counts the rest', async () => {
  airlock.write('a.yaml', KEYS);
  const outcome = await airlock.call('config_get', { file: 'a.yaml', view: 'outline' });
  const text = 'text' in outcome ? outcome.text : '';
  const rest = Number(/… (\d+) more here/u.exec(text)?.[1]);
  expect(rest).toBeGreaterThan(10_000);
  expect((text.match(/^\s*k\d+/gmu)?.length ?? 0) + rest).toBe(20_000);
});
