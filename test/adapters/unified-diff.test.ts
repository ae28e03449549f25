// The diff of an edit: it leads from one text to the other, and is what `diff -u` would show.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { unifiedDiff } from '../../src/adapters/index.ts';
import { type Edit, splice, visible } from '../../src/security/index.ts';
import { applyDiff } from '../harness/apply-diff.ts';
import { tempRoot } from '../harness/temp-root.ts';

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
      expect(applyDiff(visible(before), diff)).toBe(visible(after));
    }),
    { numRuns: 1_000 },
  );
});

const folder = tempRoot();
afterAll(() => folder.remove());
const HAS_DIFF = spawnSync('diff', ['--version']).status === 0;

test.skipIf(!HAS_DIFF)('has the hunks of `diff -u` for edits of one line each', () => {
  const distinct = fc
    .uniqueArray(fc.string({ unit: fc.constantFrom(...'abcdef: '), minLength: 3, maxLength: 8 }), {
      minLength: 1,
      maxLength: 40,
    })
    .chain((all) =>
      fc.record({
        all: fc.constant(all),
        at: fc.uniqueArray(fc.nat(all.length - 1), { maxLength: 3 }),
        isEnded: fc.boolean(),
      }),
    );
  fc.assert(
    fc.property(distinct, ({ all, at, isEnded }) => {
      const before = all.join('\n') + (isEnded ? '\n' : '');
      const edits = at.map((line): Edit => {
        const start = all.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
        return { start, end: start + (all[line]?.length ?? 0), insert: `new ${line}` };
      });
      const after = splice(before, edits);
      expect(hunksOf(unifiedDiff('a', before, after, edits))).toBe(hunksOf(systemDiff(before, after)));
    }),
    { numRuns: 60 },
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

test('is linear: a small edit of a long text, and a rewrite of one', () => {
  const before = 'line\n'.repeat(100_000);
  const small = [{ start: 250_000, end: 250_004, insert: 'other' }];
  expect(unifiedDiff('a', before, splice(before, small), small)).toContain('@@ -49998,7 +49998,7 @@');
  const whole = [{ start: 0, end: before.length, insert: 'x\n'.repeat(100_000) }];
  expect(unifiedDiff('a', before, splice(before, whole), whole).length).toBeGreaterThan(800_000);
});
