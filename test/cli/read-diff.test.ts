// A Git diff is read into whole files, or refused: what it leaves out cannot pass as unchanged, and a line of a file cannot
// pass as a part of the diff.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readDiff } from '../../src/cli/policy/read-diff.ts';

const NONE = '0'.repeat(40);

function idOf(text: string, kind: 'sha1' | 'sha256' = 'sha1'): string {
  const bytes = Buffer.from(text);
  return createHash(kind).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function linesOf(sign: string, text: string): string {
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? [])
    .map((line) => `${sign}${line}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`)
    .join('');
}

function countOf(text: string): number {
  return text.match(/[^\n]*\n|[^\n]+$/g)?.length ?? 0;
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
  const counts = `@@ -${old ? 1 : 0},${countOf(old ?? '')} +${next ? 1 : 0},${countOf(next ?? '')} @@\n`;
  const hunk =
    (old ?? '') === '' && (next ?? '') === ''
      ? ''
      : `${names}${counts}${linesOf('-', old ?? '')}${linesOf('+', next ?? '')}`;
  return `diff --git a/${name} b/${name}\n${made}index ${before}..${after}${kept}\n${hunk}`;
}

const read = (text: string) => readDiff(Buffer.from(text));

const WHOLE: readonly (Sides & { readonly why: string })[] = [
  { why: 'a file that was changed', old: 'a: 1\n', next: 'a: 2\nb: 3\n' },
  { why: 'one that is new', next: 'a: 1\n' },
  { why: 'one that is gone', old: 'a: 1\n' },
  { why: 'one that is new and empty', next: '' },
  { why: 'lines without an end', old: 'a: 1', next: 'a: 1\n' },
  { why: 'line ends of Windows', old: 'a: 1\r\n', next: 'a: 2\r\n' },
  { why: 'letters of several bytes', old: 'ä: 1\n', next: '🦊: 1\n' },
  { why: 'a line end within a line', old: 'a\rdiff --git a/z b/z\n', next: '\rindex 1..2\r\n' },
  { why: 'a byte order mark', old: '\ufeffa: 1\n', next: 'a: 1\n' },
  { why: 'a name with blanks', name: 'a b/c b.yaml', old: 'a: 1\n', next: 'a: 2\n' },
  {
    why: 'lines that look like a diff',
    old: '-- a/x\n++ b/x\n',
    next: '@@ -1 +1 @@\ndiff --git a/z b/z\n\\ No newline at end of file\n',
  },
];

it.each(WHOLE)('reads $why', ({ why: _, ...sides }) => {
  const { name = 'a.yaml', old, next } = sides;
  const other = diffOf({ name: 'other.yaml', old: 'x\n', next: 'y\n' });
  const [first, second, ...more] = read(diffOf(sides) + other);
  expect(first).toEqual({ path: name, before: old, after: next });
  expect(second).toEqual({ path: 'other.yaml', before: 'x\n', after: 'y\n' });
  expect(more).toEqual([]);
});

it('reads common lines, also one that lost its blank, and a name in quotes', () => {
  const [old, next] = ['a\n\nb\nc\n', 'a\n\nB\nc\n'];
  const name = String.raw`"a/quo\"te \303\274.yaml" "b/quo\"te \303\274.yaml"`;
  const text = `diff --git ${name}\nindex ${idOf(old)}..${idOf(next)} 100644\n--- "x"\n+++ "y"\n@@ -1,4 +1,4 @@\n a\n\n-b\n+B\n c\n`;
  expect(read(text)).toEqual([{ path: 'quo"te ü.yaml', before: old, after: next }]);
});

it('reads a repository of SHA-256', () => {
  const ids = [idOf('a\n', 'sha256'), idOf('b\n', 'sha256')] as const;
  expect(read(diffOf({ old: 'a\n', next: 'b\n', ids }))).toEqual([
    { path: 'a.yaml', before: 'a\n', after: 'b\n' },
  ]);
});

it('takes permissions alone for no change', () => {
  const [file] = read('diff --git a/a.yaml b/a.yaml\nold mode 100644\nnew mode 100755\n');
  expect(file).toMatchObject({ path: 'a.yaml', before: '', after: '' });
});

describe('what is no text of a plain file has a problem', () => {
  it.each([
    { why: 'a link', bytes: Buffer.from(diffOf({ next: 'target', mode: '120000' })), says: 'no plain file' },
    {
      why: 'a submodule',
      bytes: Buffer.from(diffOf({ next: 'Subproject commit 1\n', mode: '160000' })),
      says: 'no plain file',
    },
    {
      why: 'a file that becomes a link',
      bytes: Buffer.from(diffOf({ old: 'x', mode: '120000' })),
      says: 'no plain file',
    },
  ])('$why', ({ bytes, says }) => {
    expect(readDiff(bytes)[0]?.problem).toContain(says);
  });

  it('bytes that are not UTF-8', () => {
    const content = Buffer.from([0xff, 0xfe, 0x0a]);
    const id = createHash('sha1').update(`blob 3\0`).update(content).digest('hex');
    const head = `diff --git a/a.yaml b/a.yaml\nnew file mode 100644\nindex ${NONE}..${id}\n--- /dev/null\n+++ b/a.yaml\n@@ -0,0 +1 @@\n+`;
    expect(readDiff(Buffer.concat([Buffer.from(head), content]))[0]?.problem).toContain('no UTF-8 text');
  });
});

const GOOD = diffOf({ old: 'a: 1\nb: 2\n', next: 'a: 1\nb: 3\n' });
const SHORT = `diff --git a/a.yaml b/a.yaml\nindex ${idOf('a\nb\nc\n')}..${idOf('a\nb\nC\n')} 100644\n--- a/a.yaml\n+++ b/a.yaml\n@@ -2,2 +2,2 @@\n b\n-c\n+C\n`;

it.each([
  { why: 'it has too little context', text: SHORT, says: 'does not hold the whole of a.yaml' },
  {
    why: 'its ids are cut',
    text: GOOD.replaceAll(/\b([0-9a-f]{7})[0-9a-f]{33}\b/g, '$1'),
    says: 'does not hold the whole',
  },
  { why: 'its ids are left out', text: GOOD.replace(/index .*\n/, ''), says: 'does not hold the whole' },
  { why: 'a line of it was changed', text: GOOD.replace('+b: 3', '+b: 4'), says: 'does not hold the whole' },
  {
    why: 'it says that a file is gone, and holds some of it',
    text: GOOD.replace('index', 'deleted file mode 100644\nindex'),
    says: 'does not hold the whole',
  },
  { why: 'it ends too early', text: GOOD.slice(0, -6), says: 'ends within a file' },
  { why: 'it goes on after the hunk', text: `${GOOD}+c: 4\n`, says: 'begins no file' },
  { why: 'it goes on with something else', text: `${GOOD}* Unmerged path b.yaml\n`, says: 'begins no file' },
  {
    why: 'a part of it is one of a merge',
    text: `${GOOD}diff --cc b.yaml\nindex 1,2..3\nBinary files differ\n${GOOD.replaceAll('a.yaml', 'c.yaml')}`,
    says: 'begins no file',
  },
  {
    why: 'its header has a line that Git does not write',
    text: GOOD.replace('---', 'x\n---'),
    says: 'begins no file',
  },
  { why: 'it is no diff', text: 'hello\n', says: 'line 1 begins no file' },
  { why: 'it is one of a merge', text: 'diff --cc a.yaml\nindex 1,2..3\n', says: 'line 1 begins no file' },
  {
    why: 'a file was renamed',
    text: 'diff --git a/a.yaml b/b.yaml\nsimilarity index 100%\nrename from a.yaml\nrename to b.yaml\n',
    says: 'are not a/NAME and b/NAME',
  },
  {
    why: 'a file was copied to one of the same length',
    text: 'diff --git a/a b/a\ncopy from a\ncopy to a\n',
    says: 'renamed or copied',
  },
  {
    why: 'a file is binary',
    text: `diff --git a/a b/a\nindex ${NONE}..${NONE} 100644\nBinary files a/a and b/a differ\n`,
    says: 'is binary',
  },
  { why: 'names have no prefix', text: 'diff --git a.yaml a.yaml\n', says: 'are not a/NAME and b/NAME' },
])('refuses a diff where $why', ({ text, says }) => {
  expect(() => read(text)).toThrow(says);
});
