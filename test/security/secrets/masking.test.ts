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
    expect(made.mask(path('a.yaml'), 's=x')).toBe(first);
    expect(made.mask(path('b.yaml'), 's=x')).not.toBe(first);
    expect(made.mask(path('a.yaml'), 's=y')).not.toBe(first);
    expect(asked).toEqual(['a.yaml s=x', 'b.yaml s=x', 'a.yaml s=y']);
  });

  it.each([
    { why: 'two are kept, however long they are', lengths: [12e6, 12e6], again: [] },
    { why: 'of three the oldest goes where they are long', lengths: [12e6, 8e6, 1e3], again: [0] },
    { why: 'as many as have to', lengths: [8e6, 4e6, 4e6, 8e6], again: [0, 1] },
    { why: 'all are kept while there is room', lengths: [4e6, 4e6, 4e6, 3_998_800], again: [] },
    {
      why: 'the place that one takes counts beside its letters',
      lengths: [4e6, 4e6, 4e6, 3_998_801],
      again: [0],
    },
  ])('with a secret is remembered as long as there is room: $why', ({ lengths, again }) => {
    const { made, asked } = masking();
    const texts = lengths.map((length, index) => `${index}s=${'x'.repeat(length - 3)}`);
    for (const text of texts) made.mask(path('a'), text);
    asked.length = 0;
    for (const text of texts.toReversed()) made.mask(path('a'), text);
    expect(asked.map((name) => Number(name[2])).toSorted()).toEqual(again);
  });

  it('without a secret is known by its hash alone, so that a whole repository is remembered', () => {
    const { made, asked } = masking();
    const texts = Array.from({ length: 40 }, (_, index) => `${index}`.padEnd(1e6, 'x'));
    for (const text of texts) made.mask(path('a'), text);
    asked.length = 0;
    for (const text of texts) expect(made.mask(path('a'), text).shown).toBe(text);
    expect(asked).toEqual([]);
  });

  it('that goes makes room for others', () => {
    const { made, asked } = masking();
    const texts = Array.from({ length: 12 }, (_, index) => `${index}s=`.padEnd(4e6, 'x'));
    for (const text of texts) made.mask(path('a'), text);
    asked.length = 0;
    for (const text of texts.slice(-3)) made.mask(path('a'), text);
    expect(asked).toEqual([]);
  });
});

it('a placeholder in what was recorded stays what it is, and in a file is a value like any other', () => {
  const { made } = masking();
  expect(made.maskRecorded(path('a'), `s=${P('x')}`).shown).toBe(`s=${P('x')}`);
  expect(made.maskRecorded(path('a'), 's=x').shown).toBe(`s=${P('x')}`);
  expect(made.mask(path('a'), `s=${P('x')}`).shown).toBe(`s=${P(P('x'))}`);
});
