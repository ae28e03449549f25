import { describe, expect, it } from 'vitest';
import { shownDiff, unifiedDiff } from '../../../src/adapters/index.ts';

const LONG = 'x'.repeat(600);

function diffOf(before: string, old: string, next: string): string {
  const start = before.indexOf(old);
  const edits = [{ start, end: start + old.length, insert: next }];
  return unifiedDiff('a.yaml', before, before.replace(old, next), edits);
}

describe('the diff that an agent is shown', () => {
  it.each([
    { why: 'short lines', before: 'a: 1\nb: 2\n', old: '1', next: '3' },
    {
      why: 'a long line of which nothing stays',
      before: `${LONG}\nb: 2\n`,
      old: LONG,
      next: 'y'.repeat(600),
    },
    { why: 'a long line that comes', before: 'a: 1\nb: 2\n', old: 'b: 2', next: `b: ${LONG}` },
  ])('is the one that is kept: $why', ({ before, old, next }) => {
    const diff = diffOf(before, old, next);
    expect(shownDiff(diff)).toBe(diff);
  });

  it('has long lines beside the change cut, each with its length', () => {
    const shown = shownDiff(diffOf(`l: ${LONG}\na: 1\nm: ${LONG}`, '1', '2'));
    const cut = (key: string) => ` ${key}: ${'x'.repeat(496)}… (cut: an unchanged line of 603 characters)\n`;
    expect(shown).toBe(
      `--- a/a.yaml\n+++ b/a.yaml\n@@ -1,3 +1,3 @@\n${cut('l')}-a: 1\n+a: 2\n${cut('m')}\\ No newline at end of file\n`,
    );
  });

  it('has what stays the same of a long line that changes cut, and all that changes', () => {
    const shown = shownDiff(diffOf(`a: ${LONG}1${LONG}\nb: 2\n`, '1', '22'));
    const [front, back] = ['…(523 characters, unchanged)…', '…(520 characters, unchanged)…'];
    const kept = 'x'.repeat(80);
    expect(shown).toBe(
      `--- a/a.yaml\n+++ b/a.yaml\n@@ -1,2 +1,2 @@\n-${front}${kept}1${kept}${back}\n+${front}${kept}22${kept}${back}\n b: 2\n`,
    );
  });

  it('is never cut in the middle of a character', () => {
    const shown = shownDiff(diffOf(`l: ${'😀'.repeat(400)}\na: 1\n`, '1', '2'));
    expect(shown.isWellFormed()).toBe(true);
  });
});
