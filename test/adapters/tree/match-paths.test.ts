// Patterns over a tree: what they name, in source order, and at which cost.
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../../src/adapters/formats/registry.ts';
import { matchPaths } from '../../../src/adapters/tree/match-paths.ts';
import { DEFAULT_LIMITS, parsePath, printNodePath } from '../../../src/security/index.ts';

const TEXT = `a: {b: 1, "*": 2}
l:
- {n: x, v: [1, 2]}
- {n: y, v: [3]}
- z
dup: 1
dup: 2
base: &base {n: x}
copy: *base
a.b: 3
`;

function matches(path: string, text = TEXT, most = 100): string[] {
  const root = FORMATS.yaml.parse(text, DEFAULT_LIMITS).documents[0]?.root;
  if (root === undefined) throw new Error('a stream has a document');
  const found: string[] = [];
  matchPaths(text, root, parsePath(path), (_, at) => found.push(printNodePath(at)) < most);
  return found;
}

describe('names', () => {
  test.each([
    { path: 'l[*].n', are: ['l[0].n', 'l[1].n'], why: 'the items that have it' },
    { path: 'l.*.v[0]', are: ['l[0].v[0]', 'l[1].v[0]'], why: 'a star is any part' },
    { path: 'a.*', are: ['a.b', 'a["*"]'], why: 'all keys of a mapping' },
    { path: 'a["*"]', are: ['a["*"]'], why: 'a star in quotes is a key' },
    { path: 'a[*]', are: [], why: 'brackets are for lists' },
    { path: '**.n', are: ['l[0].n', 'l[1].n', 'base.n'], why: 'every depth, and no alias followed' },
    { path: '**.v[-1]', are: ['l[0].v[1]', 'l[1].v[0]'], why: 'the last of each' },
    { path: 'l[n=x].v.**', are: ['l[0].v', 'l[0].v[0]', 'l[0].v[1]'], why: 'a node and all below it' },
    { path: 'l[.=z]', are: ['l[2]'], why: 'an item that is the text' },
    { path: 'dup', are: ['dup[#1]', 'dup[#2]'], why: 'each of two equal keys' },
    { path: '*[#2]', are: undefined, why: 'a star has no occurrence' },
    { path: 'dup[#2]', are: ['dup[#2]'], why: 'the second' },
    { path: '["a.b"]', are: ['["a.b"]'], why: 'a key with a dot' },
    { path: '**.**.b', are: ['a.b'], why: 'once, however it is reached' },
  ])('$path: $why', ({ path, are }) => {
    if (are === undefined)
      expect(() => matches(path)).toThrow(expect.objectContaining({ code: 'NODE_PATH_INVALID' }));
    else expect(matches(path)).toEqual(are);
  });
});

test('ends where enough was found', () => {
  expect(matches('**', TEXT, 2)).toHaveLength(2);
});

test('a hostile pattern costs no more than its words for each node', () => {
  const text = `${'{a: '.repeat(30)}[${'1, '.repeat(20_000)}1]${'}'.repeat(30)}\n`;
  expect(matches(`${'**.a.'.repeat(60)}**.c`, text)).toEqual([]);
});
