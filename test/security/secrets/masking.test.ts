// What an airlock masks: each text once, remembered as long as there is room, with the secrets that it has shown.
import { describe, expect, it } from 'vitest';
import { Masking, SafePath } from '../../../src/security/index.ts';
import { type Secret, secretsIn } from '../../../src/security/secrets/masked-text.ts';
import { placeholdersBy } from '../../../src/security/secrets/placeholder.ts';

const KEY = 'k'.repeat(32);
const P = placeholdersBy(KEY);
const path = (name: string) => SafePath.parse(name, [undefined]);

/** Masks what follows "s=", to the end, of quotes what they hold; counts how often it is asked. */
function masking(recalled?: Secret) {
  const asked: string[] = [];
  const recalls: string[][] = [];
  const made = new Masking(
    (file, text, masked) => {
      asked.push(`${file} ${text.slice(0, 9)}`);
      const at = /s=["']?/u.exec(text);
      if (at === null) return masked([]);
      return masked([{ start: at.index + at[0].length, end: text.length - (at[0].length - 2) }]);
    },
    KEY,
    (...given) => {
      recalls.push(given);
      return recalled;
    },
  );
  return { made, asked, recalls };
}

describe('a text', () => {
  it('is masked once for each file that it stands in, and each text of a file for itself', () => {
    const { made, asked } = masking();
    const first = made.of(path('a.yaml'), 's=x');
    expect(first.shown).toBe(`s=${P('x')}`);
    expect(made.of(path('a.yaml'), 's=x')).toBe(first);
    expect(made.of(path('b.yaml'), 's=x')).not.toBe(first);
    expect(made.of(path('a.yaml'), 's=y')).not.toBe(first);
    expect(asked).toEqual(['a.yaml s=x', 'b.yaml s=x', 'a.yaml s=y']);
  });

  it.each([
    { why: 'two are kept, however long they are', lengths: [3e6, 3e6], again: [] },
    { why: 'of three the oldest goes where they are long', lengths: [3e6, 2e6, 1e3], again: [0] },
    { why: 'as many as have to', lengths: [2e6, 1e6, 1e6, 2e6], again: [0, 1] },
    { why: 'all are kept while there is room', lengths: [1e6, 1e6, 1e6, 996_000], again: [] },
    {
      why: 'the place that one takes counts beside its letters',
      lengths: [1e6, 1e6, 1e6, 996_001],
      again: [0],
    },
  ])('is remembered as long as there is room: $why', ({ lengths, again }) => {
    const { made, asked } = masking();
    const texts = lengths.map((length, index) => `${index}${'x'.repeat(length - 1)}`);
    for (const text of texts) made.of(path('a'), text);
    asked.length = 0;
    for (const text of texts.toReversed()) made.of(path('a'), text);
    expect(asked.map((name) => Number(name[2])).toSorted()).toEqual(again);
  });

  it('that goes makes room for others', () => {
    const { made, asked } = masking();
    const texts = Array.from({ length: 12 }, (_, index) => `${index}`.padEnd(1e6, 'x'));
    for (const text of texts) made.of(path('a'), text);
    asked.length = 0;
    for (const text of texts.slice(-3)) made.of(path('a'), text);
    expect(asked).toEqual([]);
  });
});

describe('a secret that was shown', () => {
  const X = P('x');
  const old: Secret = { placeholder: X, text: 'x', quote: '', isBare: false };

  it('is known by its placeholder, in these quotes before any others', () => {
    const { made, recalls } = masking();
    made.of(path('a'), "s='x'");
    made.of(path('a'), 's="x"');
    made.of(path('a'), 's=y');
    expect(made.recall(X, '"')).toMatchObject({ text: 'x', quote: '"' });
    expect(made.recall(X, "'")).toMatchObject({ text: 'x', quote: "'" });
    expect(recalls).toEqual([]);
    expect(made.recall(X, '')).toMatchObject({ text: 'x', quote: '"' });
    expect(made.recall(P('other'), '')).toBeUndefined();
    expect(recalls).toEqual([
      [X, ''],
      [P('other'), ''],
    ]);
  });

  it('is known by what was removed where it stood in other quotes, or nowhere', () => {
    const { made } = masking(old);
    expect(made.recall(X, '')).toBe(old);
    const { masked } = { masked: made.of(path('a'), 's="x"') };
    expect(made.recall(X, '')).toBe(old);
    expect(made.recall(X, '"')).toBe(secretsIn(masked)[0]);
  });
});
