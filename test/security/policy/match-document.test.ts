// Which documents a rule is about: by what they hold before or after a change, by any of several texts, and by texts in which
// * is any run of characters.
import { expect, it } from 'vitest';
import { readPolicy } from '../../../src/adapters/index.ts';
import type { DataPath, Found, Json } from '../../../src/security/index.ts';
import { isMatchedField, matchDocument } from '../../../src/security/policy/match-document.ts';
import { dataOf } from './json-facts.ts';

const UNCLEAR = 'unclear!';

function versionOf(value: Json | undefined) {
  const data = dataOf(value);
  const at = (path: DataPath): Found => {
    const found = data?.at(path) ?? 'none';
    return typeof found === 'object' && found.value === UNCLEAR ? 'unclear' : found;
  };
  return data === undefined ? undefined : { ...data, at };
}

async function matcherOf(doc: string) {
  const { rules } = await readPolicy(`rules: [{ id: r, doc: ${doc}, then: deny }]`);
  return rules[0]?.doc ?? [];
}

const named = (kind: Json, name?: Json): Json => ({
  kind,
  ...(name === undefined ? {} : { metadata: { name } }),
});

it.each<{ doc: string; before?: Json; after?: Json; is: string }>([
  { doc: 'A', before: named('A'), after: named('A'), is: 'yes' },
  { doc: 'A', before: named('A'), is: 'yes' },
  { doc: 'A', after: named('A'), is: 'yes' },
  { doc: 'A', is: 'no' },
  { doc: 'A', before: named('B'), after: named('B'), is: 'no' },
  { doc: 'A', before: named('A'), after: named('B'), is: 'crossing' },
  { doc: 'A', before: named('B'), after: named('A'), is: 'crossing' },
  { doc: 'A', before: named(UNCLEAR), after: named(UNCLEAR), is: 'perhaps' },
  { doc: 'A', before: named(UNCLEAR), after: named('B'), is: 'perhaps' },
  { doc: 'A', before: named('<secret:00000000>'), is: 'perhaps' },
  { doc: 'A', before: named('A'), after: named(UNCLEAR), is: 'yes' },
  { doc: 'A', before: { Kind: 'A' }, is: 'perhaps' },
  { doc: 'A', before: { KIND: 'A' }, is: 'perhaps' },
  { doc: 'A', before: { 'kind ': 'A' }, is: 'perhaps' },
  { doc: 'A', before: { 'ki\u200bnd': 'A' }, is: 'perhaps' },
  { doc: 'A', before: { kind: 'B', Kind: 'A' }, is: 'perhaps' },
  { doc: 'A', before: { Kind: 'B' }, is: 'no' },
  { doc: 'A', before: { kinds: 'A' }, is: 'no' },
  { doc: 'A', before: { Kind: UNCLEAR }, is: 'perhaps' },
  { doc: 'A', before: named('A'), after: { Kind: 'A' }, is: 'yes' },
  { doc: 'A/w', before: { kind: 'A', Metadata: { NAME: 'w' } }, is: 'perhaps' },
  { doc: 'A/w', before: { kind: 'A', Metadata: { NAME: 'v' } }, is: 'no' },
  { doc: 'A/w', before: named('A', 'w'), after: named('A', 'w'), is: 'yes' },
  { doc: 'A/w', before: named('A', 'v'), is: 'no' },
  { doc: 'A/w', before: named('A'), is: 'no' },
  { doc: 'A/w', before: named('A', UNCLEAR), is: 'perhaps' },
  { doc: 'A/w', before: named('B', UNCLEAR), is: 'no' },
  { doc: 'A/w', before: named(UNCLEAR, 'w'), is: 'perhaps' },
  { doc: '"*/w"', before: { metadata: { name: 'w' } }, is: 'yes' },
  { doc: '{ a: [x, 1] }', before: { a: 'x' }, is: 'yes' },
  { doc: '{ a: [x, 1] }', before: { a: 1 }, is: 'yes' },
  { doc: '{ a: [x, 1] }', before: { a: 2 }, is: 'no' },
  { doc: '{ a: [x, 1] }', before: { a: ['x'] }, is: 'no' },
  { doc: '{ a: "x*" }', before: {}, is: 'no' },
  { doc: '{ "a[1]": x }', before: { a: { 1: 'x' } }, is: 'no' },
  { doc: '{ a: undefined }', before: {}, is: 'no' },
  { doc: '{ a: x, b: y }', before: { a: 'x', b: 'z' }, is: 'no' },
  { doc: '{ "a[1]": x }', before: { a: ['y', 'x'] }, is: 'yes' },
  { doc: '{ "a[1]": x }', before: { a: ['x', 'y'] }, is: 'no' },
  { doc: '{ "/a/1": x }', before: { a: ['y', 'x'] }, is: 'yes' },
  { doc: '{ "/a/1": x }', before: { a: ['x', 'y'] }, is: 'no' },
  { doc: '{ "/a/1/b": x }', before: { a: [0, { b: 'x' }] }, is: 'yes' },
  { doc: '{ "/a/1": x }', before: { a: { 1: 'x' } }, is: 'yes' },
  { doc: '{ "/a/1": x }', before: { a: { 1: 'y' } }, is: 'no' },
  { doc: '{ a.0: x }', before: { a: { 0: 'x' } }, is: 'yes' },
  { doc: '{ a: x }', before: { a: 'X' }, is: 'no' },
  { doc: '{ a: "1.10" }', before: { a: 1.1 }, is: 'perhaps' },
  { doc: '{ a: 1.10 }', before: { a: '1.10' }, is: 'perhaps' },
  { doc: '{ a: true }', before: { a: 'yes' }, is: 'perhaps' },
  { doc: '{ a: 1 }', before: { a: 2 }, is: 'no' },
])(
  'a rule about $doc meets a document: $is, from $before to $after [POL-1]',
  async ({ doc, before, after, is }) => {
    const versions = { before: versionOf(before), after: versionOf(after) };
    expect(matchDocument(await matcherOf(doc), versions)).toBe(is);
  },
);

it.each([
  { pattern: 'abc', like: ['abc'], not: ['ab', 'abcd', 'xabc', ''] },
  { pattern: 'a*', like: ['a', 'ab', 'a*'], not: ['', 'ba'] },
  { pattern: '*a', like: ['a', 'ba'], not: ['', 'ab'] },
  { pattern: 'ab*ba', like: ['abba', 'abxba'], not: ['aba', 'ab', 'xabba', 'abbax'] },
  { pattern: '*a*', like: ['a', 'xay', 'aa'], not: ['', 'b'] },
  {
    pattern: 'a*b*c',
    like: ['abc', 'axbxc', 'abbc', 'acbc'],
    not: ['ac', 'ab', 'acb', 'xabc', 'abcx', 'aBc'],
  },
  { pattern: 'x*ab*ab*y', like: ['xababy', 'xab1aby', 'xaabaaby'], not: ['xaby', 'xabay', 'xay'] },
  { pattern: 'a*aa*a', like: ['aaaa', 'a1aa1a'], not: ['aaa', 'a1a1a'] },
  { pattern: 'a*bc*c', like: ['abcc', 'abc-c'], not: ['abc', 'ac'] },
  { pattern: 'a**b', like: ['ab', 'axb'], not: ['a'] },
])('a text is like $pattern', async ({ pattern, like, not }) => {
  const matcher = await matcherOf(JSON.stringify({ a: pattern }));
  const is = (a: string) => matchDocument(matcher, { before: versionOf({ a }), after: undefined });
  expect(like.map((text) => [text, is(text)])).toEqual(like.map((text) => [text, 'yes']));
  expect(not.map((text) => [text, is(text)])).toEqual(not.map((text) => [text, 'no']));
});

it.each<{ doc: string; path: DataPath; is: boolean }>([
  { doc: 'A/w', path: ['kind'], is: true },
  { doc: 'A/w', path: ['metadata'], is: true },
  { doc: 'A/w', path: ['metadata', 'name'], is: true },
  { doc: 'A/w', path: ['metadata', 'name', 'x'], is: true },
  { doc: 'A/w', path: ['metadata', 'labels'], is: false },
  { doc: 'A/w', path: ['name'], is: false },
  { doc: 'A/w', path: ['x', 'name'], is: false },
  { doc: 'A/w', path: [], is: true },
  { doc: '{ "a[1]": x }', path: ['a', 1], is: true },
  { doc: '{ "a[1]": x }', path: ['a', 0], is: false },
  { doc: '{ "a.1": x }', path: ['a', '1'], is: true },
  { doc: '{ "/a/1/b": x }', path: ['a', 1], is: true },
  { doc: '{ "/a/1/b": x }', path: ['a', '1', 'b'], is: true },
  { doc: '{ "/a/1/b": x }', path: ['a', 1, 'c'], is: false },
  { doc: '{ "/a/1/b": x }', path: ['a', 0], is: false },
])('the documents of $doc are found by what stands at $path: $is', async ({ doc, path, is }) => {
  expect(isMatchedField(await matcherOf(doc), { op: 'replace', doc: 0, path })).toBe(is);
});
