import { describe, expect, it } from 'vitest';
import { recomputePreview } from '../../../src/adapters/index.ts';
import { DEFAULT_LIMITS, SafePath } from '../../../src/security/index.ts';

const look = recomputePreview((file) => SafePath.parse(file, [undefined]), DEFAULT_LIMITS);

describe('a second look at a stored edit', () => {
  it('finds its diff, its changes, its comments and what follows it', () => {
    const base = 'x: &x 1\n# goes\ny: 2\nz: *x\n';
    const edits = [
      { start: 6, end: 7, insert: '3' },
      { start: 8, end: 20, insert: '' },
    ];
    const after = 'x: &x 3\nz: *x\n';
    const shown = look('a.yaml', base, after, edits);
    expect(shown.diff).toContain('-x: &x 1\n-# goes\n-y: 2\n+x: &x 3\n');
    expect(shown.changes.map(({ op, path: at }) => [op, at])).toEqual([
      ['replace', 'x'],
      ['remove', 'y'],
    ]);
    expect(shown.removed_comments).toEqual(['# goes']);
    expect(shown.also_affects).toHaveLength(1);
  });

  it('refuses what is no path here, and what cannot be read', () => {
    expect(() => look('../a.yaml', 'a: 1\n', 'a: 1\n', [])).toThrow();
    expect(() => look('a.yaml', 'a: [\n', 'a: 1\n', [])).toThrow();
  });
});
