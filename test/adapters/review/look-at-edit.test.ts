import { describe, expect, it } from 'vitest';
import { findDrift, lookWith } from '../../../src/adapters/index.ts';
import { type Change, DEFAULT_LIMITS, SafePath } from '../../../src/security/index.ts';

const path = SafePath.parse('a.yaml', [undefined]);
const look = lookWith((file) => SafePath.parse(file, [undefined]), DEFAULT_LIMITS);

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

describe('how far a file has moved on', () => {
  const planned = (at: string, op: Change['op'] = 'replace'): readonly Change[] => [
    { op, doc: 0, path: at, line: 1 },
  ];

  it.each([
    { why: 'another key', now: 'a: { b: 1 }\nc: 9\nl: [1, 2]\n', plan: planned('a.b'), isSame: false },
    { why: 'the same key', now: 'a: { b: 9 }\nc: 2\nl: [1, 2]\n', plan: planned('a.b'), isSame: true },
    { why: 'a key above', now: 'a: 9\nc: 2\nl: [1, 2]\n', plan: planned('a.b'), isSame: true },
    { why: 'a key below', now: 'a: { b: 9 }\nc: 2\nl: [1, 2]\n', plan: planned('a'), isSame: true },
    {
      why: 'a key beside it',
      now: 'a: { b: 1, d: 1 }\nc: 2\nl: [1, 2]\n',
      plan: planned('a.b'),
      isSame: false,
    },
    {
      why: 'another item of the list',
      now: 'a: { b: 1 }\nc: 2\nl: [9, 2]\n',
      plan: planned('l[1]'),
      isSame: false,
    },
    {
      why: 'an item that is new in the list',
      now: 'a: { b: 1 }\nc: 2\nl: [0, 1, 2]\n',
      plan: planned('l[1]'),
      isSame: true,
    },
    {
      why: 'a document that is new',
      now: 'a: { b: 1 }\nc: 2\nl: [1, 2]\n---\nx: 1\n',
      plan: planned('c'),
      isSame: true,
    },
    {
      why: 'a comment only',
      now: '# new\na: { b: 1 }\nc: 2\nl: [1, 2]\n',
      plan: planned('c'),
      isSame: false,
    },
  ])('tells whether it is the same place: $why', ({ now, plan, isSame }) => {
    const texts = { base: 'a: { b: 1 }\nc: 2\nl: [1, 2]\n', now };
    expect(findDrift(path, texts, plan, DEFAULT_LIMITS).isSamePlace).toBe(isSame);
  });
});
