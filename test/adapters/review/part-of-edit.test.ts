import { describe, expect, it } from 'vitest';
import { changesOfPart } from '../../../src/adapters/index.ts';
import { type Change, DEFAULT_LIMITS, type Edit, SafePath } from '../../../src/security/index.ts';

const path = SafePath.parse('a.yaml', [undefined]);

/** Each pair is a text that is there once, and what comes in its place. */
function edits(base: string, ...pairs: readonly (readonly [string, string])[]): readonly Edit[] {
  return pairs.map(([text, insert]) => {
    const start = base.indexOf(text);
    return { start, end: start + text.length, insert };
  });
}

function part(base: string, all: readonly Edit[], kept: readonly number[], changes: readonly Change[] = []) {
  return changesOfPart(
    { base, edits: all, changes },
    all.filter((_, i) => kept.includes(i)),
    path,
    DEFAULT_LIMITS,
  ).map(({ op, path: at }) => `${op} ${at}`);
}

describe('a part of a change', () => {
  const base = 'a: 1\nb: 2 # two\nc: &c 3\nd: *c\nl:\n  - 1\n  - 2\n  - 3\n  - 4\n';

  it('is what it is among the others', () => {
    const all = edits(base, ['1\n', '9\n'], ['b: 2 # two\n', ''], ['&c 3', '&c 7']);
    expect(part(base, all, [0])).toEqual(['replace a']);
    expect(part(base, all, [0, 1])).toEqual(['replace a', 'remove b']);
    expect(part(base, all, [2])).toEqual(['replace c']);
  });

  it('may name each follower where the whole has too many to name more than what stands above them', () => {
    const keys = Array.from({ length: 300 }, (_, i) => `  k${i}: 1\n`).join('');
    const wide = `m: &m\n${keys}  z: 5\nu: *m\n`;
    const all = edits(wide, [keys, keys.replaceAll(': 1', ': 2')], ['z: 5', 'z: 6']);
    expect(part(wide, all, [1])).toEqual(['replace m.z']);
  });

  it('takes its own comments with it', () => {
    const all = edits(base, ['a: 1', '# one\na: 1'], ['# two', '# three']);
    const changes: readonly Change[] = [
      { op: 'comment', doc: 0, path: 'a', from: '', to: '# one', line: 1 },
      { op: 'comment', doc: 0, path: 'b', from: '# two', to: '# three', line: 2 },
    ];
    expect(part(base, all, [0], changes)).toEqual(['comment a']);
    expect(part(base, all, [1], changes)).toEqual(['comment b']);
  });

  it.each([
    {
      why: 'an alias without the anchor that came with it',
      all: edits(base, ['a: 1', 'a: &new 1'], ['b: 2', 'b: *new']),
      kept: [1],
    },
    {
      why: 'an item that is another one as long as the first stays',
      all: edits(base, ['  - 1\n', ''], ['  - 3\n', '']),
      kept: [0],
    },
    {
      why: 'an anchor that goes while its alias stays',
      all: edits(base, ['&c 3', '3'], ['*c', '3']),
      kept: [0],
    },
    { why: 'half of a bracket', all: edits(base, ['a: 1', 'a: [1,'], ['b: 2 # two', ' 2]']), kept: [0] },
    {
      why: 'a value that follows through an alias which was to go',
      all: edits(base, ['&c 3', '&c 8'], ['d: *c\n', '']),
      kept: [0],
    },
  ])('is refused where it would be another change: $why [EDT-9]', ({ all, kept }) => {
    expect(() => part(base, all, kept)).toThrow(/another change/);
  });
});
