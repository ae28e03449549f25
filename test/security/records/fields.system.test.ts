// What may stand in a field that was stored, to the last character; and that anything else is refused by name.
import { describe, expect, it } from 'vitest';
import {
  Fields,
  Malformed,
  readFields,
  readOrUndefined,
  SHA256,
} from '../../../src/security/records/fields.ts';

const fieldsOf = (a: unknown) => new Fields({ a });
const malformed = (word: string) => new Malformed(word);

interface Case {
  readonly why: string;
  readonly value: unknown;
}

describe('an object that was stored', () => {
  it.each<Case>([
    { why: 'nothing', value: undefined },
    { why: 'null', value: null },
    { why: 'a text', value: 'a' },
    { why: 'a list', value: [] },
  ])('is not $why', ({ value }) => {
    expect(() => new Fields(value)).toThrow(malformed('no object'));
  });

  it('has no field but those that are read, and need not have them all', () => {
    const readA = (fields: Fields) => fields.count('a');
    expect(readFields({ a: 1 }, readA)).toBe(1);
    expect(() => readFields({ a: 1, b: 2 }, readA)).toThrow(malformed('an unknown field'));
    expect(() => readFields([], readA)).toThrow(malformed('no object'));
    const fields = new Fields({ a: null });
    expect([fields.has('a'), fields.has('b'), fields.raw('a'), fields.raw('b')]).toEqual([
      true,
      false,
      null,
      undefined,
    ]);
  });

  it('is malformed under that name', () => {
    expect(malformed('x').name).toBe('Malformed');
    expect(malformed('x')).toBeInstanceOf(Error);
  });
});

describe('a field', () => {
  it.each<Case>([
    { why: 'missing', value: undefined },
    { why: 'a number', value: 1 },
    { why: 'not as its pattern says', value: 'B' },
  ])('of text is malformed where it is $why', ({ value }) => {
    expect(() => fieldsOf(value).text('a', /^b$/u)).toThrow(malformed('a'));
  });

  it('of text is itself', () => {
    expect(fieldsOf('b').text('a', /^b$/u)).toBe('b');
    expect(fieldsOf('').text('a')).toBe('');
    expect(fieldsOf('b').optionalTexts('a', 'b')).toStrictEqual({ a: 'b' });
    expect(() => fieldsOf(1).optionalTexts('a')).toThrow(malformed('a'));
  });

  it('of a few words is one of them', () => {
    expect(fieldsOf('two').oneOf('a', ['one', 'two'])).toBe('two');
    for (const value of ['three', '', 2, undefined])
      expect(() => fieldsOf(value).oneOf('a', ['one', 'two'])).toThrow(malformed('a'));
  });

  it('that counts is a whole number from 0 on', () => {
    for (const value of [0, 1, Number.MAX_SAFE_INTEGER]) expect(fieldsOf(value).count('a')).toBe(value);
    for (const value of [-1, 0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN, '1', null, undefined])
      expect(() => fieldsOf(value).count('a')).toThrow(malformed('a'));
  });

  it.each<Case>([
    { why: 'a year of more digits than it needs', value: '+002026-11-21T12:00:00.000Z' },
    { why: 'a year of more digits', value: '+012026-11-21T12:00:00.000Z' },
    { why: 'a year before all others', value: '-000001-11-21T12:00:00.000Z' },
    { why: 'a day that does not exist', value: '2026-02-30T12:00:00.000Z' },
    { why: 'a month that does not exist', value: '2026-13-21T12:00:00.000Z' },
    { why: 'an hour that belongs to the next day', value: '2026-11-21T24:00:00.000Z' },
    { why: 'another zone', value: '2026-11-21T12:00:00.000+01:00' },
    { why: 'no zone', value: '2026-11-21T12:00:00.000' },
    { why: 'no milliseconds', value: '2026-11-21T12:00:00Z' },
    { why: 'something behind it', value: '2026-11-21T12:00:00.000Z\n' },
    { why: 'no instant', value: '2026-' },
    { why: 'a number', value: 1_795_262_400_000 },
  ])('of time is malformed: $why', ({ value }) => {
    expect(() => fieldsOf(value).time('a')).toThrow(malformed('a'));
  });

  it('of time is an instant as this program writes it', () => {
    for (const text of ['2026-11-21T12:00:00.000Z', '2028-02-29T23:59:59.999Z'])
      expect(fieldsOf(text).time('a')).toBe(text);
  });

  it('that lists has a hundred thousand items at most, each of which is read', () => {
    const many = new Array(100_000).fill(1);
    expect(fieldsOf(many).list('a', (item) => item)).toHaveLength(100_000);
    expect(fieldsOf([1, 2]).list('a', (item) => [item])).toEqual([[1], [2]]);
    for (const value of [[...many, 1], { length: 1 }, 'text', undefined])
      expect(() => fieldsOf(value).list('a', (item) => item)).toThrow(malformed('a'));
  });

  it('that lists texts has nothing else in it', () => {
    expect(fieldsOf(['one', '']).texts('a')).toEqual(['one', '']);
    for (const value of [['one', 2], [null], 'one'])
      expect(() => fieldsOf(value).texts('a')).toThrow(malformed('a'));
  });

  it('that lists counts has nothing else in it', () => {
    expect(fieldsOf([0, 2]).counts('a')).toEqual([0, 2]);
    for (const value of [[0, -1], ['0'], [0.5], 1])
      expect(() => fieldsOf(value).counts('a')).toThrow(malformed('a'));
  });

  it('of the version is 1', () => {
    expect(new Fields({ v: 1 }).version()).toBe(1);
    for (const v of [0, 2, '1', true, undefined])
      expect(() => new Fields({ v }).version()).toThrow(malformed('v'));
  });

  it.each([
    { is: true, text: '0123456789abcdef'.repeat(4) },
    { is: false, text: '0'.repeat(63) },
    { is: false, text: '0'.repeat(65) },
    { is: false, text: `x${'0'.repeat(64)}` },
    { is: false, text: `${'0'.repeat(64)}\n` },
    { is: false, text: 'A'.repeat(64) },
  ])('of a hash has 64 small digits: $is', ({ is, text }) => {
    expect(SHA256.test(text)).toBe(is);
  });
});

describe('what cannot be read', () => {
  it('is undefined where it is malformed; a bug stays one', () => {
    expect(readOrUndefined(() => 'read')).toBe('read');
    expect(
      readOrUndefined(() => {
        throw malformed('a');
      }),
    ).toBeUndefined();
    const bug = new RangeError('a bug');
    expect(() =>
      readOrUndefined(() => {
        throw bug;
      }),
    ).toThrow(bug);
  });
});
