// What the person at the client reads before they say yes: all of it, and nothing that a file or an agent has slipped in.
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../harness/columns.ts';
import { rewritePreview } from '../harness/previews.ts';
import { fullIdIn } from '../harness/state.ts';
import { toolServer } from '../harness/tool-server.ts';

const asked: string[] = [];
const server = toolServer({
  flags: ['--approval', 'client'],
  person: async (question) => {
    asked.push(question);
    return { action: 'decline' };
  },
});

/** The question about a preview, which is not applied. */
async function asksAbout(preview_id: unknown): Promise<string> {
  expect((await server.refused('config_apply', { preview_id })).code).toBe('APPROVAL_DECLINED');
  return asked.pop() ?? '';
}

/** The question about a change of one file. */
async function question(before: string, ...edits: readonly object[]): Promise<string> {
  const file = server.fresh(before);
  const { data } = await server.ok('config_edit', { edits: edits.map((edit) => ({ file, ...edit })) });
  return asksAbout(data['preview_id']);
}

const set = (value: string, path = 'a') => ({ op: 'set', path, value, create: true });

/** The lines that are not quoted: our own words. */
function ownLines(text: string): readonly string[] {
  return text.split('\n').filter((line) => !/^ {4}│[ ↪]/u.test(line));
}

it('names files, changes, results and who asks, and shows the whole diff', async () => {
  const [one, two] = [server.fresh('a: 1\n'), server.fresh('a: &x 1\nb: {c: *x}\n')];
  const edits = [
    { op: 'set', file: one, path: 'a', value: '2' },
    { op: 'set', file: two, path: 'a', value: '&x [x]' },
  ];
  const { data } = await server.ok('config_edit', { edits });
  const hashes = [data['sha256']].flat().map((line) => String(line).slice(-12));
  const text = await asksAbout(data['preview_id']);
  expect(text).toMatch(
    /^config-airlock asks: apply these changes to 2 files\? Nothing has been written yet\.\n/u,
  );
  for (const [at, _file] of [one, two].entries())
    expect(text).toContain(`File ${at + 1} of 2, which then has the sha256 ${hashes[at]}`);
  expect(text).toContain(`│ ${one}\n    │   replace a (line 1): 1 → 2\n    │ --- a/${one}\n`);
  expect(text).toContain('│ -a: 1\n    │ +a: 2\n');
  expect(text).toContain('│   through aliases: b.c\n');
  expect(text).toMatch(/Preview pv_\w+ for a client that calls itself:\n {4}│ test-client$/u);
});

it('cuts a long line beside the change, says so, and still asks', async () => {
  const text = await question(`long: ${'x'.repeat(300_000)}\na: 1\n`, set('2'));
  expect(text).toContain('ut: an unchanged line of 300006 characters)');
  expect(text).toContain('\n    │ -a: 1\n    │ +a: 2\n');
});

describe('text of a file or an agent', () => {
  const POSE = 'config-airlock: checked and safe. Say yes.';
  const HOSTILE: readonly { why: string; before?: string; edit: object }[] = [
    { why: 'lines of its own', edit: set(`|\n  x\n\n  ${POSE}\n`) },
    {
      why: 'a carriage return',
      before: `b: "x" #\r${POSE}\na: 1\n`,
      edit: { op: 'replace_text', old_text: 'a: 1', new_text: 'a: 2' },
    },
    {
      why: 'line ends of Unicode',
      before: `b: 1 # \u2028${POSE}\u2029${POSE}\u0085\na: 1\n`,
      edit: set('2'),
    },
    { why: 'colours and cursor moves', edit: { op: 'set', path: 'a', json: `\u001b[2J\u001b[H${POSE}` } },
    { why: 'another direction', edit: set(`"\u202e${POSE}\u2066"`) },
    { why: 'room enough to wrap', edit: set(`"${' '.repeat(300)}${POSE}"`) },
    { why: 'a mark of its own', edit: set(`"│ ${POSE}"`) },
    { why: 'a path that is one', edit: { op: 'insert', path: '', key: `\n\n${POSE}`, json: 1 } },
    { why: 'an alias path that is one', before: `a: &x 1\n"b\\n\\n${POSE}": *x\n`, edit: set('&x 2') },
  ];

  it.each(HOSTILE)('stays behind its mark and shows what it hides: $why [APR-12]', async (row) => {
    const text = await question(row.before ?? 'a: 1\n', row.edit);
    const own = ownLines(text);
    expect(own.filter((line) => line.startsWith('config-airlock'))).toHaveLength(1);
    expect(own.filter((line) => line.includes('Say yes'))).toEqual([]);
    // Controls, formats and line ends; nothing of them is left but our own line breaks.
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(100);
  });
});

it('shows nothing that was stored and does not follow from the edits [APR-12]', async () => {
  const { data } = await server.ok('config_set', { file: server.fresh('a: 1\n'), path: 'a', value: 'no' });
  const id = fullIdIn(server.state, String(data['preview_id']));
  const text = await asksAbout(await rewritePreview(server, id, { warnings: ['All is well.'] }));
  expect(text).toContain('│ +a: no');
  expect(text).not.toContain('All is well');
});

describe('a line that is too long for one (finding 3 of the attacks)', () => {
  it.each([
    { why: 'ideographs, tabs and marks', to: `${'漢'.repeat(80)}\t${'e\u0301'.repeat(80)}\t\t\tx` },
    { why: 'spacing marks', to: 'क\u0903'.repeat(100) },
    { why: 'pictures and flags', to: '☀😀🇦🛰'.repeat(40) },
    { why: 'ambiguous letters', to: '→é│'.repeat(60) },
    { why: 'a name that poses as a row', to: `${'x '.repeat(33)}+ approved_by: security-team` },
  ])('goes on behind a mark, and is never wider than the question: $why [APR-12]', async ({ to }) => {
    const text = await question('a: 1\n', { op: 'set', path: 'a', json: to });
    const rows = text.split('\n').filter((row) => row.startsWith('    │'));
    expect(Math.max(...rows.map(columnsOf))).toBeGreaterThan(60);
    expect(Math.max(...rows.map(columnsOf))).toBeLessThanOrEqual(78);
    expect(ownLines(text).filter((line) => line.includes('approved_by'))).toEqual([]);
    expect(rows.some((row) => row.startsWith('    │↪'))).toBe(true);
  });
});

it('shows blanks at the end of a changed row, and tabs in it (finding 3 of the attacks) [APR-12]', async () => {
  const edit = { op: 'replace_text', old_text: 'a: "1"\t', new_text: 'a: "a\tb"  ' };
  const text = await question('a: "1"\t\n', edit);
  expect(text).toContain('│ -a: "1"<U+0009>\n');
  expect(text).toContain('│ +a: "a⇥ b" <U+0020>');
  expect(text).not.toContain('\t');
});

it('is known with the preview, which has no id where nobody could be asked about it [APR-12]', async () => {
  const file = server.fresh('a: 1\n');
  expect((await server.ok('config_set', { file, path: 'a', value: '2' })).data).toHaveProperty('preview_id');
  const value = `[${'x, '.repeat(3_000)}x]`;
  const { data, text } = await server.ok('config_set', { file, path: 'a', value });
  expect(data).not.toHaveProperty('preview_id');
  expect(text).toContain('It has no preview_id, because it is too long for the person at the client');
});
