// Lines are counted in no text that shares them with another, and come out the same.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readConfigFile } from '../../../src/adapters/index.ts';
import { LineIndex, linesOf, shareLines } from '../../../src/adapters/tree/line-index.ts';
import { DEFAULT_LIMITS, splice } from '../../../src/security/index.ts';

const text = fc.string({ unit: fc.constantFrom('a', '\n', ' '), maxLength: 40 });
const edit = fc.record({ at: fc.nat(), length: fc.nat(6), insert: text });

function countedAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}

it('tells the line of any offset, in whatever order they are asked for', () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(45)), (source, offsets) => {
      const lines = new LineIndex(source);
      for (const offset of offsets) expect(lines.at(offset)).toBe(countedAt(source, offset));
    }),
  );
});

it('tells the lines of a text that edits have made, time after time, as if it had counted them', () => {
  const stream = (source: string) => ({ text: source, documents: [], comments: [] });
  fc.assert(
    fc.property(text, fc.array(edit, { maxLength: 30 }), (source, edits) => {
      let before = stream(source);
      for (const { at, length, insert } of edits) {
        const start = at % (before.text.length + 1);
        const end = Math.min(start + length, before.text.length);
        const after = stream(splice(before.text, [{ start, end, insert }]));
        shareLines(before, after, { start, end });
        before = after;
      }
      const lines = linesOf(before);
      for (let offset = 0; offset <= before.text.length; offset++)
        expect(lines.at(offset)).toBe(countedAt(before.text, offset));
    }),
  );
});

it('counts once for all that is asked of a file', () => {
  const { stream } = readConfigFile(undefined, 'a: 1\nb: 2\n', DEFAULT_LIMITS);
  expect(linesOf(stream)).toBe(linesOf(stream));
});

// Each asked the one before it three times, so that twenty edits of a batch took minutes.
it('asks a text that edits lie behind no more often for many edits than for one', () => {
  let before = { text: 'a\n'.repeat(40), documents: [], comments: [] };
  for (let start = 0; start < 40; start += 2) {
    const after = { ...before, text: splice(before.text, [{ start, end: start + 1, insert: 'b' }]) };
    shareLines(before, after, { start, end: start + 1 });
    before = after;
  }
  expect(linesOf(before).at(79)).toBe(40);
});
