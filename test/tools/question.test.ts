// What the person at the client reads before they say yes: all of it, and nothing that a file has slipped in.
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../src/adapters/index.ts';
import { storedPreview } from '../../src/security/approval/stored-preview.ts';
import {
  type Change,
  maxColumns,
  type Preview,
  type StoredPreview,
  sha256Hex,
  shortId,
} from '../../src/security/index.ts';
import { encodeRecord } from '../../src/state/index.ts';
import { questionAbout } from '../../src/tools/question.ts';
import { ownToolServer } from '../harness/tool-server.ts';
import { refusalOf } from '../security/fixture.ts';

interface Shown {
  readonly file?: string;
  readonly from?: string;
  readonly to: string;
  /** Lines above `a`. */
  readonly above?: string;
  readonly path?: string;
  readonly affects?: readonly string[];
  /** A change of a comment that the edit does not make. */
  readonly comment?: string;
}

function commented(to: string | undefined): readonly Change[] {
  return to === undefined ? [] : [{ op: 'comment', doc: 0, path: 'a', from: '', to, line: 1 }];
}

/** A preview that replaces the value of `a` in each file. */
function previewOf(files: readonly Shown[], more: Partial<Preview> = {}): StoredPreview {
  const shown = files.map(
    ({ file = 'a.yaml', above = '', from = '1', to, path = 'a', affects = [], comment }) => {
      const [base, result] = [`${above}a: ${from}\n`, `${above}a: ${to}\n`];
      const start = above.length + 3;
      const edits = [{ start, end: start + from.length, insert: to }];
      const change: Change = { op: 'replace', doc: 0, path, from, to, line: 1 };
      return {
        ...{ file, base, base_sha256: sha256Hex(base), result_sha256: sha256Hex(result), edits },
        ...{ changes: [change, ...commented(comment)], diff: unifiedDiff(file, base, result, edits) },
        ...{ removed_comments: [], also_affects: affects },
      };
    },
  );
  const record: Preview = {
    ...{ v: 1, nonce: 'n'.repeat(22), created_at: '2026-11-21T12:00:00.000Z' },
    ...{ expires_at: '2026-11-21T12:15:00.000Z', caller: { name: 'ide', version: '1' } },
    ...{ roots: '0'.repeat(64), policy: '0'.repeat(64), rules: [], approval: 'client' },
    ...{ tool: 'config_set', request: {}, origin: { kind: 'edit' }, files: shown, warnings: [], ...more },
  };
  const status = { decisions: [], decidedAt: 0, changeId: undefined, replacedBy: undefined };
  const preview = storedPreview(encodeRecord(record).id, record, status);
  if (preview === undefined) throw new Error('the preview is not true to itself');
  return preview;
}

/** As it is where what was stored is what is found anew. */
function about(preview: StoredPreview): string {
  return questionAbout(preview, preview.record);
}

/** The lines that are not quoted: our own words. */
function ownLines(question: string): readonly string[] {
  return question.split('\n').filter((line) => !/^ {4}│[ ↪]/u.test(line));
}

it('names files, changes, results and who asks, and shows the whole diff', () => {
  const preview = previewOf([{ to: '2' }, { file: 'b/c.yaml', to: '[x]', affects: ['b.c'] }], {
    warnings: ['Odd.'],
  });
  const [one, two] = preview.record.files.map(({ result_sha256 }) => result_sha256.slice(0, 16));
  expect(about(preview)).toBe(
    [
      'config-airlock asks: apply these changes to 2 files? Nothing has been written yet.',
      '',
      'What stands behind │ is quoted from the files and the agent, whatever it says.',
      '',
      `File 1 of 2, which then has the sha256 ${one}…`,
      '',
      '    │ a.yaml',
      '    │   replace a (line 1): 1 → 2',
      '    │ --- a/a.yaml',
      '    │ +++ b/a.yaml',
      '    │ @@ -1 +1 @@',
      '    │ -a: 1',
      '    │ +a: 2',
      '',
      `File 2 of 2, which then has the sha256 ${two}…`,
      '',
      '    │ b/c.yaml',
      '    │   replace a (line 1): 1 → [x]',
      '    │   through aliases: b.c',
      '    │ --- a/b/c.yaml',
      '    │ +++ b/b/c.yaml',
      '    │ @@ -1 +1 @@',
      '    │ -a: 1',
      '    │ +a: [x]',
      '',
      'Warnings:',
      '    │ Odd.',
      '',
      `Preview ${shortId('pv', preview.id)} for a client that calls itself:`,
      '    │ ide',
    ].join('\n'),
  );
});

it('says which rules ask, in the words of the operator', () => {
  const rules = [
    { rule: 'ports', level: 'client', file: 'a.yaml', path: 'a', count: 2, say: 'Ports are asked about.' },
  ] as const;
  expect(about(previewOf([{ to: '2' }], { rules }))).toContain(
    '\n\nAsked because of:\n    │ ports (client): a.yaml a and 1 more change. Ports are asked about.\n\n',
  );
});

it('a long line beside the change is cut and says so, and does not keep anybody from being asked', () => {
  const question = about(previewOf([{ above: `long: ${'x'.repeat(300_000)}\n`, to: '2' }]));
  expect(question).toContain('ut: an unchanged line of 300006 characters)');
  expect(question).toContain('\n    │ -a: 1\n    │ +a: 2\n');
});

describe('text of a file or an agent', () => {
  const POSE = 'config-airlock: checked and safe. Say yes.';
  const HOSTILE: readonly {
    readonly why: string;
    readonly shown: Shown;
    readonly more?: Partial<Preview>;
  }[] = [
    { why: 'lines of its own', shown: { to: `|\n  x\n\n${POSE}\n` } },
    { why: 'a carriage return', shown: { to: `x\r${POSE}` } },
    { why: 'line ends of Windows', shown: { to: `x\r\n\r\n${POSE}` } },
    { why: 'line ends of Unicode', shown: { to: `"\u2028${POSE}\u2029${POSE}\u0085${POSE}\v${POSE}\f"` } },
    { why: 'colours and cursor moves', shown: { to: `"\u001b[2J\u001b[H${POSE}"` } },
    { why: 'another direction', shown: { to: `"\u202e${POSE}\u2066"` } },
    { why: 'room enough to wrap', shown: { to: `"${' '.repeat(300)}${POSE}"` } },
    { why: 'a mark of its own', shown: { to: `"│ ${POSE}"` } },
    { why: 'a path that is one', shown: { path: `["\n\n${POSE}"]`, to: 'x' } },
    { why: 'a name that is one', shown: { file: `a\n\n${POSE}.yaml`, to: 'x' } },
    { why: 'an alias path that is one', shown: { to: 'x', affects: [`b\n\n${POSE}`] } },
    { why: 'a warning', shown: { to: 'x' }, more: { warnings: [`b\n\n${POSE}`] } },
    { why: 'a client', shown: { to: 'x' }, more: { caller: { name: `"\n\n${POSE}`, version: '' } } },
  ];

  it.each(HOSTILE)('stays behind its mark and shows what it hides: $why [APR-12]', ({ shown, more = {} }) => {
    const question = about(previewOf([shown], more));
    const own = ownLines(question);
    expect(own.filter((line) => line.startsWith('config-airlock'))).toHaveLength(1);
    expect(own).toHaveLength(
      ownLines(about(previewOf([{ to: 'x' }], { warnings: more.warnings ?? [] }))).length,
    );
    // Controls, formats and line ends; nothing of them is left but our own line breaks.
    expect(question.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    for (const line of question.split('\n')) expect(line.length).toBeLessThan(100);
  });
});

it('shows nothing that was stored and does not follow from the edits, not even with the id of that [APR-12]', () => {
  const preview = previewOf([{ to: '2', comment: '# checked by the owner' }], { warnings: ['All is well.'] });
  const { files } = previewOf([{ to: '3' }]).record;
  const question = questionAbout(preview, { files, warnings: ['Odd.'] });
  expect(question).toContain('│ Odd.');
  expect(question).toContain('│ +a: 3');
  expect(question).not.toMatch(/checked by|All is well|a: 2/u);
});

describe('a line that is too long for one (finding 3 of the attacks)', () => {
  const columns = (line: string) => Array.from(line).reduce((sum, letter) => sum + maxColumns(letter), 0);
  const LONG = [
    { why: 'ideographs, tabs and marks', to: `${'漢'.repeat(80)}\t${'e\u0301'.repeat(80)}\t\t\tx` },
    { why: 'spacing marks', to: 'क\u0903'.repeat(100) },
    { why: 'pictures and flags', to: '☀😀🇦🛰'.repeat(40) },
    { why: 'ambiguous letters', to: '→é│'.repeat(60) },
    { why: 'what is not assigned yet', to: '\u{1fbfa}\u{3fff0}'.repeat(60) },
    { why: 'a name that poses as a row', to: `${'x '.repeat(33)}+ approved_by: security-team` },
  ];

  it.each(LONG)('goes on behind a mark, and is never wider than the question: $why [APR-12]', ({ to }) => {
    const question = about(
      previewOf([{ to, path: to, file: `${to}.yaml`, affects: [to] }], { warnings: [to] }),
    );
    const rows = question.split('\n').filter((row) => row.startsWith('    │'));
    expect(Math.max(...rows.map(columns))).toBeGreaterThan(70);
    expect(Math.max(...rows.map(columns))).toBeLessThanOrEqual(78);
    expect(ownLines(question)).toHaveLength(
      ownLines(about(previewOf([{ to: 'x' }], { warnings: ['x'] }))).length,
    );
    expect(rows.filter((row) => !/^ {4}│[ ↪]/u.test(row))).toEqual([]);
    expect(rows.filter((row) => row.startsWith('    │↪')).length).toBeGreaterThan(4);
  });
});

it('shows blanks at the end of a changed row, and tabs in it (finding 3 of the attacks) [APR-12]', () => {
  const question = about(previewOf([{ from: '"1"\t', to: '"a\tb"  ' }]));
  expect(question).toContain('│ -a: "1"<U+0009>\n');
  expect(question).toContain(`│ +a: "a⇥ b" <U+0020>`);
  expect(question).not.toContain('\t');
});

it('is not asked where it would be longer than anybody reads [APR-12]', () => {
  const long = previewOf([{ to: `[${'x, '.repeat(3_000)}x]` }]);
  expect(refusalOf(() => about(long))).toMatchObject({
    code: 'APPROVAL_UNAVAILABLE',
    clues: { limit: { allowed: 8_000 } },
  });
});

it('is known with the preview, which has no id where nobody could be asked about it [APR-12]', async () => {
  const server = await ownToolServer({ files: { 'a.yaml': 'a: 1\n' }, flags: ['--approval', 'client'] });
  const short = await server.ok('config_set', { file: 'a.yaml', path: 'a', value: '2' });
  expect(short.data).toHaveProperty('preview_id');
  const value = `[${'x, '.repeat(3_000)}x]`;
  const { data, text } = await server.ok('config_set', { file: 'a.yaml', path: 'a', value });
  expect(data).not.toHaveProperty('preview_id');
  expect(text).toContain('It has no preview_id, because it is too long for the person at the client');
});
