// The depth, tokens and names that are counted are those that a parser would find, and no depth overflows a stack.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type MessageLimits, scanMessage } from '../../src/protocol/scan-message.ts';

const MANY = { depth: 9e9, tokens: 9e9, envelopeTokens: 9e9 };
const problem = (json: string, limits: Partial<MessageLimits> = {}) =>
  scanMessage(json, { ...MANY, ...limits }).problem;

it('agrees with the parsed value', () => {
  const text = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', 'a') });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 6 }, text, fc.array(tie('value')), fc.dictionary(text, tie('value'))),
  }));
  fc.assert(
    fc.property(value, (json) => {
      const [depth, tokens] = [depthOf(json), tokensOf(json)];
      for (const spaced of [JSON.stringify(json), JSON.stringify(json, null, 2)]) {
        expect(problem(spaced, { depth, tokens })).toBe(undefined);
        if (depth > 0) expect(problem(spaced, { depth: depth - 1 })).toBe('depth');
        if (tokens > 0) expect(problem(spaced, { tokens: tokens - 1 })).toBe('tokens');
      }
    }),
  );
});

it('looks at a million brackets without a stack', () => {
  expect(problem('['.repeat(1_000_000), { depth: 1_000_000 })).toBe(undefined);
  expect(problem('{'.repeat(1_000_000), { depth: 999_999 })).toBe('depth');
});

it.each([
  { json: '{"a":1,"a":1}', why: 'beside each other' },
  { json: '{"a":{"b":[{"c":1,"d":2,"c":3}]}}', why: 'further in' },
  { json: '{"dry_run":true,"dry\\u005frun":false}', why: 'in another spelling' },
  { json: '{"__proto__":1,"__proto__":{}}', why: 'with a name of Object' },
  { json: '{"a":{"b":1},"c":{"b":1,"d":[{}],"b":1}}', why: 'behind objects that hold others' },
])('finds a name that stands twice $why', ({ json }) => {
  expect(problem(json)).toBe('duplicate');
});

it('finds the id that a parser would, and its text', () => {
  const name = fc.constantFrom('id', 'method', 'params', 'i', 'id"', '');
  const message = fc.dictionary(name, fc.oneof(fc.jsonValue(), fc.record({ id: fc.jsonValue() }), name));
  fc.assert(
    fc.property(message, fc.nat(2), fc.boolean(), (value, indent, isRefused) => {
      const limits = isRefused ? { ...MANY, tokens: 0 } : MANY;
      const text = scanMessage(JSON.stringify(value, null, indent), limits).outer.get('id');
      expect(text === undefined ? undefined : JSON.parse(text)).toEqual(
        Object.hasOwn(value, 'id') ? JSON.parse(JSON.stringify(value['id'])) : undefined,
      );
    }),
  );
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** A bracket, n − 1 commas, and a colon for each key. */
function tokensOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items = Object.values(value);
  const own = 1 + Math.max(0, items.length - 1) + (Array.isArray(value) ? 0 : items.length);
  return items.reduce((sum: number, item) => sum + tokensOf(item), own);
}
