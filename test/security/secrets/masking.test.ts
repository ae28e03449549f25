// What an airlock masks: each text once, remembered as long as there is room.
import { describe, expect, it } from 'vitest';
import { Masking, type MaskText, SafePath } from '../../../src/security/index.ts';
import { placeholdersBy } from '../../../src/security/secrets/placeholder.ts';

const KEY = 'k'.repeat(32);
const P = placeholdersBy(KEY);
const path = (name: string) => SafePath.parse(name, [undefined]);

/** Masks what follows "s=", to the end, of quotes what they hold; counts how often it is asked. */
function masking() {
  const asked: string[] = [];
  const search = () => ({ found: [], nameCandidates: [], mayHoldPrivateKey: false });
  const mask: MaskText['mask'] = (file, text, _search, masked) => {
    asked.push(`${file} ${text.slice(0, 9)}`);
    const at = /s=["']?/u.exec(text);
    if (at === null) return masked([]);
    return masked([{ start: at.index + at[0].length, end: text.length - (at[0].length - 2) }]);
  };
  const made = new Masking({ search, mask, mayHoldSecret: () => true }, KEY);
  return { made, asked };
}

describe('a text', () => {
  it('is masked once for each file that it stands in, and each text of a file for itself', () => {
    const { made, asked } = masking();
    const first = made.mask(path('a.yaml'), 's=x');
    expect(first.shown).toBe(`s=${P('x')}`);
    expect(made.mask(path('a.yaml'), 's=x').shown).toBe(first.shown);
    expect(made.mask(path('b.yaml'), 's=x')).not.toBe(first);
    expect(made.mask(path('a.yaml'), 's=y')).not.toBe(first);
    expect(asked).toEqual(['a.yaml s=x', 'b.yaml s=x', 'a.yaml s=y']);
  });

  it.each([
    { why: 'with a secret', beginning: 's=' },
    { why: 'without one', beginning: '' },
  ])(
    'is known by its hash and its places alone, so that a whole repository is remembered: $why',
    ({ beginning }) => {
      const { made, asked } = masking();
      const texts = Array.from({ length: 40 }, (_, index) => `${index}${beginning}`.padEnd(1e6, 'x'));
      for (const text of texts) made.mask(path('a'), text);
      asked.length = 0;
      for (const text of texts) expect(made.mask(path('a'), text).isUnmasked).toBe(beginning === '');
      expect(asked).toEqual([]);
    },
  );

  it('is remembered as long as there is room; the oldest goes first', () => {
    const { made, asked } = masking();
    for (let index = 0; index < 60_000; index++) made.mask(path('a'), `${index}`);
    asked.length = 0;
    for (const index of [59_999, 10_000, 0]) made.mask(path('a'), `${index}`);
    expect(asked).toEqual(['a 0']);
  });
});

it('a placeholder in what was recorded stays what it is, and in a file is a value like any other', () => {
  const { made } = masking();
  expect(made.maskRecorded(path('a'), `s=${P('x')}`).shown).toBe(`s=${P('x')}`);
  expect(made.maskRecorded(path('a'), 's=x').shown).toBe(`s=${P('x')}`);
  expect(made.mask(path('a'), `s=${P('x')}`).shown).toBe(`s=${P(P('x'))}`);
});
