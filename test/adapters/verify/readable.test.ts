// What an edit may not write because the strictest readers of YAML refuse it, or read it as something else; and that a file in
// which it stands already can be edited around it.
import { afterAll, describe, expect, it } from 'vitest';
import { inlineAirlock } from '../../harness/inline-airlock.ts';

const PLAIN = 'kind: D # c\nspec:\n  replicas: 2 # two\n  list: [1, 2]\nlines: |\n  a\nz: 1\n';
const ODD = `a:\t1\n\t\nmark: x # \u007f\n\uFEFFother: 1\nlines: |\n  a\t\n\n  \tb\nquoted: "a\tb"\nz: 1\n`;

const airlock = await inlineAirlock({ 'a.yaml': PLAIN }, { allow: ['**'] });
afterAll(() => airlock.close());

type Edit = Readonly<Record<string, unknown>>;

async function codeOf(text: string, edit: Edit): Promise<string> {
  airlock.write('a.yaml', text);
  airlock.write('n.yaml', undefined);
  const outcome = await airlock.call('config_edit', { edits: [{ file: 'a.yaml', ...edit }] });
  return outcome.status === 'refused' ? outcome.code : outcome.status;
}

const text = (old_text: string, new_text: string): Edit => ({ op: 'replace_text', old_text, new_text });
const set = (value: string): Edit => ({ op: 'set', path: 'spec.replicas', value });

describe('no edit writes', () => {
  it.each<{ why: string; edit: Edit }>([
    { why: 'a tab before a comment', edit: text('2 # two', '2 \t# two') },
    { why: 'a tab in brackets', edit: set('[1,\t2]') },
    { why: 'a tab in braces', edit: set('{a:\t1}') },
    { why: 'a tab behind a colon', edit: set('a:\t1') },
    { why: 'a tab behind a dash', edit: set('-\tx') },
    { why: 'a tab behind an anchor', edit: set('&a\tx') },
    { why: 'a tab behind a tag', edit: set('!!str\tx') },
    { why: 'a tab behind the header of a block', edit: text('lines: |', 'lines: |\t') },
    { why: 'a line of a tab', edit: set('a: 1\n\t\nb: 2') },
    { why: 'a tab before a comment alone', edit: set('a: 1\n\t# c\nb: 2') },
    { why: 'a tab behind a colon alone', edit: set('? a\n:\tx') },
    { why: 'a tab between words', edit: text('kind: D', 'kind: D\tE') },
    { why: 'a tab at the end of a line', edit: text('kind: D # c', 'kind: D # c\nx: 1\t') },
    { why: 'a line of a tab below a block', edit: text('  a\n', '  a\n\t\n') },
    { why: 'a tab in a new document', edit: { op: 'add_document', value: 'a:\t1' } },
    { why: 'a tab in a new file', edit: { op: 'create_file', file: 'n.yaml', content: 'a: 1\n\t\nb: 2\n' } },
    { why: 'an end of no document', edit: { op: 'create_file', file: 'n.yaml', content: '...\na: 1\n' } },
    { why: 'an end before the document', edit: text('kind: D', '# x\n...\nkind: D') },
    { why: 'an anchor with a colon', edit: set('- &a: b') },
    { why: 'an anchor with a letter of no ASCII', edit: set('&\u00e4 b') },
    { why: 'DEL in a comment', edit: text('# c', '# \u007f') },
    { why: 'U+FFFE in a comment', edit: { op: 'comment', path: 'z', comment: '\ufffe' } },
    { why: 'a control character of C1', edit: text('kind: D', 'kind: D\u0084') },
    { why: 'a mark before a key', edit: text('  replicas', '\uFEFFother: 1\n\uFEFFreplicas') },
    { why: 'a mark before a key in quotes', edit: text('z: 1', '\uFEFF"spec": {a: 1}\nz: 1') },
    { why: 'a mark in a value', edit: set('\n\uFEFFreplicas: 9') },
    {
      why: 'a mark in a new file',
      edit: { op: 'create_file', file: 'n.yaml', content: 'spec:\n\uFEFFreplicas: 9\n' },
    },
  ])('$why [EDT-2] [POL-2]', async ({ edit }) => {
    expect(await codeOf(PLAIN, edit)).toMatch(/^(?:VERIFICATION_FAILED|VALUE_INVALID|SYNTAX_INVALID)$/u);
  });
});

it.each<{ why: string; base: string; edit: Edit }>([
  { why: 'a tab in a text', base: PLAIN, edit: { op: 'set', path: 'z', json: 'x\ty\n\tz\n' } },
  { why: 'a tab in quotes', base: PLAIN, edit: set('"x\ty"') },
  { why: 'a tab in a comment', base: PLAIN, edit: { op: 'comment', path: 'z', comment: 'x\ty' } },
  { why: 'a tab in a block', base: PLAIN, edit: text('  a\n', '  a\tb\n  \tc\n') },
  { why: 'a character of any other plane', base: PLAIN, edit: text('# c', '# \u{1F600}') },
  { why: 'what stands beside them', base: ODD, edit: { op: 'set', path: 'z', value: '2' } },
  { why: 'the value behind a tab', base: ODD, edit: { op: 'set', path: 'a', value: '2' } },
  { why: 'a line with a tab, as a text', base: ODD, edit: text('a:\t1', 'a:\t2') },
  { why: 'a line with a tab, without it', base: ODD, edit: text('a:\t1', 'a: 1') },
  { why: 'the line with the mark', base: ODD, edit: text('other: 1', 'other: 2') },
])('$why can be written', async ({ base, edit }) => {
  expect(await codeOf(base, edit)).toBe('ok');
});

it('a line that begins with a mark may be any data to a rule [POL-2]', async () => {
  const changes = {
    default: 'preview' as const,
    rules: [
      {
        id: 'deny',
        level: 'deny' as const,
        otherwise: 'deny' as const,
        paths: [
          {
            text: 'spec.other',
            steps: [
              { kind: 'key' as const, key: 'spec', isBare: true },
              { kind: 'key' as const, key: 'other', isBare: true },
            ],
          },
        ],
      },
    ],
  };
  const judged = await airlock.again({ changes });
  judged.write('a.yaml', ODD);
  const edits = [{ file: 'a.yaml', ...text('other: 1', 'other: 2') }];
  expect(await judged.call('config_edit', { edits })).toMatchObject({ code: 'POLICY_DENIED' });
});

it('a file of CRLF that begins with thousands of comments is edited, and takes no time beyond its length', async () => {
  const header = '# comment\r\n'.repeat(5_000);
  expect(await codeOf(`${header}z: 1\r\n`, { op: 'set', path: 'z', value: '2' })).toBe('ok');
});
