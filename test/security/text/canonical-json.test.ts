// One text for one value: what is hashed and signed must not be said in two ways.
import { describe, expect, it } from 'vitest';
import { canonicalJson, parseCanonical, parsedJson, sha256Hex } from '../../../src/state/canonical-json.ts';
import { contentId, isContentId, isShortId, shortId } from '../../../src/state/records/content-id.ts';

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

describe('an id', () => {
  it('is the hash of a text in 43 characters', () => {
    expect(contentId('abc')).toMatch(/^[0-9a-hj-km-np-tv-z]{52}$/u);
    expect(contentId('abc')).not.toBe(contentId('abd'));
    expect(isShortId('pv', shortId('pv', contentId('abc')))).toBe(true);
    expect(isShortId('ch', shortId('pv', contentId('abc')))).toBe(false);
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(isContentId(contentId(''))).toBe(true);
  });

  it.each([
    '',
    'a'.repeat(51),
    'a'.repeat(53),
    'A'.repeat(52),
    'u'.repeat(52),
    `${'a'.repeat(52)}\n`,
    `/${'a'.repeat(52)}`,
    `${'a'.repeat(51)}.`,
  ])('is not "%s"', (text) => {
    expect(isContentId(text)).toBe(false);
  });
});

describe('any other JSON', () => {
  it('is undefined where it cannot be parsed', () => {
    expect(parsedJson('{"a":1}')).toEqual({ a: 1 });
    for (const text of ['{', '']) expect(parsedJson(text)).toBeUndefined();
  });
});
