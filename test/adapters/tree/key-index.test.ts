// Where a key stands is answered the same, whether the entries are gone through or an index knows.
import { expect, it } from 'vitest';
import { parseYaml } from '../../../src/adapters/formats/yaml/parse-yaml.ts';
import { indexesOf, keyText } from '../../../src/adapters/tree/key-index.ts';
import type { MappingNode } from '../../../src/adapters/tree/span-tree.ts';
import { DEFAULT_LIMITS } from '../../../src/security/index.ts';

/** More than anybody asks before an index is made. */
const ASKED = 200;
const MANY = 60;
const filler = Array.from({ length: MANY }, (_, i) => `k${i}: v\n`).join('');

const TEXTS = [
  { kind: 'a block', text: `a: 1\n${filler}a: 2\nab: 3\na: 4\n` },
  { kind: 'quotes, a tag, an anchor', text: `"a": 1\n${filler}!!str a: 2\n&x ab: 3\n'k1': 4\n"": 5\n` },
  {
    kind: 'quotes with escapes in them',
    text: `"\\x61": 1\n${filler}"a\\x5cZ": 2\n'a\\Z': 3\n'a''b': 4\n"k\\u0031": 5\n"a'b": 6\n"k 1": 7\n'k': 8\n"k\\\\": 9\n`,
  },
  { kind: 'braces', text: `{a: 1, ${filler.replaceAll('\n', ', ')}a: 2, "ab": 3, k\n 1: 4}\n` },
  { kind: 'explicit keys', text: `? a\n: 1\n${filler}? [b]\n: 2\n? |\n  a\n: 3\n` },
];

it.each(TEXTS)('in $kind', ({ text }) => {
  const root = (): MappingNode => {
    const node = parseYaml(text, DEFAULT_LIMITS).documents[0]?.root;
    if (node?.kind !== 'mapping') throw new Error('it is a mapping');
    return node;
  };
  const often = root();
  for (let i = 0; i < ASKED; i++) indexesOf(text, often, 'k0');
  const names = often.entries.all().map(({ key }) => keyText(text, key));
  for (const name of [...new Set(names), '', 'a', 'k', 'k 1', 'k999', 'zz']) {
    if (name === undefined) continue;
    const standing = names.flatMap((other, index) => (other === name ? [index] : [])).slice(0, 2);
    expect([name, indexesOf(text, root(), name)]).toEqual([name, standing]);
    expect([name, indexesOf(text, often, name)]).toEqual([name, standing]);
  }
});
