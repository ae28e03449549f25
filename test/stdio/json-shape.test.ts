// The depth and the parts that are counted are those that a parser would find, and no depth overflows a stack.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countMembers, measure, outerMember } from '../../src/stdio/json-shape.ts';
import { atOnce } from '../../src/stdio/steps.ts';

it('agrees with the parsed value [SRV-4]', () => {
  const text = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', 'a') });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 6 }, text, fc.array(tie('value')), fc.dictionary(text, tie('value'))),
  }));
  fc.assert(
    fc.property(value, (json) => {
      const [depth, parts] = [depthOf(json), partsOf(json)];
      for (const spaced of [JSON.stringify(json), JSON.stringify(json, null, 2)]) {
        expect(measure({ depth, parts }, spaced)).toBe(countMembers(json));
        if (depth > 0) expect(measure({ depth: depth - 1, parts }, spaced)).toBe('depth');
        if (parts > 0) expect(measure({ depth, parts: parts - 1 }, spaced)).toBe('parts');
      }
    }),
  );
});

it('looks at a million brackets without a stack', () => {
  const parts = 1_000_000;
  expect(measure({ depth: 1_000_000, parts }, '['.repeat(1_000_000))).toBe(0);
  expect(measure({ depth: 999_999, parts }, '{'.repeat(1_000_000))).toBe('depth');
});

it.each([
  { json: '"[[[', why: 'a string that does not end' },
  { json: '"\\\\"[]', parts: 1, why: 'two backslashes, then the end of the string' },
  { json: '"\\\\\\"[["', why: 'three backslashes, the last of which takes the quote along' },
  { json: ']]]][', parts: 1, why: 'more closing than opening' },
  { json: '1,2:3', parts: 2, why: 'no JSON' },
  { json: '', why: 'nothing' },
])('counts $parts parts in $why', ({ json, parts = 0 }) => {
  expect(measure({ depth: 9, parts }, json)).toBeTypeOf('number');
  expect(measure({ depth: 9, parts: parts - 1 }, `${json}`)).toBe(parts === 0 ? 0 : 'parts');
});

it.each([
  { json: '{"a":1,"a":1}', why: 'beside each other' },
  { json: '{"a":{"b":[{"c":1,"d":2,"c":3}]}}', why: 'further in' },
  { json: '{"dry_run":true,"dry\\u005frun":false}', why: 'in another spelling' },
  { json: '{"__proto__":1,"__proto__":{}}', why: 'with a name of Object' },
])('counts a name that stands twice $why, which a parser does not', ({ json }) => {
  expect(measure({ depth: 9, parts: 99 }, json)).toBe(countMembers(JSON.parse(json)) + 1);
});

it('finds the member that a parser would, and its text', () => {
  const name = fc.constantFrom('id', 'method', 'params', 'i', 'id"', '');
  const message = fc.dictionary(name, fc.oneof(fc.jsonValue(), fc.record({ id: fc.jsonValue() }), name));
  fc.assert(
    fc.property(message, fc.nat(2), (value, indent) => {
      const text = atOnce(outerMember(JSON.stringify(value, null, indent), 'id'));
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
  expect(atOnce(outerMember(json, 'id'))).toBe(found);
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
