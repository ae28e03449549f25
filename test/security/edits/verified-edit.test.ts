import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compose, type Edit, splice } from '../../../src/security/edits/edit.ts';
import { assertEqualOutside } from '../../../src/security/edits/verified-edit.ts';
import { runs } from '../../harness/runs.ts';

/** Texts of whole characters and edits that cut none. */
const characters = fc.constantFrom('a', 'b', ' ', '\n', '\r\n', 'ä', '😀', '\ufeff', '#');
const texts = fc.array(characters, { maxLength: 20 });

function editsOf(text: readonly string[], cuts: readonly (readonly [number, number, string])[]): Edit[] {
  const offsets = [0];
  for (const character of text) offsets.push((offsets.at(-1) ?? 0) + character.length);
  const edits: Edit[] = [];
  let end = 0;
  for (const [a, b, insert] of cuts) {
    const points = [a % offsets.length, b % offsets.length]
      .sort((x, y) => x - y)
      .map((index) => offsets[index] ?? 0);
    const [start = 0, stop = 0] = points;
    if (start < end) continue;
    edits.push({ start, end: stop, insert });
    end = stop;
  }
  return edits;
}

const cuts = fc.array(
  fc.tuple(
    fc.nat(20),
    fc.nat(20),
    texts.map((parts) => parts.join('')),
  ),
  { maxLength: 4 },
);

describe('edits', () => {
  it('compose to the same text as one after the other, in the coordinates of the base', () => {
    fc.assert(
      fc.property(texts, cuts, cuts, (text, first, second) => {
        const base = text.join('');
        const one = editsOf(text, first);
        const middle = splice(base, one);
        const two = editsOf([...middle], second);
        const composed = compose(base.length, one, two);
        expect(splice(base, composed)).toBe(splice(middle, two));
        assertEqualOutside(base, splice(middle, two), composed);
      }),
      { numRuns: runs(5000) },
    );
  });

  it('are told from any other change by the second opinion [EDT-5]', () => {
    fc.assert(
      fc.property(texts, cuts, fc.nat(), characters, (text, spans, at, other) => {
        const base = text.join('');
        const edits = editsOf(text, spans);
        const after = splice(base, edits);
        assertEqualOutside(base, after, edits);
        const place = at % (after.length + 1);
        for (const tampered of [
          after.slice(0, place) + other + after.slice(place),
          after.slice(0, place) + after.slice(place + 1),
        ]) {
          if (tampered !== after) expect(() => assertEqualOutside(base, tampered, edits)).toThrow();
        }
      }),
      { numRuns: runs(5000) },
    );
  });
});
