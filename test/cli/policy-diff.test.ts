// `policy check` reads a Git diff into whole files, or refuses it: what it leaves out cannot pass as unchanged, and a line of a file
// cannot pass as a part of the diff.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../harness/run-command.ts';
import { tempRoot } from '../harness/temp-root.ts';

const NONE = '0'.repeat(40);
const policy = tempRoot({ 'policy.yaml': 'default: preview\nrules: []\n' });
afterAll(() => policy.remove());

function check(input: string) {
  const words = ['--policy', join(policy.dir, 'policy.yaml'), '--allow', '**', '--json'];
  return runCommand(['policy', 'check', ...words], { input, env: { HOME: policy.dir } });
}

const Report = z.object({ files: z.array(z.looseObject({ file: z.string(), level: z.string() })) });

function idOf(text: string, kind: 'sha1' | 'sha256' = 'sha1'): string {
  const bytes = Buffer.from(text);
  return createHash(kind).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

const rowsOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function linesOf(sign: string, text: string): string {
  const end = (line: string) => (line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n');
  return rowsOf(text)
    .map((line) => `${sign}${line}${end(line)}`)
    .join('');
}

interface Sides {
  readonly name?: string;
  readonly old?: string;
  readonly next?: string;
  readonly mode?: string;
  readonly ids?: readonly [string, string];
}

/** As Git writes it where no line is common. */
function diffOf({ name = 'a.yaml', old, next, mode = '100644', ids }: Sides): string {
  const [before, after] = ids ?? [old, next].map((text) => (text === undefined ? NONE : idOf(text)));
  const made =
    old === undefined ? `new file mode ${mode}\n` : next === undefined ? `deleted file mode ${mode}\n` : '';
  const kept = old === undefined || next === undefined ? '' : ` ${mode}`;
  const names = `--- ${old === undefined ? '/dev/null' : `a/${name}`}\n+++ ${next === undefined ? '/dev/null' : `b/${name}`}\n`;
  const counts = `@@ -${old ? 1 : 0},${rowsOf(old ?? '').length} +${next ? 1 : 0},${rowsOf(next ?? '').length} @@\n`;
  const lines = `${linesOf('-', old ?? '')}${linesOf('+', next ?? '')}`;
  const hunk = lines === '' ? '' : `${names}${counts}${lines}`;
  return `diff --git a/${name} b/${name}\n${made}index ${before}..${after}${kept}\n${hunk}`;
}

const WHOLE: readonly (Sides & { readonly why: string })[] = [
  { why: 'a file that was changed', old: 'a: 1\n', next: 'a: 2\nb: 3\n' },
  { why: 'one that is new', next: 'a: 1\n' },
  { why: 'one that is gone', old: 'a: 1\n' },
  { why: 'lines without an end', old: 'a: 1', next: 'a: 1\n' },
  { why: 'line ends of Windows', old: 'a: 1\r\n', next: 'a: 2\r\n' },
  { why: 'letters of several bytes', old: 'ä: 1\n', next: '🦊: 1\n' },
  { why: 'a line end within a line', old: '# a\rdiff --git a/z b/z\n', next: '# \rindex 1..2\r\n' },
  { why: 'a byte order mark', old: '\ufeffa: 1\n', next: 'a: 1\n' },
  { why: 'a name with blanks', name: 'a b/c b.yaml', old: 'a: 1\n', next: 'a: 2\n' },
  {
    why: 'lines that look like a diff',
    name: 'a.md',
    old: '-- a/x\n++ b/x\n',
    next: '@@ -1 +1 @@\ndiff --git a/z b/z\n\\ No newline at end of file\n',
  },
  {
    why: 'ids of SHA-256',
    old: 'a: 1\n',
    next: 'b: 1\n',
    ids: [idOf('a: 1\n', 'sha256'), idOf('b: 1\n', 'sha256')],
  },
];

it.each(WHOLE)('reads $why', async ({ why: _, ...sides }) => {
  const { stdout } = await check(
    diffOf(sides) + diffOf({ name: 'other.yaml', old: 'x: 1\n', next: 'y: 1\n' }),
  );
  const { files } = Report.parse(JSON.parse(stdout));
  expect(files.map(({ file, level }) => [file, level])).toEqual([
    [sides.name ?? 'a.yaml', 'preview'],
    ['other.yaml', 'preview'],
  ]);
});

it('reads common lines, also one that lost its blank, and a name in quotes', async () => {
  const [old, next] = ['a: 1\n\nb: 1\nc: 1\n', 'a: 1\n\nB: 1\nc: 1\n'];
  const name = String.raw`"a/quo\"te \303\274.yaml" "b/quo\"te \303\274.yaml"`;
  const text = `diff --git ${name}\nindex ${idOf(old)}..${idOf(next)} 100644\n--- "x"\n+++ "y"\n@@ -1,4 +1,4 @@\n a: 1\n\n-b: 1\n+B: 1\n c: 1\n`;
  expect(JSON.parse((await check(text)).stdout)).toMatchObject({ files: [{ file: 'quo"te ü.yaml' }] });
});

describe('what is no text of a plain file is denied', () => {
  it.each([
    { why: 'a link', sides: { next: 'target', mode: '120000' } },
    { why: 'a submodule', sides: { next: 'Subproject commit 1\n', mode: '160000' } },
    { why: 'a file that becomes a link', sides: { old: 'x', mode: '120000' } },
  ])('$why', async ({ sides }) => {
    const { stdout, status } = await check(diffOf(sides));
    expect([status, stdout]).toEqual([3, expect.stringContaining('no plain file')]);
  });
});

const GOOD = diffOf({ old: 'a: 1\nb: 2\n', next: 'a: 1\nb: 3\n' });
const SHORT = `diff --git a/a.yaml b/a.yaml\nindex ${idOf('a\nb\nc\n')}..${idOf('a\nb\nC\n')} 100644\n--- a/a.yaml\n+++ b/a.yaml\n@@ -2,2 +2,2 @@\n b\n-c\n+C\n`;
const GIT = 'does not hold the whole';

it.each([
  { why: 'it has too little context', text: SHORT, says: GIT },
  { why: 'its ids are cut', text: GOOD.replaceAll(/\b([0-9a-f]{7})[0-9a-f]{33}\b/g, '$1'), says: GIT },
  { why: 'its ids are left out', text: GOOD.replace(/index .*\n/, ''), says: GIT },
  { why: 'a line of it was changed', text: GOOD.replace('+b: 3', '+b: 4'), says: GIT },
  {
    why: 'a file that it says is gone is not',
    text: GOOD.replace('index', 'deleted file mode 100644\nindex'),
    says: GIT,
  },
  { why: 'it ends too early', text: GOOD.slice(0, -6), says: 'ends within a file' },
  { why: 'it goes on after the hunk', text: `${GOOD}+c: 4\n`, says: 'begins no file' },
  { why: 'it goes on with something else', text: `${GOOD}* Unmerged path b.yaml\n`, says: 'begins no file' },
  {
    why: 'a part of it is one of a merge',
    text: `${GOOD}diff --cc b.yaml\nindex 1,2..3\n`,
    says: 'begins no file',
  },
  { why: 'its header has another line', text: GOOD.replace('---', 'x\n---'), says: 'begins no file' },
  { why: 'it is no diff', text: 'hello\n', says: 'line 1 begins no file' },
  {
    why: 'a file was renamed',
    text: 'diff --git a/a.yaml b/b.yaml\nsimilarity index 100%\nrename from a.yaml\nrename to b.yaml\n',
    says: 'are not a/NAME and b/NAME',
  },
  {
    why: 'a file was copied',
    text: 'diff --git a/a b/a\ncopy from a\ncopy to a\n',
    says: 'renamed or copied',
  },
  {
    why: 'a file is binary',
    text: `diff --git a/a b/a\nindex ${NONE}..${NONE} 100644\nBinary files a/a and b/a differ\n`,
    says: 'is binary',
  },
])('refuses a diff where $why', async ({ text, says }) => {
  const { status, stderr } = await check(text);
  expect([status, stderr]).toEqual([2, expect.stringContaining(says)]);
});
