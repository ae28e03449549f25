// What people have filled in: masked at its path in any item and document, in a text without paths wherever its letters stand,
// and said anew by nobody but a person.
import { describe, expect, it } from 'vitest';
import {
  type FilledValue,
  filledPlaces,
  findFilled,
  holdsPlaceholder,
  placesUnknown,
  requireNoneWritten,
  type ScalarThere,
} from '../../../src/security/index.ts';
import { refusalOf } from '../fixture.ts';
import { marked, unmarked } from './marked.ts';

const filled = (path: string, text: string): FilledValue => ({ file: 'a.yaml', doc: 0, path, text });

describe('the places where values were filled in', () => {
  const places = filledPlaces([filled('a.b', 'one'), filled('c[0].d[12]', 'two')]);
  it.each([
    { path: 'a.b', value: 'one', has: true, is: true },
    { path: 'a.b', value: 'two', has: true, is: false },
    { path: 'a.b', value: '', has: true, is: false },
    { path: 'a', value: 'one', has: false, is: false },
    { path: 'a.bb', value: 'one', has: false, is: false },
    { path: 'c[0].d[12]', value: 'two', has: true, is: true },
    { path: 'c[7].d[123]', value: 'two', has: true, is: true },
    { path: 'c.d', value: 'two', has: false, is: false },
    { path: 'c[0].d', value: 'two', has: false, is: false },
    { path: 'c[x].d[1]', value: 'two', has: false, is: false },
  ])('at $path stands $value: $has, and it is that one: $is', ({ path, value, has, is }) => {
    expect(places?.has(path)).toBe(has);
    expect(places?.isFilled(path, value)).toBe(is);
  });

  it('are none where nobody has filled in any', () => expect(filledPlaces([])).toBeUndefined());
});

describe('what stands there after an edit', () => {
  const PLAIN = { isLikeReference: false };
  const at = (...values: readonly string[]): readonly ScalarThere[] =>
    values.map((value, index) => ({ path: `a[${index}]`, value }));
  it.each([
    { why: 'the same', before: at('one'), after: at('one') },
    { why: 'the same elsewhere', before: at('one', 'two'), after: at('two', 'one', 'one') },
    { why: 'nothing', before: at('one'), after: [] },
    { why: 'a stand-in', before: at('one'), after: at('CHANGEME') },
    { why: 'a reference', before: at('one'), after: at('$' + '{PASSWORD}') },
    {
      why: 'a placeholder, which stands for what was there',
      before: at('one'),
      after: at('<secret:00000000>'),
    },
  ])('may be $why', ({ before, after }) => {
    expect(refusalOf(() => requireNoneWritten(before, after, 'a.yaml', PLAIN))).toBeUndefined();
  });

  it.each([
    { why: 'another', before: at('one'), after: at('guess'), path: 'a[0]' },
    { why: 'another beside it', before: at('one'), after: at('one', 'guess'), path: 'a[1]' },
    { why: 'one where there was none', before: [], after: at('guess'), path: 'a[0]' },
  ])('is said by nobody but a person where it is $why [DIS-10]', ({ before, after, path }) => {
    const refusal = refusalOf(() => requireNoneWritten(before, after, 'a.yaml', PLAIN));
    expect(refusal).toMatchObject({
      code: 'POLICY_DENIED',
      message:
        'Cannot make this edit: a person has filled in a value here, and only a person may say another one',
      where: { file: 'a.yaml', path },
      clues: {
        advice: ['Set it to CHANGEME, and ask a person to enter it: config-airlock fill PREVIEW_ID PATH'],
      },
    });
  });
});

describe('what stands there after an edit, where what was filled in looks like a reference', () => {
  const there = (value: string) => [{ path: 'a', value }];
  const isLike = (text: string) => filledPlaces([filled('a', 'x'), filled('b', text)])?.isLikeReference;
  it('is no other reference either, for one may be the right one [DIS-10]', () => {
    for (const value of ['$' + '{B}', '$PASSW0RD', '/run/secrets/x', 'true'])
      expect(
        refusalOf(() => requireNoneWritten([], there(value), 'f', { isLikeReference: true }))?.code,
      ).toBe('POLICY_DENIED');
    for (const value of ['', 'CHANGEME', '<secret:00000000>'])
      expect(
        refusalOf(() => requireNoneWritten([], there(value), 'f', { isLikeReference: true })),
      ).toBeUndefined();
  });
  it.each([
    { text: '$PASSW0RD', is: true },
    { text: '5m', is: true },
    { text: 'hunter2', is: false },
  ])('$text: $is', ({ text, is }) => expect(isLike(text)).toBe(is));
});

describe('in a text without paths a value that was filled in', () => {
  it.each([
    { why: 'as it is', values: ['hunter2'], text: 'a «hunter2» b' },
    { why: 'as often as it does', values: ['hunter2'], text: '«hunter2»«hunter2» x «hunter2»' },
    { why: 'not over itself', values: ['abab'], text: '«abab»ab' },
    { why: 'as double quotes spell it', values: ['a"b\\c'], text: '"«a\\"b\\\\c»"' },
    { why: 'as single quotes spell it', values: ["it's'so"], text: "'«it''s''so»'" },
    { why: 'line by line', values: ['line one\n  line two\n'], text: '  «line one»\n    «line two»' },
    { why: 'each of several', values: ['hunter2', 'hunter3'], text: '«hunter3» «hunter2»' },
    { why: 'of four letters', values: ['abcd'], text: '«abcd»' },
    {
      why: 'of less letters nowhere, for they stand everywhere',
      values: ['abc', '', 'x\ny'],
      text: 'abc x y',
    },
    { why: 'nowhere', values: ['hunter2'], text: 'hunter' },
  ])('is found $why', ({ values, text }) => {
    const plain = unmarked(text);
    const found = findFilled(
      plain,
      values.map((value) => filled('a', value)),
    );
    expect(marked(plain, found)).toBe(text);
    expect(new Set(found.map(({ start }) => start)).size).toBe(found.length);
    for (const { from, start } of found) expect(from).toBe(start);
  });
});

it.each([
  { why: 'a text', value: 'a <secret:00000000>', holds: true },
  { why: 'a member', value: { a: [1, { b: 'x<secret:zzzzzzzz>' }] }, holds: true },
  { why: 'a key', value: { '<secret:00000000>': 1 }, holds: true },
  { why: 'an item', value: ['<secret:00000000>'], holds: true },
  { why: 'one that is none', value: '<secret:0000000>', holds: false },
  { why: 'one that is none either', value: ['<secret:0000000i>', null, 1, true, undefined], holds: false },
])('a request that holds a placeholder is known by it: $why', ({ value, holds }) => {
  for (const _ of ['asked', 'asked again']) expect(holdsPlaceholder(value)).toBe(holds);
});

it('a file in which nobody can tell where a value was filled in is not edited, and why is said [DIS-10]', () => {
  expect(placesUnknown('a.yaml')).toMatchObject({
    code: 'POLICY_DENIED',
    message:
      'Cannot edit this file: a person has filled in a value, and nobody can tell where, for the file cannot be read',
    where: { file: 'a.yaml' },
    clues: { advice: ['Ask a person to mend the file'] },
  });
});
