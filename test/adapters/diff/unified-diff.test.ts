// The diff of an edit: it leads from one text to the other, and is what `diff -u` would show.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { unifiedDiff } from '../../../src/adapters/diff/unified-diff.ts';
import { type Edit, splice } from '../../../src/security/edits/edit.ts';
import { visible } from '../../../src/security/text/visible.ts';
import { applyDiff } from '../../harness/apply-diff.ts';
import { runs, timesOf } from '../../harness/runs.ts';
import { tempRoot } from '../../harness/temp-root.ts';

const lines = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\r'), maxLength: 3 }), {
  maxLength: 40,
});
const texts = fc.tuple(lines, fc.boolean()).map(([all, isEnded]) => all.join('\n') + (isEnded ? '\n' : ''));
const inserts = fc.string({ unit: fc.constantFrom('x', 'a', 'b', '\n', '\r\n'), maxLength: 6 });

/** Edits that neither overlap nor leave the text. */
const changed = texts.chain((before) =>
  fc
    .array(fc.tuple(fc.nat(before.length), fc.nat(before.length), inserts), { maxLength: 5 })
    .map((raw): { before: string; edits: readonly Edit[] } => {
      const ordered = raw
        .map(([a, b, insert]) => ({
          start: Math.min(a, b),
          end: Math.min(Math.max(a, b), Math.min(a, b) + 9),
          insert,
        }))
        .sort((a, b) => a.start - b.start || a.end - b.end);
      const edits = ordered.filter((edit, i) =>
        ordered.slice(0, i).every((other) => other.end <= edit.start),
      );
      return { before, edits };
    }),
);

test('leads from the old text to the new', () => {
  fc.assert(
    fc.property(changed, ({ before, edits }) => {
      const after = splice(before, edits);
      const diff = unifiedDiff('a.yaml', before, after, edits);
      expect(diff === '').toBe(before === after);
      expect(applyDiff(before, diff)).toBe(after);
    }),
    { numRuns: runs(1_000) },
  );
});

const folder = tempRoot();
afterAll(() => folder.remove());
const HAS_DIFF = spawnSync('diff', ['--version']).status === 0;

test.skipIf(!HAS_DIFF)(
  'has the hunks of `diff -u` where lines are added or removed, among equal lines too',
  () => {
    const repetitive = fc.array(fc.constantFrom('- a', '- b', '', '  c: \u00e9', '# d\r'), { maxLength: 30 });
    const cases = fc.record({
      lines: repetitive,
      isEnded: fc.boolean(),
      hasMark: fc.boolean(),
      from: fc.nat(30),
      // Whole lines go, or whole lines come.
      gone: fc.nat(4),
      fresh: fc.array(fc.constantFrom('- a', '- b', '', 'e'), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(cases, ({ lines, isEnded, hasMark, from, gone, fresh }) => {
        const text = lines.map((line) => `${line}\n`).join('');
        const before = (hasMark ? '\uFEFF' : '') + (isEnded ? text : text.replace(/\r?\n$/, ''));
        const starts = [0, ...Array.from(before.matchAll(/\n/g), ({ index }) => index + 1)];
        const at = from % starts.length;
        const start = starts[at] ?? 0;
        const end = gone === 0 ? start : (starts[at + gone] ?? before.length);
        const insert = end > start ? '' : fresh.map((line) => `${line}\n`).join('');
        const after = splice(before, [{ start, end, insert }]);
        const shown = hunksOf(unifiedDiff('a', before, after, [{ start, end, insert }]));
        expect(shown).toBe(visible(hunksOf(systemDiff(before, after))));
      }),
      { numRuns: timesOf(40, 150) },
    );
  },
);

test('is as short as what `diff` finds by itself, whatever the splices hold beyond the change', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(500), { minLength: 5, maxLength: 60 }), fc.nat(50), (all, n) => {
      const before = all.map((each) => `key${each}: 1\n`).join('');
      const line = n % all.length;
      const start = all.slice(0, line).reduce((sum, each) => sum + `key${each}: 1\n`.length, 0);
      const rest = before.slice(start);
      // Everything from there on is replaced, by the same with one line more.
      const edits = [{ start, end: before.length, insert: `new: 1\n${rest}` }];
      const after = splice(before, edits);
      const theirs = createTwoFilesPatch('a', 'b', before, after, '', '', { context: 3 });
      expect(hunksOf(unifiedDiff('a', before, after, edits))).toBe(hunksOf(theirs));
    }),
    { numRuns: runs(200) },
  );
});

function systemDiff(before: string, after: string): string {
  for (const [name, text] of Object.entries({ before, after })) writeFileSync(join(folder.dir, name), text);
  return spawnSync('diff', ['-u', 'before', 'after'], { cwd: folder.dir, encoding: 'utf8' }).stdout;
}

function hunksOf(diff: string): string {
  return diff.slice(Math.max(diff.indexOf('@@'), 0));
}

test.each([
  { before: 'a\n', edit: { start: 0, end: 1, insert: 'b' }, diff: '@@ -1 +1 @@\n-a\n+b\n', why: 'one line' },
  { before: '', edit: { start: 0, end: 0, insert: 'a\n' }, diff: '@@ -0,0 +1 @@\n+a\n', why: 'of nothing' },
  { before: 'a\n', edit: { start: 0, end: 2, insert: '' }, diff: '@@ -1 +0,0 @@\n-a\n', why: 'to nothing' },
  {
    before: 'a',
    edit: { start: 1, end: 1, insert: '\n' },
    diff: '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n',
    why: 'a final line break',
  },
  {
    before: 'a: \u202Ex\r\n',
    edit: { start: 3, end: 5, insert: '\u200By' },
    diff: '@@ -1 +1 @@\n-a: <U+202E>x\r\n+a: <U+200B>y\r\n',
    why: 'what deceives is shown',
  },
])('$why', ({ before, edit, diff }) => {
  expect(unifiedDiff('f\u202E.yaml', before, splice(before, [edit]), [edit])).toBe(
    `--- a/f<U+202E>.yaml\n+++ b/f<U+202E>.yaml\n${diff}`,
  );
});

test('moves what is added among equal lines as far down as they go, and joins what then meets', () => {
  const before = '- a\n- a\n- a\nb: 1\n';
  const edits = [
    { start: 0, end: 0, insert: '- a\n' },
    { start: 12, end: 13, insert: 'c' },
  ];
  expect(hunksOf(unifiedDiff('a', before, splice(before, edits), edits))).toBe(
    '@@ -1,4 +1,5 @@\n - a\n - a\n - a\n-b: 1\n+- a\n+c: 1\n',
  );
});

test('is linear: a small edit of a long text, and a rewrite of one [SRV-16]', () => {
  const before = 'line\n'.repeat(100_000);
  const small = [{ start: 250_000, end: 250_004, insert: 'other' }];
  expect(unifiedDiff('a', before, splice(before, small), small)).toContain('@@ -49998,7 +49998,7 @@');
  const whole = [{ start: 0, end: before.length, insert: 'x\n'.repeat(100_000) }];
  expect(unifiedDiff('a', before, splice(before, whole), whole).length).toBeGreaterThan(800_000);
});
