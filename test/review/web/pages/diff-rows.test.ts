// The diff on the page is the diff that was found, whole, or it is shown as plain text.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../../../src/adapters/index.ts';
import { diffView } from '../../../../src/review/web/pages/diff.ts';
import { diffRows } from '../../../../src/review/web/pages/diff-rows.ts';

function diffOf(before: string, after: string): string {
  return unifiedDiff('a.yaml', before, after, [{ start: 0, end: before.length, insert: after }]);
}

describe('a diff', () => {
  it('becomes rows with the line numbers of both sides, and the words that differ', () => {
    const rows = diffRows(diffOf('a: 1\nb: old words\nc: 3\n', 'a: 1\nb: new words\nc: 3\n')) ?? [];
    expect(rows.map(({ kind, oldLine, newLine }) => [kind, oldLine, newLine])).toEqual([
      ['hunk', undefined, undefined],
      ['same', 1, 1],
      ['cut', 2, undefined],
      ['add', undefined, 2],
      ['same', 3, 3],
    ]);
    expect(rows[2]?.pieces).toEqual([
      { text: 'b: ', isChanged: false },
      { text: 'old', isChanged: true },
      { text: ' words', isChanged: false },
    ]);
  });

  it('loses nothing, whatever stands in it [WEB-4]', () => {
    const line = fc.oneof(
      fc.constantFrom('', '-', '+', '--- a', '+++ b', '@@ -1,2 +1,2 @@', '\\ No newline', 'Index: x', 'a: 1'),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    const lines = fc.array(line, { maxLength: 12 }).map((all) => all.join('\n'));
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = diffOf(before, after);
        if (diff === '') return;
        const rows = diffRows(diff);
        // Undefined is shown as plain text; never a part of it.
        if (rows !== undefined) expect(textOf(rows)).toEqual(diff.split('\n').slice(2, -1));
      }),
    );
  });

  it('that is none of ours is shown as it stands', () => {
    for (const text of [
      'no diff at all',
      '--- a\n+++ b\n@@ -1 +1 @@\n-a',
      '--- a\n+++ b\n@@ -1 +1 @@\nlost\n',
      '--- a\n+++ b\nlost\n@@ -1 +1 @@\n-a\n+b\n',
    ]) {
      expect(diffRows(text)).toBeUndefined();
      expect(`${diffView(text, 'a')}`).toContain('<pre');
    }
  });
});

it('says once that all lines end as on Windows, and shows each that alone does', () => {
  const all = `${diffView(diffOf('a: 1\r\nb: 2\r\n', 'a: 1\r\nb: 3\r\n'), 'a')}`;
  expect(all).toContain('Every line here ends with CR LF');
  expect(all).not.toContain('U+000D');
  const one = `${diffView(diffOf('a: 1\nb: 2\n', 'a: 1\r\nb: 2\n'), 'a')}`;
  expect(one).not.toContain('Every line');
  expect(one.match(/U\+000D/gu)).toHaveLength(1);
});

const SIGNS = { same: ' ', cut: '-', add: '+', hunk: '', end: '\\' };

function textOf(rows: NonNullable<ReturnType<typeof diffRows>>): string[] {
  return rows.map(({ kind, text }) => `${SIGNS[kind]}${text}`);
}
