// The depth that is counted is the depth that a parser would find, and no depth overflows a stack.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isDeeperThan } from '../../src/stdio/json-depth.ts';

it('agrees with the parsed value', () => {
  const text = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', 'a') });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 6 }, text, fc.array(tie('value')), fc.dictionary(text, tie('value'))),
  }));
  fc.assert(
    fc.property(value, (json) => {
      const depth = depthOf(json);
      for (const spaced of [JSON.stringify(json), JSON.stringify(json, null, 2)]) {
        expect(isDeeperThan(depth, spaced)).toBe(false);
        if (depth > 0) expect(isDeeperThan(depth - 1, spaced)).toBe(true);
      }
    }),
  );
});

it('looks at a million brackets without a stack', () => {
  expect(isDeeperThan(1_000_000, '['.repeat(1_000_000))).toBe(false);
  expect(isDeeperThan(999_999, '{'.repeat(1_000_000))).toBe(true);
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
