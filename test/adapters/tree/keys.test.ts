// Where a key stands in its mapping, however it is written.

import { expect, it } from 'vitest';
import { FORMATS } from '../../../src/adapters/formats/registry.ts';
import { indexesOf } from '../../../src/adapters/tree/keys.ts';
import { DEFAULT_LIMITS } from '../../../src/security/index.ts';

it.each([
  {
    kind: 'plain, in quotes, with a tag and an anchor',
    text: '"a": 1\nb: 2\n!!str c: 3\n&x d: 4\n',
    at: [0, 1, 2, 3],
  },
  {
    kind: 'with escapes in them',
    text: `"\\x61": 1\n'b': 2\n"\\u0063": 3\n'd''': 4\n`,
    at: [0, 1, 2, undefined],
  },
  { kind: 'in braces, over two lines', text: '{d: 1, "b": 2, a\n : 3, c: 4}\n', at: [2, 1, 3, 0] },
  { kind: 'explicit', text: '? a\n: 1\n? [b]\n: 2\n? |-\n  c\n: 3\n', at: [0, undefined, 2, undefined] },
])('finds keys $kind', ({ text, at }) => {
  const root = FORMATS.yaml.parse(text, DEFAULT_LIMITS).documents[0]?.root;
  if (root?.kind !== 'mapping') throw new Error('it is a mapping');
  expect(['a', 'b', 'c', 'd'].map((name) => indexesOf(root, name)[0])).toEqual(at);
});

it('names the first two entries of a key that stands there more often', () => {
  const root = FORMATS.yaml.parse('a: 1\nb: 2\n"a": 3\na: 4\n', DEFAULT_LIMITS).documents[0]?.root;
  if (root?.kind !== 'mapping') throw new Error('it is a mapping');
  expect(indexesOf(root, 'a')).toEqual([0, 2]);
});
