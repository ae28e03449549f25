// What differs between two texts, against the same of two lists of their letters.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { differing, differingText } from '../../../src/adapters/verify/changed-lines.ts';

const part = fc.tuple(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3 }), fc.nat(2_500));
const long = ([text, length]: readonly [string, number]): string => text.repeat(length).slice(0, length);

it('of two texts the same differs as of two lists of their letters, in blocks or not', () => {
  fc.assert(
    fc.property(part, part, part, part, (start, old, next, end) => {
      const [a, b] = [long(start) + long(old) + long(end), long(start) + long(next) + long(end)];
      expect(differingText(a, b)).toEqual(differing(a.length, b.length, (i, j) => a[i] === b[j]));
    }),
  );
});
