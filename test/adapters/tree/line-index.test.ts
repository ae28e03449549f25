// The line of an offset is that which counting the line breaks before it gives.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineIndex } from '../../../src/adapters/tree/lines.ts';

const text = fc.string({ unit: fc.constantFrom('a', '\n', ' '), maxLength: 40 });

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
