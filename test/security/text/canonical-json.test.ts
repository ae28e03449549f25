// One text for one value: what is hashed and signed must not be said in two ways.
import { describe, expect, it } from 'vitest';
import { canonicalJson, parseCanonical } from '../../../src/state/canonical-json.ts';

describe('canonical JSON', () => {
  it.each([
    { value: null, text: 'null' },
    { value: true, text: 'true' },
    { value: -0.5, text: '-0.5' },
    { value: 'ä"\n', text: '"ä\\"\\n"' },
    { value: [], text: '[]' },
    { value: [1, 'two', [null, 3]], text: '[1,"two",[null,3]]' },
    { value: {}, text: '{}' },
    {
      value: { b: 1, a: [{ d: 1, c: 2 }], B: 3, 'ä"': 4 },
      text: '{"B":3,"a":[{"c":2,"d":1}],"b":1,"ä\\"":4}',
    },
    { value: { b: undefined, a: null }, text: '{"a":null}' },
  ])('is the same however the value was put together: $text', ({ value, text }) => {
    expect(canonicalJson(value)).toBe(text);
    expect(canonicalJson(parseCanonical(text))).toBe(text);
  });

  it.each([
    { value: Number.NaN, what: 'number' },
    { value: Number.POSITIVE_INFINITY, what: 'number' },
    { value: undefined, what: 'undefined' },
    { value: 1n, what: 'bigint' },
    { value: () => 1, what: 'function' },
    { value: [undefined], what: 'undefined' },
  ])('has no $what that JSON cannot say', ({ value, what }) => {
    expect(() => canonicalJson(value)).toThrow(new Error(`JSON has no ${what}`));
  });

  it.each([
    { why: 'a key that stands twice', text: '{"a":1,"a":2}' },
    { why: 'keys in another order', text: '{"b":1,"a":2}' },
    { why: 'a space', text: '{"a": 1}' },
    { why: 'a line end', text: '{"a":1}\n' },
    { why: 'another spelling of a number', text: '[1.0]' },
    { why: 'another spelling of a letter', text: '"\\u0061"' },
    { why: 'no JSON', text: '{' },
    { why: 'nothing', text: '' },
  ])('is not read back from $why', ({ text }) => {
    expect(parseCanonical(text)).toBeUndefined();
  });
});
