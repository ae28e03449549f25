// The depth and the parts that are counted are those that a parser would find, and no depth overflows a stack.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { brokenLimit, outerMember } from '../../src/stdio/json-shape.ts';

it('agrees with the parsed value', () => {
  const text = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', 'a') });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 6 }, text, fc.array(tie('value')), fc.dictionary(text, tie('value'))),
  }));
  fc.assert(
    fc.property(value, (json) => {
      const [depth, parts] = [depthOf(json), partsOf(json)];
      for (const spaced of [JSON.stringify(json), JSON.stringify(json, null, 2)]) {
        expect(brokenLimit({ depth, parts }, spaced)).toBeUndefined();
        if (depth > 0) expect(brokenLimit({ depth: depth - 1, parts }, spaced)).toBe('depth');
        if (parts > 0) expect(brokenLimit({ depth, parts: parts - 1 }, spaced)).toBe('parts');
      }
    }),
  );
});

it('looks at a million brackets without a stack', () => {
  const parts = 1_000_000;
  expect(brokenLimit({ depth: 1_000_000, parts }, '['.repeat(1_000_000))).toBeUndefined();
  expect(brokenLimit({ depth: 999_999, parts }, '{'.repeat(1_000_000))).toBe('depth');
});

it.each([
  { json: '"[[[', why: 'a string that does not end' },
  { json: '"\\\\"[]', parts: 1, why: 'two backslashes, then the end of the string' },
  { json: '"\\\\\\"[["', why: 'three backslashes, the last of which takes the quote along' },
  { json: ']]]][', parts: 1, why: 'more closing than opening' },
  { json: '1,2:3', parts: 2, why: 'no JSON' },
  { json: '', why: 'nothing' },
])('counts $parts parts in $why', ({ json, parts = 0 }) => {
  expect(brokenLimit({ depth: 9, parts }, json)).toBeUndefined();
  expect(brokenLimit({ depth: 9, parts: parts - 1 }, `${json}`)).toBe(parts === 0 ? undefined : 'parts');
});

it('finds the member that a parser would, and its text', () => {
  const name = fc.constantFrom('id', 'method', 'params', 'i', 'id"', '');
  const message = fc.dictionary(name, fc.oneof(fc.jsonValue(), fc.record({ id: fc.jsonValue() }), name));
  fc.assert(
    fc.property(message, fc.nat(2), (value, indent) => {
      const text = outerMember(JSON.stringify(value, null, indent), 'id');
      expect(text === undefined ? undefined : JSON.parse(text)).toEqual(
        Object.hasOwn(value, 'id') ? JSON.parse(JSON.stringify(value['id'])) : undefined,
      );
    }),
  );
});

it.each([
  { json: '{"id":1,"id":2}', found: '2', why: 'the last of two' },
  { json: '{"params":{"id":1}}', why: 'none of an inner object' },
  { json: '[{"id":1}]', why: 'none of a list' },
  { json: '{"params":"id","id": "a\\",:}" ,"x":[', found: '"a\\",:}"', why: 'one whose object does not end' },
  { json: '{"id":7', why: 'none that does not end' },
  { json: '', why: 'none of nothing' },
])('finds $why', ({ json, found }) => {
  expect(outerMember(json, 'id')).toBe(found);
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** A bracket, n − 1 commas, and a colon for each key. */
function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items = Object.values(value);
  const own = 1 + Math.max(0, items.length - 1) + (Array.isArray(value) ? 0 : items.length);
  return items.reduce((sum: number, item) => sum + partsOf(item), own);
}
